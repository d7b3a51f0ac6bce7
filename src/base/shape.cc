#include "replicator/base/shape.h"

namespace replicator {

int64_t NumElements(const Dims& dims) {
  int64_t count = 1;
  for (int64_t extent : dims) count *= extent;
  return count;
}

std::string ToString(const Dims& dims) {
  std::string text = "[";
  for (size_t i = 0; i < dims.size(); ++i) text += (i == 0 ? "" : ",") + std::to_string(dims[i]);
  return text + "]";
}

std::string ToString(const Shape& shape) { return std::string(ToString(shape.dtype)) + ToString(shape.dims); }

}  // namespace replicator
