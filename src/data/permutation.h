// Pseudo-random permutations that are evaluated point by point.
#pragma once

#include <cstdint>

namespace replicator::data::internal {

// A well-mixed 64-bit hash of its argument (the finaliser of SplitMix64: Steele, Lea and Flood, 2014), a bijection.
uint64_t Mix(uint64_t value);
// The key of epoch `epoch` under `seed`.
uint64_t EpochKey(uint64_t seed, uint64_t epoch);

// Permutations of [0, size), one for each key, in no memory: a Feistel network on the residues modulo a and modulo b
// (each round adds a keyed hash of one to the other), on a domain a * b < size + 2 sqrt(size) + 1; results beyond
// `size` are fed in again until one lies within (Black and Rogaway, "Ciphers with arbitrary finite domains", 2002).
class Permutation {
 public:
  // 0 <= size < 2^62.
  explicit Permutation(int64_t size);

  // 0 <= index < size.
  int64_t At(uint64_t key, int64_t index) const;

 private:
  uint64_t size_;
  uint64_t a_;  // both below 2^32
  uint64_t b_;
};

}  // namespace replicator::data::internal
