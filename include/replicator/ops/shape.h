// Making tensors, and changing their extents. Axes are C++ ints; negative ones count from the end. All throw
// GraphError.
#pragma once

#include <vector>

#include "replicator/base/literal.h"
#include "replicator/graph/tensor.h"

namespace replicator {

// A value known now. Replicated, as long as all replicas pass the same.
Tensor Constant(const Literal& value, SourceLocation where = SourceLocation::current());
// A scalar. Throws GraphError if `value` cannot be represented in `dtype` (0.5 in an integer, -1 in an unsigned).
Tensor Constant(double value, DType dtype = DType::kF32, SourceLocation where = SourceLocation::current());
// All elements equal to `value`.
Tensor Full(const Shape& shape, double value, SourceLocation where = SourceLocation::current());
Tensor Zeros(const Shape& shape, SourceLocation where = SourceLocation::current());
Tensor Ones(const Shape& shape, SourceLocation where = SourceLocation::current());
Tensor ZerosLike(const Operand& x);
Tensor OnesLike(const Operand& x);
// The index along `axis`: element [i0, i1, ...] is i_axis.
Tensor Iota(const Shape& shape, int axis = 0, SourceLocation where = SourceLocation::current());

// NumPy broadcasting to `dims`.
Tensor BroadcastTo(const Operand& x, const Dims& dims);
// One extent may be -1: it is inferred.
Tensor Reshape(const Operand& x, const Dims& dims);
// Result axis i is x's axis permutation[i].
Tensor Transpose(const Operand& x, const std::vector<int>& permutation);
Tensor ExpandDims(const Operand& x, int axis);
// [d0, d1 * d2 * ...]: keeps the first axis, joins the others.
Tensor Flatten(const Operand& x);
// Equal in all extents but `axis`. At least one tensor.
Tensor Concatenate(const std::vector<Tensor>& tensors, int axis, SourceLocation where = SourceLocation::current());
// Elements start, start + stride, ... < limit along every axis. Empty `strides` are all 1.
Tensor Slice(const Operand& x, const Dims& start, const Dims& limit, const Dims& strides = {});
// `size` elements from `start` along every axis; `start` is one integer scalar tensor per axis, clamped so that the
// slice fits (StableHLO's rule).
Tensor DynamicSlice(const Operand& x, const std::vector<Tensor>& start, const Dims& size,
                    SourceLocation where = SourceLocation::current());
// `update` written into x at `start`, clamped likewise.
Tensor DynamicUpdateSlice(const Operand& x, const Operand& update, const std::vector<Tensor>& start,
                          SourceLocation where = SourceLocation::current());
// `low`, `high`: elements of `value` added at each end of every axis; negative ones cut. `interior`: between elements.
Tensor Pad(const Operand& x, const Dims& low, const Dims& high, const Dims& interior = {}, double value = 0);
Tensor Reverse(const Operand& x, const std::vector<int>& axes);
// depth classes on a new last axis: 1 where it equals x (integers), elsewhere 0; all 0 for x outside [0, depth).
Tensor OneHot(const Operand& x, int64_t depth, DType dtype = DType::kF32);

}  // namespace replicator
