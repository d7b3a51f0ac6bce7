// The definitions behind replicator/ops/reduce.h. Attribute of all but arg_max: axes, increasing.
#pragma once

#include "graph/op_def.h"

namespace replicator {

extern const OpDef kReduceSum;
extern const OpDef kReduceMax;
extern const OpDef kReduceMin;
extern const OpDef kReduceAnd;
extern const OpDef kReduceOr;
extern const OpDef kArgMax;  // axis

// Emits the sum of `x` over `axes`, which are dropped, in the form that is fast on the target. f16 and bf16 accumulate
// in f32.
SsaValue EmitSum(const SsaValue& x, const Dims& axes, Emitter& emitter);

}  // namespace replicator
