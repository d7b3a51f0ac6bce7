// Short forms of the StableHLO operations that lowerings are made of. Axes count from the front.
#pragma once

#include <string>
#include <vector>

#include "graph/emitter.h"

namespace replicator {

SsaValue EmitReshape(Emitter& emitter, const SsaValue& x, Dims dims);
SsaValue EmitTranspose(Emitter& emitter, const SsaValue& x, const Dims& permutation);
SsaValue EmitReverse(Emitter& emitter, const SsaValue& x, const Dims& axes);
SsaValue EmitSlice(Emitter& emitter, const SsaValue& x, const Dims& start, const Dims& limit, const Dims& strides);
// Pads with `value`; negative edges cut.
SsaValue EmitPad(Emitter& emitter, const SsaValue& x, double value, const Dims& low, const Dims& high,
                 const Dims& interior);
// x's axis i becomes axis axes[i] of the result.
SsaValue EmitBroadcast(Emitter& emitter, const SsaValue& x, const Dims& dims, const Dims& axes);
SsaValue EmitConcatenate(Emitter& emitter, const std::vector<SsaValue>& parts, int64_t axis);
SsaValue EmitConvert(Emitter& emitter, const SsaValue& x, DType dtype);
// Sums over one axis of each of two matrices.
SsaValue EmitDot(Emitter& emitter, const SsaValue& a, int64_t a_axis, const SsaValue& b, int64_t b_axis);
SsaValue EmitBinary(Emitter& emitter, std::string_view op, const SsaValue& a, const SsaValue& b);
SsaValue EmitCompare(Emitter& emitter, const SsaValue& a, const SsaValue& b, std::string_view direction);
SsaValue EmitSelect(Emitter& emitter, const SsaValue& condition, const SsaValue& a, const SsaValue& b);
// The sum, in order. At least one term.
SsaValue EmitSum(Emitter& emitter, const std::vector<SsaValue>& terms);

// "dense<[[1, 2], [0, 0]]> : tensor<2x2xi64>" of {low, high} pairs.
std::string MlirPairs(const std::vector<std::pair<int64_t, int64_t>>& pairs);

}  // namespace replicator
