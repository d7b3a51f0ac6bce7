// Reductions over the values of the replicas, on the host.
#pragma once

#include <span>

#include "replicator/base/literal.h"
#include "replicator/graph/variable.h"
#include "replicator/runtime/fetch.h"

namespace replicator {

// Element by element over at least one value, all of one shape, which is the result's. Floating types are accumulated
// in double precision and rounded once; integers are exact, sums modulo their width, means rounded to nearest. NaN wins
// in minimum and maximum. bool: kSum and kMax are "any", kMin is "all"; kMean is not for it.
Literal ReduceOverReplicas(std::span<const Literal> values, ReduceOp op);

// How a variable's values on the replicas become one. Mirrored ones are equal, so that the first will do.
ReduceOp AggregateOp(Aggregation aggregation);

// The sum of all elements of all values as a scalar: of the same type for floating ones (accumulated in double
// precision), i64 for bool and signed, u64 for unsigned ones.
Literal SumOverEverything(std::span<const Literal> values);
// The mean of all elements of all values as a scalar: of the same type for floating ones, f64 for others. NaN where
// there are none.
Literal MeanOverEverything(std::span<const Literal> values);

}  // namespace replicator
