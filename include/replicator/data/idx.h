// The IDX format of the MNIST family of data sets: one array per file, plain or compressed by gzip.
//
// Format (http://yann.lecun.com/exdb/mnist, "The IDX file format"): bytes 0, 0, type, rank; `rank` extents, each 4
// bytes; the elements in row-major order, to the end of the file. All numbers are big-endian. Types: 0x08 u8, 0x09 i8,
// 0x0B i16, 0x0C i32, 0x0D f32, 0x0E f64.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "replicator/base/literal.h"

namespace replicator::data {

// Reads a whole file. Dataset::FromTensors makes a dataset of such arrays.
//
// Throws Error that names the file: kDataLoss when the file is truncated, has bytes after the last element, breaks the
// format in any other way, or fails gzip's check sum; kNotFound, kPermissionDenied, kInvalidArgument (a directory) when
// it cannot be read. Nothing larger than the file can hold is ever allocated.
Literal ReadIdx(const std::string& path);

// The same, and throws Error(kInvalidArgument) unless the array has this type and rank: catches images given as labels.
Literal ReadIdx(const std::string& path, DType dtype, int rank);

// The same from memory; `name` stands for the file in errors.
Literal ParseIdx(std::span<const std::byte> bytes, const std::string& name);

}  // namespace replicator::data
