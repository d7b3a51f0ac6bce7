#include "io/chart_points.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace replicator::io {
namespace {

constexpr double kLargest = 1e300;

// First, lowest, highest and last of each run of points in one column of pixels, in their order.
std::vector<Place> Thinned(const std::vector<Place>& points) {
  std::vector<Place> kept;
  for (size_t begin = 0, end = 0; begin < points.size(); begin = end) {
    const double column = std::floor(points[begin].x);
    size_t low = begin, high = begin;
    for (end = begin; end < points.size() && std::floor(points[end].x) == column; ++end) {
      if (points[end].y < points[low].y) low = end;
      if (points[end].y > points[high].y) high = end;
    }
    std::array<size_t, 4> chosen = {begin, low, high, end - 1};
    std::sort(chosen.begin(), chosen.end());
    const auto chosen_end = std::unique(chosen.begin(), chosen.end());
    for (auto it = chosen.begin(); it != chosen_end; ++it) kept.push_back(points[*it]);
  }
  return kept;
}

}  // namespace

bool IsDrawn(double x, double y) { return std::abs(x) <= kLargest && std::abs(y) <= kLargest; }

std::vector<std::vector<Place>> LinePieces(const Series& series, const PlotArea& area) {
  std::vector<std::vector<Place>> pieces;
  bool broken = true;
  for (size_t i = 0; i < series.x.size(); ++i) {
    const bool drawn = IsDrawn(series.x[i], series.y[i]);
    if (drawn && broken) pieces.emplace_back();
    if (drawn) pieces.back().push_back({area.X(series.x[i]), area.Y(series.y[i])});
    broken = !drawn;
  }
  const double few = 2 * (area.right - area.left);
  if (static_cast<double>(series.x.size()) > few) {
    for (std::vector<Place>& piece : pieces) piece = Thinned(piece);
  }
  return pieces;
}

}  // namespace replicator::io
