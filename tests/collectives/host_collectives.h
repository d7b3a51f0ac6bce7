// The collectives once more, on the host: slow, and plainly right.
#pragma once

#include <functional>
#include <random>
#include <vector>

#include "ops/collectives.h"
#include "replicator/base/literal.h"

namespace replicator::testing {

using ByReplica = std::vector<Literal>;

// Reductions element by element: integers wrap around, floating types are summed in double precision and rounded once;
// NaN wins in extrema.
Literal HostReduce(const ByReplica& x, ReduceOp op);
// Element i of the result on replica r is element `from(r, i).second` of what replica `from(r, i).first` has, and zero
// for a replica -1.
using Origin = std::function<std::pair<int, int64_t>(int replica, int64_t element)>;
ByReplica HostMove(const ByReplica& x, const Dims& result, const Origin& from);

// Small integers, whose sum over 8 replicas is exact in every type.
Literal SmallIntegers(const Shape& shape, std::mt19937_64& random);
// Any bits (true and false for bool): NaN with payloads, infinities, denormals, the extremes of integers.
Literal AnyBits(const Shape& shape, std::mt19937_64& random);

}  // namespace replicator::testing
