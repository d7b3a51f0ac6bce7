#include "replicate/picture_layout.h"

#include <algorithm>
#include <map>

#include "replicate/picture_rows.h"

namespace replicator {
namespace {

constexpr double kPadding = 8, kBoxGap = 18, kRowGap = 30, kLaneGap = 36, kDummyWidth = 6, kTitleHeight = 22;

// A place in a row: a box, or where a long arrow passes.
struct Item {
  int box = -1;  // -1: an arrow passes
  double width = kDummyWidth;
  double center = 0;
  std::vector<int> above, below;  // neighbours, in the rows before and after
};

struct Grid {
  std::vector<Item> items;
  std::vector<std::vector<int>> rows;   // items from left to right
  std::vector<std::vector<int>> paths;  // by arrow: the items it runs through, ends included
};

void Shift(PlacedLane& lane, double dx, double dy);
void Shift(PlacedBox& box, double dx, double dy) {
  box.corner = {box.corner.x + dx, box.corner.y + dy};
  for (PlacedLane& inside : box.insides) Shift(inside, dx, dy);
}
void Shift(PlacedLane& lane, double dx, double dy) {
  lane.corner = {lane.corner.x + dx, lane.corner.y + dy};
  for (PlacedBox& box : lane.boxes) Shift(box, dx, dy);
  for (auto& path : lane.arrows) {
    for (Point& point : path) point = {point.x + dx, point.y + dy};
  }
}

PlacedBox Measure(const Box& box) {
  PlacedBox placed;
  size_t longest = 0;
  for (const std::string& line : box.lines) longest = std::max(longest, line.size());
  placed.width = static_cast<double>(longest) * kCharWidth + 2 * kPadding;
  placed.height = static_cast<double>(box.lines.size()) * kLineHeight + kPadding;
  if (box.insides.empty()) return placed;
  const PlacedPicture inside = LayOut({.title = {}, .lanes = box.insides});
  placed.insides = inside.lanes;
  for (PlacedLane& lane : placed.insides) Shift(lane, kPadding, placed.height);
  placed.width = std::max(placed.width, inside.width + 2 * kPadding);
  placed.height += inside.height + kPadding;
  return placed;
}

Grid MakeGrid(const Lane& lane, const std::vector<int>& row_of, const std::vector<PlacedBox>& sizes, size_t num_rows) {
  Grid grid;
  grid.rows.resize(num_rows);
  const auto add = [&](int box, double width, int row) {
    grid.rows[static_cast<size_t>(row)].push_back(static_cast<int>(grid.items.size()));
    grid.items.push_back({.box = box, .width = width});
    return static_cast<int>(grid.items.size()) - 1;
  };
  for (size_t b = 0; b < lane.boxes.size(); ++b) add(static_cast<int>(b), sizes[b].width, row_of[b]);
  for (const Arrow& arrow : lane.arrows) {
    std::vector<int> path = {arrow.from};
    for (int row = row_of[static_cast<size_t>(arrow.from)] + 1; row < row_of[static_cast<size_t>(arrow.to)]; ++row) {
      path.push_back(add(-1, kDummyWidth, row));
    }
    path.push_back(arrow.to);
    for (size_t i = 0; i + 1 < path.size(); ++i) {
      grid.items[static_cast<size_t>(path[i])].below.push_back(path[i + 1]);
      grid.items[static_cast<size_t>(path[i + 1])].above.push_back(path[i]);
    }
    grid.paths.push_back(std::move(path));
  }
  return grid;
}

double MeanCenter(const Grid& grid, const std::vector<int>& items, double otherwise) {
  if (items.empty()) return otherwise;
  double sum = 0;
  for (int item : items) sum += grid.items[static_cast<size_t>(item)].center;
  return sum / static_cast<double>(items.size());
}

// Centers of a row's items, nearest to those wished for (least squares) at which they keep their order and distances:
// isotonic regression by pooling adjacent violators.
void PlaceRow(Grid& grid, const std::vector<int>& row, const std::vector<double>& wished) {
  struct Pool {
    double sum;
    size_t count;
    double mean() const { return sum / static_cast<double>(count); }
  };
  std::vector<Pool> pools;
  std::vector<double> offsets;
  double offset = 0;
  for (size_t i = 0; i < row.size(); ++i) {
    const Item& item = grid.items[static_cast<size_t>(row[i])];
    if (i > 0) offset += (grid.items[static_cast<size_t>(row[i - 1])].width + item.width) / 2 + kBoxGap;
    offsets.push_back(offset);
    pools.push_back({wished[i] - offset, 1});
    while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
      pools[pools.size() - 2].sum += pools.back().sum;
      pools[pools.size() - 2].count += pools.back().count;
      pools.pop_back();
    }
  }
  size_t i = 0;
  for (const Pool& pool : pools) {
    for (size_t n = 0; n < pool.count; ++n, ++i) {
      grid.items[static_cast<size_t>(row[i])].center = pool.mean() + offsets[i];
    }
  }
}

enum class Direction { kDown, kUp, kBoth };

void Sweep(Grid& grid, Direction direction, bool reorder) {
  for (size_t step = 0; step < grid.rows.size(); ++step) {
    std::vector<int>& row = grid.rows[direction == Direction::kUp ? grid.rows.size() - 1 - step : step];
    std::map<int, double> wish;
    for (int id : row) {
      const Item& item = grid.items[static_cast<size_t>(id)];
      std::vector<int> neighbours;
      if (direction != Direction::kUp) neighbours = item.above;
      if (direction != Direction::kDown) neighbours.insert(neighbours.end(), item.below.begin(), item.below.end());
      wish[id] = MeanCenter(grid, neighbours, item.center);
    }
    if (reorder) std::stable_sort(row.begin(), row.end(), [&](int a, int b) { return wish[a] < wish[b]; });
    std::vector<double> wished;
    for (int id : row) wished.push_back(wish[id]);
    PlaceRow(grid, row, wished);
  }
}

void PlaceColumns(Grid& grid) {
  for (const std::vector<int>& row : grid.rows) PlaceRow(grid, row, std::vector<double>(row.size(), 0.0));
  for (int i = 0; i < 6; ++i) Sweep(grid, i % 2 == 0 ? Direction::kDown : Direction::kUp, /*reorder=*/true);
  for (int i = 0; i < 8; ++i) Sweep(grid, i % 2 == 0 ? Direction::kUp : Direction::kDown, /*reorder=*/false);
  Sweep(grid, Direction::kBoth, /*reorder=*/false);
}

// `tops` and `heights` of the rows, which are common to all lanes.
PlacedLane Place(const Lane& lane, Grid grid, std::vector<PlacedBox> boxes, const std::vector<double>& tops,
                 const std::vector<double>& heights) {
  PlaceColumns(grid);
  double left = 1e9, right = -1e9;
  for (const Item& item : grid.items) {
    left = std::min(left, item.center - item.width / 2);
    right = std::max(right, item.center + item.width / 2);
  }
  PlacedLane placed;
  const double title = static_cast<double>(lane.title.size()) * kCharWidth;
  const double content = grid.items.empty() ? 0 : right - left;
  placed.width = std::max(content, title) + 2 * kPadding;
  placed.height = tops.back() + heights.back() + kPadding;
  const double shift = (placed.width - content) / 2 - left;
  std::vector<Point> tops_of(grid.items.size()), bottoms_of(grid.items.size());
  for (size_t r = 0; r < grid.rows.size(); ++r) {
    for (int id : grid.rows[r]) {
      const Item& item = grid.items[static_cast<size_t>(id)];
      const double center = item.center + shift;
      double top = tops[r], bottom = tops[r] + heights[r];
      if (item.box >= 0) {
        PlacedBox& box = boxes[static_cast<size_t>(item.box)];
        top += (heights[r] - box.height) / 2;
        bottom = top + box.height;
        Shift(box, center - box.width / 2, top);
      }
      tops_of[static_cast<size_t>(id)] = {center, top};
      bottoms_of[static_cast<size_t>(id)] = {center, bottom};
    }
  }
  for (const std::vector<int>& path : grid.paths) {
    std::vector<Point>& points = placed.arrows.emplace_back();
    for (size_t i = 0; i < path.size(); ++i) {
      if (i > 0) points.push_back(tops_of[static_cast<size_t>(path[i])]);
      if (i + 1 < path.size()) points.push_back(bottoms_of[static_cast<size_t>(path[i])]);
    }
  }
  placed.boxes = std::move(boxes);
  return placed;
}

}  // namespace

