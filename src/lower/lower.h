// From a graph to StableHLO text.
#pragma once

#include <string>
#include <vector>

#include "graph/emitter.h"
#include "graph/graph.h"

namespace replicator {

struct LowerOptions {
  LoweringTarget target = LoweringTarget::kCpu;
  int num_replicas = 1;
  // For each parameter, the output that may take over its buffer, or -1. Empty: none.
  std::vector<int> aliases = {};
  std::string module_name = "step";
};

// One MLIR module whose public function `main` takes the graph's parameters and returns its outputs, both in order.
std::string LowerToStableHlo(const Graph& graph, const LowerOptions& options);

}  // namespace replicator
