// Convolution layer over images.
#pragma once

#include <array>

#include "replicator/nn/initializers.h"
#include "replicator/nn/module.h"
#include "replicator/ops/convolution.h"

namespace replicator::nn {

struct Conv2DOptions {
  int64_t filters = 0;  // required, > 0
  std::array<int64_t, 2> kernel_size = {3, 3};
  std::array<int64_t, 2> strides = {1, 1};
  Padding padding = Padding::Valid();
  std::array<int64_t, 2> dilation = {1, 1};
  bool use_bias = true;
  Initializer kernel_initializer = init::GlorotUniform();
  Initializer bias_initializer = init::Zeros();
  std::string name = {};
};

// x [N, H, W, C] -> [N, H', W', filters]: replicator::Convolution of x and "kernel" [KH, KW, C, filters], plus "bias"
// [filters]. Floating types; the variables take x's dtype. H and W may differ between calls, C may not. Constructing it
// throws Error(kInvalidArgument) for an extent < 1; calling it throws GraphError.
class Conv2D : public Module {
 public:
  explicit Conv2D(Conv2DOptions options);
  Tensor operator()(const Operand& x) const;

 private:
  Conv2DOptions options_;
};

}  // namespace replicator::nn
