// How values of the replicas become one.
#pragma once

#include <cstdint>

namespace replicator {

enum class ReduceOp : uint8_t { kSum, kMean, kMin, kMax, kOnlyFirstReplica };

}  // namespace replicator
