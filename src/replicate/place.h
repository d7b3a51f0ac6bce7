// Placeholders in their place in the merged graph.
#pragma once

#include <vector>

#include "graph/build_context.h"

namespace replicator {

// `node` on other operands, which are values of `graph`, typed anew.
Node Rebind(const Node& node, std::vector<Value> operands, const Graph& graph);

// Appends `node`, a placeholder or an operation with some in its regions, to the graph that `merged` is building, on
// operands of that graph; returns its results. Here it is known what is equal on all replicas: a sum that
// differentiation asked for, of a replicated value, becomes a multiplication by their number. Throws Error where a
// replicated value would be reduced, and where a varying value decides whether a collective is run.
std::vector<Value> PlaceCollective(const Node& node, std::vector<Value> operands, BuildContext& merged);

}  // namespace replicator
