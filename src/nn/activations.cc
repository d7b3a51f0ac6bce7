#include "replicator/nn/activations.h"

#include <cmath>
#include <numbers>

#include "replicator/ops/elementwise.h"
#include "replicator/ops/shape.h"

namespace replicator::nn {

Tensor Relu::operator()(const Operand& x) const {
  StatelessScope scope(*this, x.where());
  return replicator::Relu(x);
}

Tensor Tanh::operator()(const Operand& x) const {
  StatelessScope scope(*this, x.where());
  return replicator::Tanh(x);
}

Tensor Gelu::operator()(const Operand& x) const {
  StatelessScope scope(*this, x.where());
  const double scale = std::sqrt(2 / std::numbers::pi);
  return x * 0.5 * (1.0 + replicator::Tanh(scale * (x + 0.044715 * (x * x * x))));
}

Tensor Flatten::operator()(const Operand& x) const {
  StatelessScope scope(*this, x.where());
  return replicator::Flatten(x);
}

}  // namespace replicator::nn
