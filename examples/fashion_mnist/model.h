// The network: two convolutions, and two dense layers.
#pragma once

#include <replicator/replicator.h>

namespace fashion_mnist {

// Images, u8 [N, 28, 28, 1], to logits [N, 10], in the floating type that it is given.
class Cnn : public replicator::nn::Module {
 public:
  explicit Cnn(replicator::DType dtype) : dtype_(dtype) {}
  replicator::Tensor operator()(const replicator::Operand& images) const;

 private:
  replicator::DType dtype_;
  replicator::nn::Conv2D conv1_ = Add("conv1", replicator::nn::Conv2D({.filters = 32}));
  // What follows subtracts the mean: a bias would have no effect.
  replicator::nn::Conv2D conv2_ = Add("conv2", replicator::nn::Conv2D({.filters = 64, .use_bias = false}));
  replicator::nn::MaxPool2D pool_ = Add("pool", replicator::nn::MaxPool2D());
  replicator::nn::BatchNorm norm_ = Add("norm", replicator::nn::BatchNorm());
  replicator::nn::Dropout dropout1_ = Add("dropout1", replicator::nn::Dropout({.rate = 0.1}));
  replicator::nn::Dense hidden_ = Add("hidden", replicator::nn::Dense({.units = 128}));
  replicator::nn::Dropout dropout2_ = Add("dropout2", replicator::nn::Dropout({.rate = 0.25}));
  replicator::nn::Dense logits_ = Add("logits", replicator::nn::Dense({.units = 10}));
};

}  // namespace fashion_mnist
