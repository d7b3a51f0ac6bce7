#include "replicator/nn/dense.h"

#include "nn/check.h"
#include "replicator/ops/dot.h"
#include "replicator/ops/elementwise.h"

namespace replicator::nn {

Dense::Dense(DenseOptions options) : Module(options.name), options_(std::move(options)) {
  CheckAtLeastOne("Dense: units", options_.units);
}

Tensor Dense::operator()(const Operand& x) const {
  Scope scope(*this, x.where());
  const Shape& shape = x.tensor().shape();
  Check(IsFloating(shape.dtype) && shape.rank() >= 2, path(), x, "a dense layer needs a floating [..., features]");
  const Variable kernel =
      Parameter("kernel", {shape.dtype, {shape.dims.back(), options_.units}}, options_.kernel_initializer);
  Tensor y = MatMul(x, kernel);
  if (!options_.use_bias) return y;
  return y + Parameter("bias", {shape.dtype, {options_.units}}, options_.bias_initializer);
}

}  // namespace replicator::nn
