// Grouping the nodes of a graph so that a large one can be drawn with few boxes.
#pragma once

#include <string>
#include <vector>

namespace replicator {

// A node to be grouped: only nodes of one key share a group.
struct KeyedNode {
  std::string key;
  std::vector<int> operands;  // smaller numbers
  bool last = false;          // starts a group of its kind only when nothing else can be done: gathers what is alike
};

// The group of each node, from 0, in a topological order of the groups: there is never a way from a group out and back
// into it. Few groups, found greedily: each takes all nodes of its key that depend on none that is not yet in a group.
std::vector<int> GroupNodes(const std::vector<KeyedNode>& nodes);

}  // namespace replicator
