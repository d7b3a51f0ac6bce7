// Hashes that are the same in every process, on every machine and in every version: they enter cache keys, fingerprints
// and random keys. Never for untrusted input.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace replicator {

// A strong 64-bit finaliser (the constants of SplitMix64).
constexpr uint64_t Mix64(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// Folds `value` into `seed`; the order of calls matters.
constexpr uint64_t HashCombine(uint64_t seed, uint64_t value) {
  return Mix64(seed * 0x9e3779b97f4a7c15u + Mix64(value + 0x9e3779b97f4a7c15u));
}

inline uint64_t HashBytes(const void* data, size_t size, uint64_t seed = 0) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  uint64_t hash = HashCombine(seed, size);
  for (; size >= 8; bytes += 8, size -= 8) {
    uint64_t word;
    std::memcpy(&word, bytes, 8);
    hash = HashCombine(hash, word);
  }
  if (size > 0) {
    uint64_t word = 0;
    std::memcpy(&word, bytes, size);
    hash = HashCombine(hash, word);
  }
  return hash;
}

inline uint64_t HashString(std::string_view text, uint64_t seed = 0) {
  return HashBytes(text.data(), text.size(), seed);
}

}  // namespace replicator