PlacedPicture LayOut(const Picture& picture) {
  const Rows rows = AssignRows(picture);
  std::vector<std::vector<PlacedBox>> sizes;
  std::vector<double> heights(static_cast<size_t>(std::max(rows.count, 1)), 0.0);
  for (size_t l = 0; l < picture.lanes.size(); ++l) {
    std::vector<PlacedBox>& boxes = sizes.emplace_back();
    for (size_t b = 0; b < picture.lanes[l].boxes.size(); ++b) {
      boxes.push_back(Measure(picture.lanes[l].boxes[b]));
      double& height = heights[static_cast<size_t>(rows.of[l][b])];
      height = std::max(height, boxes.back().height);
    }
  }
  std::vector<double> tops;
  double top = kTitleHeight + kPadding;
  for (double height : heights) {
    tops.push_back(top);
    top += height + kRowGap;
  }
  PlacedPicture placed;
  double left = 0;
  for (size_t l = 0; l < picture.lanes.size(); ++l) {
    Grid grid = MakeGrid(picture.lanes[l], rows.of[l], sizes[l], heights.size());
    PlacedLane lane = Place(picture.lanes[l], std::move(grid), std::move(sizes[l]), tops, heights);
    Shift(lane, left, 0);
    left += lane.width + kLaneGap;
    placed.height = std::max(placed.height, lane.height);
    placed.lanes.push_back(std::move(lane));
  }
  placed.width = std::max(0.0, left - kLaneGap);
  return placed;
}

}  // namespace replicator
