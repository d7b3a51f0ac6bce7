// A picture of graphs, before anything is placed: boxes and arrows in lanes.
#pragma once

#include <string>
#include <vector>

namespace replicator {

enum class BoxKind {
  kInput,     // a component of the batch, a key, what a region is given
  kVariable,  // a variable's value at the beginning
  kOperation,
  kCollective,  // a placeholder
  kRegion,      // an operation that owns graphs
  kGroup,       // several operations of one name scope
  kResult,      // what the step function returned
  kUpdate,      // a variable's new value
};

struct Lane;

struct Box {
  BoxKind kind = BoxKind::kOperation;
  std::vector<std::string> lines;  // the first one stands out
  std::string tooltip;
  // Boxes of one band, one in each lane, are the same placeholder: they stand on one line and are joined. -1: none.
  int band = -1;
  bool has_collectives = false;  // of a group
  std::vector<Lane> insides;     // of a region
};

struct Arrow {
  int from = 0, to = 0;  // boxes, from < to
  bool varying = false;  // whether what flows differs between replicas
};

// One graph. Boxes are in a topological order.
struct Lane {
  std::string title;
  std::vector<Box> boxes;
  std::vector<Arrow> arrows;  // at most one between two boxes
};

struct Picture {
  std::string title;
  std::vector<Lane> lanes;  // side by side
};

}  // namespace replicator
