// Element types, and the C++ types that hold them on the host.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace replicator {

// The element types of StableHLO that the library supports.
enum class DType : uint8_t { kBool, kI8, kI16, kI32, kI64, kU8, kU16, kU32, kU64, kF16, kBF16, kF32, kF64 };

inline constexpr DType kAllDTypes[] = {DType::kBool, DType::kI8,  DType::kI16, DType::kI32, DType::kI64,
                                       DType::kU8,   DType::kU16, DType::kU32, DType::kU64, DType::kF16,
                                       DType::kBF16, DType::kF32, DType::kF64};

// "bool", "i32", "u8", "bf16", "f32", ...
std::string_view ToString(DType dtype);
// The inverse of ToString. Throws Error(kInvalidArgument) for an unknown name, listing the known ones.
DType DTypeFromString(std::string_view name);

// Bytes of one element on the host: 1 for bool.
size_t ByteSize(DType dtype);

constexpr bool IsFloating(DType dtype) { return dtype >= DType::kF16; }
constexpr bool IsUnsigned(DType dtype) { return dtype >= DType::kU8 && dtype <= DType::kU64; }
constexpr bool IsSigned(DType dtype) { return dtype >= DType::kI8 && dtype <= DType::kI64; }
constexpr bool IsInteger(DType dtype) { return IsSigned(dtype) || IsUnsigned(dtype); }

// IEEE binary16, as bits. Conversion from float rounds to nearest, ties to even; overflow gives infinity.
struct Half {
  uint16_t bits = 0;
  Half() = default;
  explicit Half(float value);
  explicit operator float() const;
  friend bool operator==(Half a, Half b) { return a.bits == b.bits; }
};

// bfloat16, as bits. Conversion from float rounds to nearest, ties to even.
struct BFloat16 {
  uint16_t bits = 0;
  BFloat16() = default;
  explicit BFloat16(float value);
  explicit operator float() const { return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16); }
  friend bool operator==(BFloat16 a, BFloat16 b) { return a.bits == b.bits; }
};

// The DType that holds C++ type T on the host; a compile error for any other type.
template <typename T>
constexpr DType DTypeOf() {
  if constexpr (std::is_same_v<T, bool>)
    return DType::kBool;
  else if constexpr (std::is_same_v<T, Half>)
    return DType::kF16;
  else if constexpr (std::is_same_v<T, BFloat16>)
    return DType::kBF16;
  else if constexpr (std::is_same_v<T, float>)
    return DType::kF32;
  else if constexpr (std::is_same_v<T, double>)
    return DType::kF64;
  else {
    static_assert(std::is_integral_v<T>, "no DType holds this C++ type");
    constexpr int log2_size = std::countr_zero(sizeof(T));
    return static_cast<DType>(static_cast<int>(std::is_signed_v<T> ? DType::kI8 : DType::kU8) + log2_size);
  }
}

// Calls `visitor.template operator()<T>()` with the host type of `dtype` and returns its result.
template <typename Visitor>
decltype(auto) VisitDType(DType dtype, Visitor&& visitor) {
  switch (dtype) {
    case DType::kBool:
      return visitor.template operator()<bool>();
    case DType::kI8:
      return visitor.template operator()<int8_t>();
    case DType::kI16:
      return visitor.template operator()<int16_t>();
    case DType::kI32:
      return visitor.template operator()<int32_t>();
    case DType::kI64:
      return visitor.template operator()<int64_t>();
    case DType::kU8:
      return visitor.template operator()<uint8_t>();
    case DType::kU16:
      return visitor.template operator()<uint16_t>();
    case DType::kU32:
      return visitor.template operator()<uint32_t>();
    case DType::kU64:
      return visitor.template operator()<uint64_t>();
    case DType::kF16:
      return visitor.template operator()<Half>();
    case DType::kBF16:
      return visitor.template operator()<BFloat16>();
    case DType::kF32:
      return visitor.template operator()<float>();
    case DType::kF64:
      break;
  }
  return visitor.template operator()<double>();
}

// Converts between any two host element types; floating to integer truncates, anything to bool is `!= 0`.
template <typename To, typename From>
To ConvertElement(From value) {
  constexpr bool from_narrow = std::is_same_v<From, Half> || std::is_same_v<From, BFloat16>;
  constexpr bool to_narrow = std::is_same_v<To, Half> || std::is_same_v<To, BFloat16>;
  if constexpr (std::is_same_v<To, From>)
    return value;
  else if constexpr (from_narrow)
    return ConvertElement<To>(static_cast<float>(value));
  else if constexpr (std::is_same_v<To, bool>)
    return value != From(0);
  else if constexpr (to_narrow)
    return To(static_cast<float>(value));
  else
    return static_cast<To>(value);
}

}  // namespace replicator
