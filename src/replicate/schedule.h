// Which segment computes a node.
#pragma once

#include <vector>

#include "graph/graph.h"

namespace replicator {

struct Schedule {
  std::vector<int> segment_of;  // by node: -1 for parameters, constants and what nobody needs
  std::vector<bool> constant;   // by node: depends on no parameter and no collective
  std::vector<int> devices;     // by segment
};

// Segments in the order in which they can run, few of them: each takes all nodes of its device that are ready.
Schedule ScheduleSegments(const Graph& graph);

}  // namespace replicator
