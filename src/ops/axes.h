// Axes as users write them, and what the shape rules say about them.
#pragma once

#include <vector>

#include "replicator/base/shape.h"

namespace replicator {

// `axis` counted from the front. One that is out of range stays as it is, so that the shape rule refuses what was
// written.
int64_t FromFront(int axis, int rank);
Dims FromFront(const std::vector<int>& axes, int rank);

// Throws RuleViolation unless every axis is in [0, rank) and none is named twice. `what` names them: "axis".
void RequireAxes(const Dims& axes, int rank, const char* what = "axis");
// Throws RuleViolation unless `values` has one entry per axis of `shape`.
void RequirePerAxis(const Dims& values, const Shape& shape, const char* what);
// Throws RuleViolation unless every extent is >= 0.
void RequireExtents(const Dims& dims);

bool Contains(const Dims& axes, int64_t axis);
// dims[axes[0]], dims[axes[1]], ...
Dims Pick(const Dims& dims, const Dims& axes);
// The axes in [0, rank) that are not in `axes`, in order.
Dims Others(const Dims& axes, int rank);

}  // namespace replicator
