#include "data/permutation.h"

#include <algorithm>
#include <cmath>

namespace replicator::data::internal {
namespace {

constexpr int kRoundPairs = 4;
constexpr uint64_t kIncrement = 0x9e3779b97f4a7c15;  // 2^64 / golden ratio: SplitMix64's

// A hash of (key, round, half) below `bound`, which is below 2^32.
uint64_t Round(uint64_t key, uint64_t round, uint64_t half, uint64_t bound) {
  constexpr uint64_t kHalf = 0xd1342543de82ef95;  // odd, and unrelated to kIncrement
  return ((Mix(key + round * kIncrement + half * kHalf) >> 32) * bound) >> 32;
}

uint64_t AddModulo(uint64_t x, uint64_t y, uint64_t modulus) {
  const uint64_t sum = x + y;
  return sum >= modulus ? sum - modulus : sum;
}

}  // namespace

uint64_t Mix(uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

uint64_t EpochKey(uint64_t seed, uint64_t epoch) { return Mix(Mix(seed + kIncrement) + epoch * kIncrement); }

Permutation::Permutation(int64_t size) : size_(static_cast<uint64_t>(std::max(size, int64_t{1}))) {
  a_ = std::max(static_cast<uint64_t>(std::sqrt(static_cast<double>(size_))), uint64_t{1});
  b_ = (size_ + a_ - 1) / a_;
}

int64_t Permutation::At(uint64_t key, int64_t index) const {
  auto value = static_cast<uint64_t>(index);
  do {
    uint64_t high = value / b_;
    uint64_t low = value % b_;
    for (uint64_t round = 0; round < 2 * kRoundPairs; round += 2) {
      high = AddModulo(high, Round(key, round, low, a_), a_);
      low = AddModulo(low, Round(key, round + 1, high, b_), b_);
    }
    value = high * b_ + low;
  } while (value >= size_);
  return static_cast<int64_t>(value);
}

}  // namespace replicator::data::internal
