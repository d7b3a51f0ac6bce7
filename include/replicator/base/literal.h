// A value on the host.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "replicator/base/shape.h"

namespace replicator {

// A dense, row-major array on the host, in memory aligned to kAlignment bytes (so that a device may read it in place).
// Copies share the memory; `mutable_data` first makes it this literal's own. Distinct literals may be used from
// different threads; one literal is as thread-safe as an int.
class Literal {
 public:
  static constexpr size_t kAlignment = 64;

  // A float32 scalar 0.
  Literal();
  // All zero. Throws Error(kInvalidArgument) for a negative extent.
  explicit Literal(Shape shape);
  // For one who writes every element at once: the contents are indeterminate. Throws as above.
  static Literal Uninitialized(Shape shape);
  // Uses `bytes` (row-major, shape.byte_size() of them) in place; they must not change while any copy lives.
  Literal(Shape shape, std::shared_ptr<const std::byte> bytes);

  template <typename T>
  static Literal Scalar(T value) {
    Literal literal{Shape{DTypeOf<T>(), {}}};
    literal.mutable_data<T>()[0] = value;
    return literal;
  }
  // Throws Error(kInvalidArgument) unless values.size() is the product of `dims`.
  template <typename T>
  static Literal FromValues(Dims dims, const std::vector<T>& values) {
    Literal literal{Shape{DTypeOf<T>(), std::move(dims)}};
    literal.CheckCount(values.size());
    T* out = literal.mutable_data<T>().data();
    for (size_t i = 0; i < values.size(); ++i) out[i] = values[i];
    return literal;
  }

  const Shape& shape() const { return shape_; }
  DType dtype() const { return shape_.dtype; }
  const Dims& dims() const { return shape_.dims; }
  int64_t num_elements() const { return shape_.num_elements(); }
  size_t byte_size() const { return shape_.byte_size(); }

  const std::byte* bytes() const { return bytes_.get(); }
  std::byte* mutable_bytes();
  // The owner of the bytes, for one who must keep them alive (a transfer that reads them in place).
  const std::shared_ptr<const std::byte>& owner() const { return bytes_; }

  // The elements. Throws Error(kInvalidArgument) unless T is the host type of dtype().
  template <typename T>
  std::span<const T> data() const {
    CheckType(DTypeOf<T>());
    return {reinterpret_cast<const T*>(bytes()), static_cast<size_t>(num_elements())};
  }
  template <typename T>
  std::span<T> mutable_data() {
    CheckType(DTypeOf<T>());
    return {reinterpret_cast<T*>(mutable_bytes()), static_cast<size_t>(num_elements())};
  }

  // The only element, converted to T. Throws Error(kInvalidArgument) unless there is exactly one.
  template <typename T>
  T Item() const {
    CheckCount(1);
    return VisitDType(dtype(), [&]<typename From>() { return ConvertElement<T>(data<From>()[0]); });
  }
  // All elements as doubles (64-bit integers beyond 2^53 are rounded).
  std::vector<double> ToDoubles() const;
  // The same elements in another type, converted as ConvertElement does.
  Literal ConvertTo(DType dtype) const;
  // The same elements with other extents. Throws Error(kInvalidArgument) when the counts differ.
  Literal Reshape(Dims dims) const;

  // Equal shape and equal bytes (so NaN equals itself, and 0 differs from -0).
  friend bool operator==(const Literal& a, const Literal& b);

 private:
  void CheckType(DType requested) const;
  void CheckCount(size_t count) const;

  Shape shape_;
  std::shared_ptr<const std::byte> bytes_;  // never null, also for zero elements
  bool writable_ = true;                    // false when the bytes came from outside
};

// "f32[3] {1, 2, 3}"; long ones are abbreviated.
std::string ToString(const Literal& literal);

}  // namespace replicator
