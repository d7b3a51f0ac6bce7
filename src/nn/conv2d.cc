#include "replicator/nn/conv2d.h"

#include "nn/check.h"
#include "replicator/ops/elementwise.h"

namespace replicator::nn {

Conv2D::Conv2D(Conv2DOptions options) : Module(options.name), options_(std::move(options)) {
  CheckAtLeastOne("Conv2D: filters", options_.filters);
  for (int64_t extent : options_.kernel_size) CheckAtLeastOne("Conv2D: an extent of kernel_size", extent);
  for (int64_t extent : options_.strides) CheckAtLeastOne("Conv2D: an extent of strides", extent);
  for (int64_t extent : options_.dilation) CheckAtLeastOne("Conv2D: an extent of dilation", extent);
}

Tensor Conv2D::operator()(const Operand& x) const {
  Scope scope(*this, x.where());
  const Shape& shape = x.tensor().shape();
  Check(IsFloating(shape.dtype) && shape.rank() == 4, path(), x,
        "a convolution layer needs floating images [N, H, W, C]");
  const auto [height, width] = options_.kernel_size;
  const Variable kernel =
      Parameter("kernel", {shape.dtype, {height, width, shape.dims[3], options_.filters}}, options_.kernel_initializer);
  Tensor y =
      Convolution(x, kernel, {.strides = options_.strides, .padding = options_.padding, .dilation = options_.dilation});
  if (!options_.use_bias) return y;
  return y + Parameter("bias", {shape.dtype, {options_.filters}}, options_.bias_initializer);
}

}  // namespace replicator::nn
