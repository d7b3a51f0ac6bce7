// The border between what asynchronous groups of replicas compute and what the shared store computes from it
// (replicate/split.h). In a step that is not asynchronous nothing is inserted.
#pragma once

#include "graph/op_def.h"
#include "replicator/graph/reduce_op.h"
#include "replicator/graph/tensor.h"

namespace replicator {

// The value itself. In an asynchronous step, what is computed from it and assigned to variables is computed by the
// store, from its own present values of the variables; `x` is what the group sends there. `over_groups` (kMean or kSum)
// makes one of several groups' values where they are aggregated into one update.
Tensor Push(const Tensor& x, ReduceOp over_groups, SourceLocation where = SourceLocation::current());

// What the learning rate of this update is to be multiplied by, a scalar: the store says it when the update is applied.
// An undefined Tensor in a step that is not asynchronous.
Tensor UpdateScale(DType dtype, SourceLocation where = SourceLocation::current());

// "push": attribute "over_groups", "mean" or "sum". "update_scale": f32.
extern const OpDef kPush;
extern const OpDef kUpdateScale;

}  // namespace replicator
