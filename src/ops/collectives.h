// What other rooms need of the collectives beyond their public wrappers.
#pragma once

#include "graph/op_def.h"
#include "replicator/ops/collectives.h"

namespace replicator {

// The sum over replicas that differentiation asks for: the transpose of a reduction, or the total of a gradient. Unlike
// AllSum it takes a replicated value too, since a gradient may happen to be equal everywhere: the result is then R
// times that value, and rewriting makes it a multiplication.
Tensor TransposedAllSum(const Tensor& x, SourceLocation where = SourceLocation::current());

// The replica's number, u32[].
extern const OpDef kReplicaId;
// Reductions over replicas: all_sum (attribute "transposed"), all_mean, all_min, all_max.
extern const OpDef kAllSum;
extern const OpDef kAllMean;
extern const OpDef kAllMin;
extern const OpDef kAllMax;
extern const OpDef kAllGather;
extern const OpDef kBroadcast;  // attribute "source"

}  // namespace replicator
