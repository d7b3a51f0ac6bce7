// The graph of one replica's step, or of a region.
#pragma once

#include <deque>
#include <memory>
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
  Typing typing = Typing::kReplicated;
  int logical_device = 0;  // of the replica's; regions run on that of the node that owns them
  SourceLocation user;     // the user's line
  SourceLocation inner;    // the operation's line; equal to `user` outside modules
  std::string scope;       // name scope, for pictures and errors only
  // The call of a rematerialised function in which it was built, for gradients only; null outside of any.
  std::shared_ptr<const RematerialisedCall> rematerialised = nullptr;

  std::vector<SourceLocation> where() const;
};

// The typing of an operation's results, by its rule.
Typing InferTyping(const OpDef& op, std::span<const Typing> operands, const Attributes& attributes);

// Nodes in program order, which is a topological order. Append-only until frozen.
class Graph : public std::enable_shared_from_this<Graph> {
 public:
  static std::shared_ptr<Graph> Create() { return std::shared_ptr<Graph>(new Graph); }

  // Checks the operation's rule and appends a node, on the current logical device. Throws GraphError, with the graph
  // unchanged, when the rule is broken, when an operand belongs to another graph or when a region was built for another
  // logical device, and Error(kFailedPrecondition) when the graph is frozen.
  std::vector<Tensor> Add(const OpDef& op, std::span<const Tensor> operands, Attributes attributes,
                          SourceLocation where, std::vector<Region> regions = {});
  // The same on values of this graph that are known to be right; for rewriting, which takes source lines and typing
  // from the node it copies.
  int Append(Node node);

  const std::deque<Node>& nodes() const { return nodes_; }
  const Node& node(int id) const { return nodes_[static_cast<size_t>(id)]; }
  const Shape& shape(Value value) const { return node(value.node).results[static_cast<size_t>(value.index)]; }
  Typing typing(Value value) const { return node(value.node).typing; }
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
};

// Whether both compute the same with the same nodes in the same order.
bool SameStructure(const Graph& a, const Graph& b);
// One line per node, for golden tests and dumps.
std::string ToString(const Graph& graph);

// The input of a graph. Attributes: "shape" (a literal-free description: dtype, dims), "kind" and "name", "varying".
extern const OpDef kParameter;

}  // namespace replicator
