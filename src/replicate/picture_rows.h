// Which row of a picture each box stands in.
#pragma once

#include <vector>

#include "replicate/picture.h"

namespace replicator {

struct Rows {
  int count = 0;
  std::vector<std::vector<int>> of;  // [lane][box]
};

// Arrows lead to later rows. The boxes of a band share a row in which there is no other box, in any lane; what nothing
// leads to stands right above its first user.
Rows AssignRows(const Picture& picture);

}  // namespace replicator
