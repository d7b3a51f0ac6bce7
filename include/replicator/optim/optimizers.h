// The optimizers that come with the library. g is the gradient, t the number of the update, counted from 1. All throw
// Error(kInvalidArgument) for numbers out of range.
#pragma once

#include "replicator/optim/optimizer.h"

namespace replicator::optim {

struct SgdOptions {
  LearningRate learning_rate;  // required
  std::optional<double> clip_norm = std::nullopt;
  std::string name = {};
};
// parameter -= learning_rate * g.
Optimizer Sgd(const SgdOptions& options, SourceLocation where = SourceLocation::current());

struct MomentumOptions {
  LearningRate learning_rate;  // required
  double momentum = 0.9;       // in [0, 1)
  bool nesterov = false;
  std::optional<double> clip_norm = std::nullopt;
  std::string name = {};
};
// velocity = momentum * velocity + g; parameter -= learning_rate * velocity, or with Nesterov's look-ahead
// learning_rate * (g + momentum * velocity): Sutskever et al., "On the importance of initialization and momentum in
// deep learning", ICML 2013, in the form in which the learning rate multiplies the velocity. Slot "velocity".
Optimizer Momentum(const MomentumOptions& options, SourceLocation where = SourceLocation::current());

struct AdamOptions {
  LearningRate learning_rate = 1e-3;
  double beta1 = 0.9;       // in [0, 1)
  double beta2 = 0.999;     // in [0, 1)
  double epsilon = 1e-8;    // >= 0
  double weight_decay = 0;  // >= 0, decoupled: parameter -= learning_rate * weight_decay * parameter first (AdamW)
  std::optional<double> clip_norm = std::nullopt;
  std::string name = {};
};
// m = beta1 * m + (1 - beta1) * g; v = beta2 * v + (1 - beta2) * g^2;
// parameter -= learning_rate * m / (1 - beta1^t) / (sqrt(v / (1 - beta2^t)) + epsilon): Kingma and Ba, "Adam", ICLR
// 2015, algorithm 1; the decay after Loshchilov and Hutter, "Decoupled weight decay regularization", ICLR 2019. Slots
// "m", "v".
Optimizer Adam(const AdamOptions& options = {}, SourceLocation where = SourceLocation::current());

}  // namespace replicator::optim
