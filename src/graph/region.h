// Graphs inside of graphs: the regions of an operation.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "graph/graph.h"

namespace replicator {

// The node itself if it is a placeholder, or else the first one in its regions, at any depth; null if there is none.
const Node* FindCollective(const Node& node);
const Node* FindCollective(const Graph& region);

// The typings of a graph's outputs if its parameters had these.
std::vector<Typing> TypeOutputs(const Graph& graph, std::span<const Typing> parameters);

struct CopyOptions {
  // Whether placeholders whose results nobody reads are copied too, as they must where they take part in a match.
  bool keep_collectives = true;
  // Makes the values that stand for the node's results, on operands in the target; nothing: the node is copied.
  std::function<std::optional<std::vector<Value>>(const Node& node, const std::vector<Value>& operands)> replace =
      nullptr;
};

// Appends to `target` what the outputs of `source` need, its parameters bound to `arguments`, typed anew; returns where
// the outputs are.
std::vector<Value> CopyGraph(const Graph& source, std::span<const Value> arguments, Graph& target,
                             const CopyOptions& options = {});

// The same for any values of `source`: `bound` says what stands for some of them in `target`, and all that is needed of
// its parameters must be among those. Placeholders are copied only where their results are needed.
std::vector<Value> CopyValues(const Graph& source, const std::map<Value, Value>& bound, Graph& target,
                              const std::vector<Value>& values);

// A region on its own, from one that has been built: `parameters` of them precede its captures, and then it takes all
// of `captures` (values of the graph that encloses it), which contain its own. Returns `outputs`, values of `built`.
Region FinishRegion(const Graph& built, size_t parameters, std::span<const Value> captures, const Graph& enclosing,
                    const std::vector<Value>& outputs, const CopyOptions& options = {});

}  // namespace replicator
