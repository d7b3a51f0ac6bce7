// From a graph to boxes and arrows.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "graph/graph.h"
#include "replicate/picture.h"

namespace replicator {

struct DrawOptions {
  std::string title;
  // More boxes than this are drawn as groups: by name scope, as deep as fits, first with each kind of collective of a
  // scope apart, then with collectives inside the groups too.
  int max_boxes = 40;
  // What the graph is for: a label such as "result 0" or "w" (then it is an update), and the value.
  struct End {
    std::string label;
    Value value;
    bool is_update = false;
  };
  std::vector<End> ends;
  bool name_devices = true;  // say which nodes are on another logical device than 0
  // What the branches of a case on the replica's class are called.
  std::vector<std::string> class_titles;
};

// Only what the ends and the collectives need is drawn. Scalar constants are written into their users; reshape and
// broadcast_in_dim are left out, as arrows go through them. The band of a collective is its place among the graph's.
Lane Draw(const Graph& graph, const DrawOptions& options);

}  // namespace replicator
