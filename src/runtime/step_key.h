// The keys from which executions draw their random numbers.
#pragma once

#include <array>
#include <cstdint>

#include "base/hash.h"

namespace replicator {

// Two words of random key.
using StepKey = std::array<uint32_t, 2>;

inline StepKey ToStepKey(uint64_t hash) { return {static_cast<uint32_t>(hash), static_cast<uint32_t>(hash >> 32)}; }

// Distinct for each (seed, step, execution) and, where groups count for themselves, each group; and stable: a resumed
// run draws the same numbers. Group 0 draws what a synchronous job does.
inline StepKey KeyOf(uint64_t seed, int step, int64_t execution, int sync_group = 0) {
  uint64_t hash = HashCombine(HashCombine(HashString("step"), seed), static_cast<uint64_t>(step));
  if (sync_group > 0) hash = HashCombine(hash, static_cast<uint64_t>(sync_group) << 32);
  return ToStepKey(HashCombine(hash, static_cast<uint64_t>(execution)));
}

}  // namespace replicator
