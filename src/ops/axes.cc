#include "ops/axes.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/op_def.h"

namespace replicator {

int64_t FromFront(int axis, int rank) { return axis < 0 && axis >= -rank ? axis + rank : axis; }

Dims FromFront(const std::vector<int>& axes, int rank) {
  Dims resolved;
  resolved.reserve(axes.size());
  for (int axis : axes) resolved.push_back(FromFront(axis, rank));
  return resolved;
}

void RequireAxes(const Dims& axes, int rank, const char* what) {
  for (size_t i = 0; i < axes.size(); ++i) {
    Require(axes[i] >= 0 && axes[i] < rank, [&] {
      return rank == 0 ? fmt::format("{} {} is out of range: a scalar has no axes", what, axes[i])
                       : fmt::format("{} {} is out of range: with {} axes it must be in [{}, {}]", what, axes[i], rank,
                                     -rank, rank - 1);
    });
    Require(std::count(axes.begin(), axes.end(), axes[i]) == 1,
            [&] { return fmt::format("{} {} is named twice", what, axes[i]); });
  }
}

void RequirePerAxis(const Dims& values, const Shape& shape, const char* what) {
  Require(static_cast<int>(values.size()) == shape.rank(), [&] {
    return fmt::format("{} {} has {} entries; {} needs one per axis, {}", what, ToString(values), values.size(),
                       ToString(shape), shape.rank());
  });
}

void RequireExtents(const Dims& dims) {
  Require(std::all_of(dims.begin(), dims.end(), [](int64_t extent) { return extent >= 0; }),
          [&] { return fmt::format("{} has a negative extent", ToString(dims)); });
}

bool Contains(const Dims& axes, int64_t axis) { return std::find(axes.begin(), axes.end(), axis) != axes.end(); }

Dims Pick(const Dims& dims, const Dims& axes) {
  Dims picked;
  picked.reserve(axes.size());
  for (int64_t axis : axes) picked.push_back(dims[static_cast<size_t>(axis)]);
  return picked;
}

Dims Others(const Dims& axes, int rank) {
  Dims others;
  for (int axis = 0; axis < rank; ++axis) {
    if (!Contains(axes, axis)) others.push_back(axis);
  }
  return others;
}

}  // namespace replicator
