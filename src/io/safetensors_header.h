// The header of a safetensors file: where each tensor lies.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "replicator/base/literal.h"

namespace replicator::io {

struct TensorEntry {
  std::string name;
  Shape shape;
  uint64_t begin = 0;  // from the end of the header

  uint64_t end() const { return begin + shape.byte_size(); }
};

struct SafetensorsHeader {
  std::vector<TensorEntry> tensors;  // by offset; contiguous from 0
  std::map<std::string, std::string> metadata;
};

// Bytes of the length that precedes the header, and the longest header (a limit of the format).
inline constexpr uint64_t kLengthBytes = 8;
inline constexpr uint64_t kLongestHeader = 100'000'000;

// Reads the first 8 bytes of a file of `file_size`. Throws Error(kDataLoss) naming `file` unless such a header can be
// there.
uint64_t ParseHeaderLength(std::string_view first_bytes, uint64_t file_size, const std::string& file);
// Reads and checks a header that `data_size` bytes follow, as ReadSafetensors promises.
SafetensorsHeader ParseHeader(std::string_view json, uint64_t data_size, const std::string& file);

// Assigns offsets, wider elements first and then by name, and returns the order.
std::vector<TensorEntry> LayOut(const std::map<std::string, Literal>& tensors);
// The length and the header, padded so that the data begin at a multiple of 8 bytes.
std::string FormatHeader(const std::vector<TensorEntry>& tensors, const std::map<std::string, std::string>& metadata);

}  // namespace replicator::io
