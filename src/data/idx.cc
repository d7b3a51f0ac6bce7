#include "replicator/data/idx.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "base/file_system.h"
#include "data/byte_source.h"
#include "replicator/base/error.h"

namespace replicator::data {
namespace {

std::optional<DType> TypeOf(std::byte code) {
  switch (std::to_integer<int>(code)) {
    case 0x08:
      return DType::kU8;
    case 0x09:
      return DType::kI8;
    case 0x0b:
      return DType::kI16;
    case 0x0c:
      return DType::kI32;
    case 0x0d:
      return DType::kF32;
    case 0x0e:
      return DType::kF64;
    default:
      return std::nullopt;
  }
}

std::string Hex(std::span<const std::byte> bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (std::byte byte : bytes) {
    if (!text.empty()) text += ' ';
    text += kDigits[std::to_integer<size_t>(byte >> 4)];
    text += kDigits[std::to_integer<size_t>(byte & std::byte{15})];
  }
  return text;
}

Shape ReadHeader(internal::ByteSource& source, const std::string& name) {
  std::array<std::byte, 4> magic;
  source.Read(magic);
  const std::optional<DType> dtype = TypeOf(magic[2]);
  if (magic[0] != std::byte{0} || magic[1] != std::byte{0} || !dtype.has_value() || magic[3] == std::byte{0}) {
    throw Error(ErrorCode::kDataLoss,
                name + ": not an IDX file: it begins with " + Hex(magic) +
                    ", but should with 00 00, an element type (08, 09, 0b, 0c, 0d or 0e) and a rank of at least 1");
  }
  Shape shape{*dtype, {}};
  for (int axis = 0; axis < std::to_integer<int>(magic[3]); ++axis) {
    std::array<std::byte, 4> extent;
    source.Read(extent);
    int64_t value = 0;
    for (std::byte byte : extent) value = value << 8 | std::to_integer<int64_t>(byte);
    shape.dims.push_back(value);
  }
  // The extents other than 0 must have a product too: other code multiplies them in any order.
  auto bytes = static_cast<int64_t>(ByteSize(*dtype));
  bool overflows = false;
  for (int64_t extent : shape.dims) {
    overflows = overflows || __builtin_mul_overflow(bytes, std::max(extent, int64_t{1}), &bytes);
  }
  if (overflows || (shape.num_elements() > 0 && static_cast<uint64_t>(bytes) > source.UpperBound())) {
    throw Error(ErrorCode::kDataLoss, name + ": the header announces " + ToString(shape) +
                                          ", which is more than the file can hold; it is truncated or corrupt");
  }
  return shape;
}

}  // namespace

Literal ParseIdx(std::span<const std::byte> bytes, const std::string& name) {
  const std::unique_ptr<internal::ByteSource> source = internal::OpenByteSource(bytes, name);
  Literal literal = Literal::Uninitialized(ReadHeader(*source, name));
  std::byte* data = literal.mutable_bytes();
  source->Read({data, literal.byte_size()});
  source->ExpectEnd();
  if constexpr (std::endian::native == std::endian::little) {
    const size_t width = ByteSize(literal.dtype());
    for (size_t i = 0; width > 1 && i < literal.byte_size(); i += width) std::reverse(data + i, data + i + width);
  }
  return literal;
}

Literal ReadIdx(const std::string& path) {
  const std::string content = FileSystem::Default().ReadFile(path);
  return ParseIdx(std::as_bytes(std::span(content)), path);
}

Literal ReadIdx(const std::string& path, DType dtype, int rank) {
  Literal literal = ReadIdx(path);
  if (literal.dtype() == dtype && literal.shape().rank() == rank) return literal;
  throw Error(ErrorCode::kInvalidArgument, path + ": holds " + ToString(literal.shape()) + ", but " +
                                               std::string(ToString(dtype)) + " of rank " + std::to_string(rank) +
                                               " was expected; it may be another file than its name says");
}

}  // namespace replicator::data
