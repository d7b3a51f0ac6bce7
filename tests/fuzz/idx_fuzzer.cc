// Any bytes are either refused with an Error or read; what was read is the same after being written and read again.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <vector>

#include "replicator/base/error.h"
#include "replicator/data/idx.h"

namespace {

using replicator::DType;
using replicator::Literal;

std::vector<std::byte> WriteIdx(const Literal& literal) {
  constexpr std::pair<DType, int> kCodes[] = {{DType::kU8, 0x08},  {DType::kI8, 0x09},  {DType::kI16, 0x0b},
                                              {DType::kI32, 0x0c}, {DType::kF32, 0x0d}, {DType::kF64, 0x0e}};
  std::vector<std::byte> bytes(2);
  for (const auto& [dtype, code] : kCodes) {
    if (dtype == literal.dtype()) bytes.push_back(std::byte(code));
  }
  bytes.push_back(std::byte(literal.shape().rank()));
  for (int64_t extent : literal.dims()) {
    for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(std::byte(extent >> shift & 0xff));
  }
  const size_t width = ByteSize(literal.dtype());
  for (size_t i = 0; i < literal.byte_size(); i += width) {
    for (size_t j = width; j > 0; --j) bytes.push_back(literal.bytes()[i + j - 1]);
  }
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Literal literal;
  try {
    literal = replicator::data::ParseIdx(std::as_bytes(std::span(data, size)), "fuzzed");
  } catch (const replicator::Error&) {
    return 0;
  }
  if (!(replicator::data::ParseIdx(WriteIdx(literal), "again") == literal)) std::abort();
  return 0;
}
