// Layers without variables that act element by element or change the shape only, for use in nn::Sequential. Outside of
// it the operations of the same names (replicator::Relu, ...) do as well.
#pragma once

#include "replicator/nn/module.h"

namespace replicator::nn {

class Relu : public Module {
 public:
  explicit Relu(std::string name = {}) : Module(std::move(name)) {}
  Tensor operator()(const Operand& x) const;
};

class Tanh : public Module {
 public:
  explicit Tanh(std::string name = {}) : Module(std::move(name)) {}
  Tensor operator()(const Operand& x) const;
};

// x/2 * (1 + tanh(sqrt(2/pi) * (x + 0.044715 x^3))): the approximation in Hendrycks and Gimpel, "Gaussian error linear
// units", 2016, section 2; it differs from x*Phi(x) by less than 5e-4.
class Gelu : public Module {
 public:
  explicit Gelu(std::string name = {}) : Module(std::move(name)) {}
  Tensor operator()(const Operand& x) const;
};

// [d0, d1, d2, ...] -> [d0, d1 * d2 * ...].
class Flatten : public Module {
 public:
  explicit Flatten(std::string name = {}) : Module(std::move(name)) {}
  Tensor operator()(const Operand& x) const;
};

}  // namespace replicator::nn
