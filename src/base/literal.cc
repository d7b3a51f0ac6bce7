#include "replicator/base/literal.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <sstream>

#include "replicator/base/error.h"

namespace replicator {
namespace {

// Uninitialised: allocating a large batch must not also touch it.
std::shared_ptr<std::byte> Allocate(size_t size) {
  const size_t padded =
      std::max(Literal::kAlignment, (size + Literal::kAlignment - 1) / Literal::kAlignment * Literal::kAlignment);
  auto* memory = static_cast<std::byte*>(::operator new(padded, std::align_val_t{Literal::kAlignment}));
  return {memory, [](std::byte* p) { ::operator delete(p, std::align_val_t{Literal::kAlignment}); }};
}

}  // namespace

Literal::Literal() : Literal(Shape{}) {}

Literal::Literal(Shape shape) : Literal(Uninitialized(std::move(shape))) {
  std::memset(const_cast<std::byte*>(bytes_.get()), 0, byte_size());
}

Literal Literal::Uninitialized(Shape shape) {
  for (int64_t extent : shape.dims) {
    if (extent < 0) {
      throw Error(ErrorCode::kInvalidArgument,
                  "a literal's extents must be at least 0, but the shape is " + ToString(shape));
    }
  }
  auto memory = Allocate(shape.byte_size());
  Literal literal(std::move(shape), std::move(memory));
  literal.writable_ = true;
  return literal;
}

Literal::Literal(Shape shape, std::shared_ptr<const std::byte> bytes)
    : shape_(std::move(shape)), bytes_(std::move(bytes)), writable_(false) {}

std::byte* Literal::mutable_bytes() {
  if (!writable_ || bytes_.use_count() != 1) {
    auto own = Allocate(byte_size());
    std::memcpy(own.get(), bytes_.get(), byte_size());
    bytes_ = std::move(own);
    writable_ = true;
  }
  return const_cast<std::byte*>(bytes_.get());
}

std::vector<double> Literal::ToDoubles() const {
  return VisitDType(dtype(), [&]<typename T>() {
    std::vector<double> values;
    values.reserve(static_cast<size_t>(num_elements()));
    for (T value : data<T>()) values.push_back(ConvertElement<double>(value));
    return values;
  });
}

Literal Literal::ConvertTo(DType dtype) const {
  if (dtype == shape_.dtype) return *this;
  Literal result{Shape{dtype, shape_.dims}};
  VisitDType(shape_.dtype, [&]<typename From>() {
    VisitDType(dtype, [&]<typename To>() {
      const auto in = data<From>();
      const auto out = result.mutable_data<To>();
      for (size_t i = 0; i < in.size(); ++i) out[i] = ConvertElement<To>(in[i]);
    });
  });
  return result;
}

Literal Literal::Reshape(Dims dims) const {
  Literal result = *this;
  result.shape_.dims = std::move(dims);
  if (result.num_elements() != num_elements()) {
    throw Error(ErrorCode::kInvalidArgument, "cannot reshape " + ToString(shape_) + " to " +
                                                 ToString(result.shape_.dims) + ": the number of elements differs");
  }
  return result;
}

bool operator==(const Literal& a, const Literal& b) {
  return a.shape_ == b.shape_ && std::memcmp(a.bytes(), b.bytes(), a.byte_size()) == 0;
}

void Literal::CheckType(DType requested) const {
  if (requested == dtype()) return;
  throw Error(ErrorCode::kInvalidArgument, "the literal " + ToString(shape_) + " was read as " +
                                               std::string(ToString(requested)) + "; read it as " +
                                               std::string(ToString(dtype())) + " or convert it first");
}

void Literal::CheckCount(size_t count) const {
  if (count == static_cast<size_t>(num_elements())) return;
  throw Error(ErrorCode::kInvalidArgument, "the literal " + ToString(shape_) + " has " +
                                               std::to_string(num_elements()) + " elements, but " +
                                               std::to_string(count) + " were expected");
}

std::string ToString(const Literal& literal) {
  constexpr size_t kShown = 8;
  const std::vector<double> values = literal.ToDoubles();
  std::ostringstream text;
  text << ToString(literal.shape()) << " {";
  for (size_t i = 0; i < std::min(values.size(), kShown); ++i) text << (i == 0 ? "" : ", ") << values[i];
  if (values.size() > kShown) text << ", ...";
  text << "}";
  return text.str();
}

}  // namespace replicator
