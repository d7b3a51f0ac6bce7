// Arrays on the host by index, for the operations' oracles: slow, and plainly right.
#pragma once

#include <functional>
#include <span>

#include "replicator/base/literal.h"

namespace replicator {

// Calls `visit` with every index of `dims`, row by row.
void ForEachIndex(const Dims& dims, const std::function<void(const Dims& index)>& visit);
// The row-major position of `index`.
size_t Position(const Dims& dims, const Dims& index);
// The literal whose element at `index` is `element(index)`, converted to the shape's dtype.
Literal Tabulate(const Shape& shape, const std::function<double(const Dims& index)>& element);

// The elements of a literal by index, as doubles.
class Elements {
 public:
  explicit Elements(const Literal& literal) : dims_(literal.dims()), values_(literal.ToDoubles()) {}
  double operator()(const Dims& index) const { return values_[Position(dims_, index)]; }

 private:
  Dims dims_;
  std::vector<double> values_;
};

}  // namespace replicator
