// Fully connected layer.
#pragma once

#include "replicator/nn/initializers.h"
#include "replicator/nn/module.h"

namespace replicator::nn {

struct DenseOptions {
  int64_t units = 0;  // required, > 0
  bool use_bias = true;
  Initializer kernel_initializer = init::GlorotUniform();
  Initializer bias_initializer = init::Zeros();
  std::string name = {};
};

// x [..., in] -> x @ kernel + bias [..., units], in x's dtype, which is also that of the variables "kernel" [in, units]
// and "bias" [units]. Floating types, rank >= 2. Constructing it throws Error(kInvalidArgument) for units < 1; calling
// it throws GraphError.
class Dense : public Module {
 public:
  explicit Dense(DenseOptions options);
  Tensor operator()(const Operand& x) const;

 private:
  DenseOptions options_;
};

}  // namespace replicator::nn
