#include "ops/tabulate.h"

namespace replicator {

void ForEachIndex(const Dims& dims, const std::function<void(const Dims& index)>& visit) {
  const int64_t count = NumElements(dims);
  Dims index(dims.size(), 0);
  for (int64_t i = 0; i < count; ++i) {
    visit(index);
    for (size_t axis = dims.size(); axis-- > 0;) {
      if (++index[axis] < dims[axis]) break;
      index[axis] = 0;
    }
  }
}

size_t Position(const Dims& dims, const Dims& index) {
  int64_t position = 0;
  for (size_t axis = 0; axis < dims.size(); ++axis) position = position * dims[axis] + index[axis];
  return static_cast<size_t>(position);
}

Literal Tabulate(const Shape& shape, const std::function<double(const Dims& index)>& element) {
  Literal literal{shape};
  VisitDType(shape.dtype, [&]<typename T>() {
    auto out = literal.mutable_data<T>();
    size_t i = 0;
    ForEachIndex(shape.dims, [&](const Dims& index) { out[i++] = ConvertElement<T>(element(index)); });
  });
  return literal;
}

}  // namespace replicator
