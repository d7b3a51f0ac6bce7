#include "replicator/base/dtype.h"

#include <array>
#include <cmath>
#include <string>

#include "replicator/base/error.h"

namespace replicator {
namespace {

struct Entry {
  std::string_view name;
  size_t bytes;
};
constexpr std::array<Entry, 13> kTable = {{{"bool", 1},
                                           {"i8", 1},
                                           {"i16", 2},
                                           {"i32", 4},
                                           {"i64", 8},
                                           {"u8", 1},
                                           {"u16", 2},
                                           {"u32", 4},
                                           {"u64", 8},
                                           {"f16", 2},
                                           {"bf16", 2},
                                           {"f32", 4},
                                           {"f64", 8}}};

}  // namespace

std::string_view ToString(DType dtype) { return kTable[static_cast<size_t>(dtype)].name; }
size_t ByteSize(DType dtype) { return kTable[static_cast<size_t>(dtype)].bytes; }

DType DTypeFromString(std::string_view name) {
  std::string known;
  for (DType dtype : kAllDTypes) {
    if (ToString(dtype) == name) return dtype;
    known += (known.empty() ? "" : ", ") + std::string(ToString(dtype));
  }
  throw Error(ErrorCode::kInvalidArgument, "unknown dtype '" + std::string(name) + "'; known are " + known);
}

Half::Half(float value) {
  const auto word = std::bit_cast<uint32_t>(value);
  const auto sign = static_cast<uint16_t>((word >> 16) & 0x8000u);
  const uint32_t magnitude = word & 0x7fffffffu;
  if (magnitude >= 0x7f800000u) {  // infinity or NaN; a NaN stays quiet
    bits = static_cast<uint16_t>(sign | 0x7c00u | (magnitude > 0x7f800000u ? 0x0200u : 0u));
  } else if (magnitude < 0x38800000u) {  // subnormal or zero: units of 2^-24, rounded by the FPU to nearest even
    const float scaled = std::bit_cast<float>(magnitude) * 16777216.0f;
    bits = static_cast<uint16_t>(sign | static_cast<uint16_t>(std::nearbyint(scaled)));
  } else {
    const uint32_t rounded = magnitude + 0x0fffu + ((magnitude >> 13) & 1u);
    const uint32_t half = (rounded - 0x38000000u) >> 13;
    bits = static_cast<uint16_t>(sign | (half > 0x7c00u ? 0x7c00u : half));
  }
}

Half::operator float() const {
  const uint32_t sign = static_cast<uint32_t>(bits & 0x8000u) << 16;
  const uint32_t exponent = (bits >> 10) & 0x1fu;
  const uint32_t mantissa = bits & 0x3ffu;
  if (exponent == 0) {
    const float value = static_cast<float>(mantissa) / 16777216.0f;
    return sign != 0 ? -value : value;
  }
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | (mantissa << 13));
  return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
}

BFloat16::BFloat16(float value) {
  const auto word = std::bit_cast<uint32_t>(value);
  if ((word & 0x7fffffffu) > 0x7f800000u) {
    bits = static_cast<uint16_t>((word >> 16) | 0x0040u);  // rounding could turn a NaN into infinity
  } else {
    bits = static_cast<uint16_t>((word + 0x7fffu + ((word >> 16) & 1u)) >> 16);
  }
}

}  // namespace replicator
