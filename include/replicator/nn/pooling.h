// Pooling over images [N, H, W, C]. See ops/convolution.h for the rules of windows and padding.
#pragma once

#include "replicator/nn/module.h"
#include "replicator/ops/convolution.h"

namespace replicator::nn {

struct Pool2DOptions {
  std::array<int64_t, 2> window = {2, 2};
  std::array<int64_t, 2> strides = {2, 2};
  Padding padding = Padding::Valid();
  std::string name = {};
};

// Constructing either throws Error(kInvalidArgument) for an extent < 1.
class MaxPool2D : public Module {
 public:
  explicit MaxPool2D(Pool2DOptions options = {});
  Tensor operator()(const Operand& x) const;

 private:
  PoolOptions options_;
};

// Padding is not counted in the mean.
class AveragePool2D : public Module {
 public:
  explicit AveragePool2D(Pool2DOptions options = {});
  Tensor operator()(const Operand& x) const;

 private:
  PoolOptions options_;
};

// [N, H, W, C] -> [N, C]: the mean over the image.
class GlobalAveragePool2D : public Module {
 public:
  explicit GlobalAveragePool2D(std::string name = {}) : Module(std::move(name)) {}
  Tensor operator()(const Operand& x) const;
};

}  // namespace replicator::nn
