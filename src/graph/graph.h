// The graph of one replica's step, or of a region.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "graph/attributes.h"
#include "graph/op_def.h"
#include "replicator/graph/graph_error.h"
#include "replicator/graph/rematerialised.h"
#include "replicator/graph/tensor.h"

namespace replicator {

struct Node {
  const OpDef* op = nullptr;
  std::vector<Value> operands;
  Attributes attributes;
  std::vector<Region> regions;
  std::vector<Shape> results;
  Typing typing = Typing::kReplicated;  // the join of all results
  // By result, for an operation with regions; empty: each is `typing`.
  std::vector<Typing> result_typings;
  int logical_device = 0;  // of the replica's; regions run on that of the node that owns them
  SourceLocation user;     // the user's line
  SourceLocation inner;    // the operation's line; equal to `user` outside modules
  std::string scope;       // name scope, for pictures and errors only
  // The call of a rematerialised function in which it was built, for gradients only; null outside of any.
  std::shared_ptr<const RematerialisedCall> rematerialised = nullptr;

  std::vector<SourceLocation> where() const;
  Typing result_typing(int index) const {
    return result_typings.empty() ? typing : result_typings[static_cast<size_t>(index)];
  }
};

// Types the node's results by its operation's rule, for operands of these typings.
void InferTyping(Node& node, std::span<const Typing> operands);

// The attributes of a parameter.
Attributes ParameterAttributes(std::string kind, std::string name, const Shape& shape, Typing typing);

// Nodes in program order, which is a topological order. Append-only until frozen.
//
// The body of an operation with regions is built in an open region: a graph that knows which one encloses it. A Tensor
// of an enclosing graph may be used in it, and becomes a parameter: a capture. Once closed, a region is on its own, and
// nothing made in it can be used elsewhere.
class Graph : public std::enable_shared_from_this<Graph> {
 public:
  static std::shared_ptr<Graph> Create() { return std::shared_ptr<Graph>(new Graph); }
  // An open region of `parent`, which must outlive its closing. `what` names it in errors: "the body of the loop at
  // a.cc:12".
  static std::shared_ptr<Graph> CreateRegion(Graph& parent, std::string what);
  void CloseRegion() { parent_ = nullptr; }
  // What the region's parameters stand for in the graph that encloses it, capture by capture; its last parameters.
  const std::vector<Value>& captures() const { return captures_; }
  // "the body of the loop at a.cc:12"; empty for a graph that is no region.
  const std::string& region_name() const { return region_name_; }

  // The value as this graph knows it: its own, or that of an enclosing graph, which Resolve captures where need be and
  // Lookup does not. Nothing for a tensor of any other graph, and for one that Lookup finds not captured.
  std::optional<Value> Resolve(const Tensor& tensor);
  std::optional<Value> Lookup(const Graph& owner, Value value) const;

  // Checks the operation's rule and appends a node, on the current logical device. Throws GraphError, with the graph
  // unchanged, when the rule is broken, when an operand belongs to another graph or when a region was built for another
  // logical device, and Error(kFailedPrecondition) when the graph is frozen.
  std::vector<Tensor> Add(const OpDef& op, std::span<const Tensor> operands, Attributes attributes,
                          SourceLocation where, std::vector<Region> regions = {});
  // The same on values of this graph that are known to be right; for rewriting, which takes source lines and typing
  // from the node it copies.
  int Append(Node node);
  // Gives node `id` other regions and attributes, by which it has further results behind those it has. What the node
  // computed before must stay as it was.
  void AddResults(int id, std::vector<Region> regions, Attributes attributes);

  const std::deque<Node>& nodes() const { return nodes_; }
  const Node& node(int id) const { return nodes_[static_cast<size_t>(id)]; }
  const Shape& shape(Value value) const { return node(value.node).results[static_cast<size_t>(value.index)]; }
  Typing typing(Value value) const { return node(value.node).result_typing(value.index); }
  // Parameter nodes in the order in which they were added.
  const std::vector<int>& parameters() const { return parameters_; }

  const std::vector<Value>& outputs() const { return outputs_; }
  void SetOutputs(std::vector<Value> outputs) { outputs_ = std::move(outputs); }

  // After this, Add throws: the step has been built.
  void Freeze() { frozen_ = true; }
  bool frozen() const { return frozen_; }

  // Equal for graphs that compute the same; independent of source lines, scopes and addresses.
  uint64_t Fingerprint() const;
  // Whether node `id` is the same in both, operands by number.
  static bool SameNode(const Graph& a, const Graph& b, int id);
  friend bool SameStructure(const Graph& a, const Graph& b);

 private:
  Graph() = default;

  std::deque<Node> nodes_;
  std::vector<int> parameters_;
  std::vector<Value> outputs_;
  bool frozen_ = false;

  Graph* parent_ = nullptr;  // while this is an open region
  std::string region_name_;
  std::vector<Value> captures_;          // of the parent
  std::map<Value, Value> parameter_of_;  // by captured value
};

// Whether both compute the same with the same nodes in the same order.
bool SameStructure(const Graph& a, const Graph& b);
// One line per node, for golden tests and dumps.
std::string ToString(const Graph& graph);

// The input of a graph. Attributes: "dtype" and "dims", "kind" and "name", "varying".
extern const OpDef kParameter;

}  // namespace replicator
