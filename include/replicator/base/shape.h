// Static shapes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "replicator/base/dtype.h"

namespace replicator {

// Extents, outermost first. Every extent is >= 0; an empty list is a scalar.
using Dims = std::vector<int64_t>;

// The product of the extents: 1 for a scalar, 0 where one is 0.
int64_t NumElements(const Dims& dims);
// "[32,28,28,1]"
std::string ToString(const Dims& dims);

// An element type and extents.
struct Shape {
  DType dtype = DType::kF32;
  Dims dims;

  int rank() const { return static_cast<int>(dims.size()); }
  int64_t num_elements() const { return NumElements(dims); }
  size_t byte_size() const { return static_cast<size_t>(num_elements()) * ByteSize(dtype); }
  friend bool operator==(const Shape&, const Shape&) = default;
};

// "f32[32,28,28,1]"
std::string ToString(const Shape& shape);

}  // namespace replicator
