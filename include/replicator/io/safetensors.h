// The safetensors format: named tensors and a map of strings in one file.
//
// Format (https://github.com/huggingface/safetensors, "Format"): 8 bytes N, unsigned little-endian; N bytes of JSON,
// {"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [begin, end]}, ..., "__metadata__": {"key": "value"}},
// possibly padded with spaces; then the tensors' bytes, little-endian and row-major, to the end of the file without
// holes or overlaps. Offsets count from the end of the header.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>

#include "replicator/base/literal.h"

namespace replicator {
class FileSystem;
}

namespace replicator::io {

// What such a file holds.
struct NamedTensors {
  std::map<std::string, Literal> tensors;
  std::map<std::string, std::string> metadata;

  friend bool operator==(const NamedTensors&, const NamedTensors&) = default;
};

// Reads a whole file; each tensor's bytes go straight to its literal. `file_system`: null is the operating system's.
//
// Throws Error that names the file and, where there is one, the tensor: kDataLoss when the file is truncated, has bytes
// after the last tensor, or breaks the format in any other way (header length, JSON, a name used twice, offsets that
// overlap, leave a hole or leave the file, a shape that does not fit its bytes, a BOOL that is neither 0 nor 1);
// kUnimplemented for an element type of the format that the library lacks (8-bit floats, complex numbers); and what
// the file system throws (kNotFound, kPermissionDenied, ...).
NamedTensors ReadSafetensors(const std::string& path, FileSystem* file_system = nullptr);

// The same from memory; `name` stands for the file in errors.
NamedTensors ParseSafetensors(std::span<const std::byte> bytes, const std::string& name);

// Writes atomically: `path` afterwards holds `content`, or, when this throws, whatever it held before. Tensors are
// written from where they are, without a second copy, wider elements first, so that each begins at a multiple of its
// element's size. Throws Error(kInvalidArgument) for a name or metadata that is not UTF-8 and for a tensor named
// "__metadata__", and what the file system throws (kResourceExhausted when the disk is full, ...).
void WriteSafetensors(const std::string& path, const NamedTensors& content, FileSystem* file_system = nullptr);

}  // namespace replicator::io
