#include "replicator/nn/pooling.h"

#include "nn/check.h"
#include "replicator/ops/reduce.h"

namespace replicator::nn {
namespace {

PoolOptions Checked(const Pool2DOptions& options) {
  for (int64_t extent : options.window) CheckAtLeastOne("pooling: an extent of window", extent);
  for (int64_t extent : options.strides) CheckAtLeastOne("pooling: an extent of strides", extent);
  return {.window = options.window, .strides = options.strides, .padding = options.padding};
}

}  // namespace

MaxPool2D::MaxPool2D(Pool2DOptions options) : Module(options.name), options_(Checked(options)) {}

Tensor MaxPool2D::operator()(const Operand& x) const {
  StatelessScope scope(*this, x.where());
  return MaxPool(x, options_);
}

AveragePool2D::AveragePool2D(Pool2DOptions options) : Module(options.name), options_(Checked(options)) {}

Tensor AveragePool2D::operator()(const Operand& x) const {
  StatelessScope scope(*this, x.where());
  return AveragePool(x, options_);
}

Tensor GlobalAveragePool2D::operator()(const Operand& x) const {
  StatelessScope scope(*this, x.where());
  Check(x.tensor().rank() == 4, path(), x, "global pooling needs images [N, H, W, C]");
  return ReduceMean(x, {.axes = std::vector<int>{1, 2}});
}

}  // namespace replicator::nn
