// What of a graph is worth drawing.
#pragma once

#include <string>
#include <vector>

#include "graph/graph.h"

namespace replicator {

class GraphOutline {
 public:
  // Of what `ends` and the collectives need.
  GraphOutline(const Graph& graph, const std::vector<Value>& ends);

  const Graph& graph() const { return graph_; }
  // Nodes that get a box of their own, in order.
  const std::vector<int>& drawn() const { return drawn_; }
  // The drawn node whose value `value` is, up to reshapes and broadcasts, or -1 for what is written into its users.
  int Source(Value value) const { return source_[static_cast<size_t>(value.node)]; }
  // How a user writes the value: "0.5", or "·" for one that an arrow leads to.
  const std::string& Text(Value value) const { return text_[static_cast<size_t>(value.node)]; }
  // Drawn nodes that lead to `node`, distinct, in order.
  std::vector<int> SourcesOf(int node) const;

 private:
  const Graph& graph_;
  std::vector<int> drawn_, source_;
  std::vector<std::string> text_;
};

}  // namespace replicator
