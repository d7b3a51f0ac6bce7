#include "host_collectives.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace replicator::testing {
namespace {

// The two combined; the mean is a sum until it is divided.
template <typename T>
T Combine(T a, T b, ReduceOp op) {
  if (op == ReduceOp::kMin || op == ReduceOp::kMax) {
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<T>::quiet_NaN();
    }
    return op == ReduceOp::kMin ? std::min(a, b) : std::max(a, b);
  }
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  } else {
    return static_cast<T>(a + b);
  }
}

}  // namespace

Literal HostReduce(const ByReplica& x, ReduceOp op) {
  Literal result{x[0].shape()};
  VisitDType(result.dtype(), [&]<typename T>() {
    using Wide = std::conditional_t<std::is_integral_v<T>, T, double>;
    const auto out = result.mutable_data<T>();
    for (size_t i = 0; i < out.size(); ++i) {
      Wide value = ConvertElement<Wide>(x[0].data<T>()[i]);
      for (size_t r = 1; r < x.size(); ++r) value = Combine(value, ConvertElement<Wide>(x[r].data<T>()[i]), op);
      if constexpr (!std::is_integral_v<T>) {
        if (op == ReduceOp::kMean) value /= static_cast<double>(x.size());
      }
      out[i] = ConvertElement<T>(value);
    }
  });
  return result;
}

ByReplica HostMove(const ByReplica& x, const Dims& result, const Origin& from) {
  ByReplica moved;
  const size_t width = ByteSize(x[0].dtype());
  for (int r = 0; r < static_cast<int>(x.size()); ++r) {
    Literal& literal = moved.emplace_back(Shape{x[0].dtype(), result});
    std::byte* const out = literal.mutable_bytes();
    for (int64_t i = 0; i < literal.num_elements(); ++i) {
      const auto [source, element] = from(r, i);
      if (source < 0) continue;
      std::memcpy(out + static_cast<size_t>(i) * width,
                  x[static_cast<size_t>(source)].bytes() + static_cast<size_t>(element) * width, width);
    }
  }
  return moved;
}

Literal SmallIntegers(const Shape& shape, std::mt19937_64& random) {
  Literal literal{shape};
  VisitDType(shape.dtype, [&]<typename T>() {
    for (T& element : literal.mutable_data<T>()) {
      const int lowest = IsUnsigned(shape.dtype) ? 0 : -15;
      element = ConvertElement<T>(static_cast<float>(lowest + static_cast<int>(random() % 16)));
    }
  });
  return literal;
}

Literal AnyBits(const Shape& shape, std::mt19937_64& random) {
  Literal literal{shape};
  std::byte* const bytes = literal.mutable_bytes();
  for (size_t i = 0; i < literal.byte_size(); ++i) {
    const auto bits = static_cast<unsigned char>(random() >> 8);
    bytes[i] = static_cast<std::byte>(shape.dtype == DType::kBool ? bits & 1U : bits);
  }
  return literal;
}

}  // namespace replicator::testing
