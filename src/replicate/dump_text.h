// Graphs and matched placeholders as text for a person.
#pragma once

#include <string>

#include "graph/graph.h"
#include "replicate/program.h"

namespace replicator {

// "%4 = all_sum(%3) {transposed=true} : f32[3] replicated  [sgd]  train.cc:12", regions indented below it. Long
// attributes are cut.
std::string Listing(const Graph& graph, int node);
// One line per node, then "return".
std::string Listing(const Graph& graph);

// One line per placeholder: its number, operation and shape, and the user's line in each class of equal replicas.
std::string PlaceholderTable(const Program& program);

// "replicas 0-2, 5"; "replica 1".
std::string NameReplicas(const std::vector<int>& class_of_replica, int c);

}  // namespace replicator
