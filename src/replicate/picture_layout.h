// Where the boxes and arrows of a picture go: a layered drawing, lane by lane, with common rows.
#pragma once

#include <vector>

#include "replicate/picture.h"

namespace replicator {

struct Point {
  double x = 0, y = 0;
};

struct PlacedLane;

struct PlacedBox {
  Point corner;  // upper left
  double width = 0, height = 0;
  std::vector<PlacedLane> insides;  // as Box::insides; relative to the picture
};

struct PlacedLane {
  Point corner;
  double width = 0, height = 0;
  std::vector<PlacedBox> boxes;            // as Lane::boxes
  std::vector<std::vector<Point>> arrows;  // as Lane::arrows: from the source's lower edge to the target's upper edge
};

struct PlacedPicture {
  double width = 0, height = 0;
  std::vector<PlacedLane> lanes;
};

// In pixels, of text in a font whose characters are all kCharWidth wide. Deterministic.
inline constexpr double kCharWidth = 6.65, kLineHeight = 14;
PlacedPicture LayOut(const Picture& picture);

}  // namespace replicator
