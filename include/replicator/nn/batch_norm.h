// Batch normalisation: Ioffe and Szegedy, "Batch normalization", ICML 2015.
#pragma once

#include <optional>

#include "replicator/graph/replica_context.h"
#include "replicator/nn/initializers.h"
#include "replicator/nn/module.h"

namespace replicator::nn {

// Over which examples the statistics are taken while training.
enum class BatchNormScope {
  kGlobal,  // those of all replicas: the result does not depend on their number; two collectives forward, one backward
  kLocal,   // those of this replica: no communication, but the result depends on the batch per replica
};

struct BatchNormOptions {
  BatchNormScope scope = BatchNormScope::kGlobal;
  double momentum = 0.9;   // of the moving statistics, in [0, 1]: moving = momentum * moving + (1 - momentum) * batch's
  double epsilon = 1e-5;   // added to the variance, > 0
  bool use_scale = true;   // the variable "gamma", 1 at first
  bool use_offset = true;  // the variable "beta", 0 at first
  std::string name = {};
};

// x [N, ..., C] -> gamma * (x - mean) / sqrt(variance + epsilon) + beta, with mean and variance of each of the C
// features over all other axes. Floating types, rank >= 2.
//
// Training: mean and variance of the batch (of the global batch, for kGlobal; every replica must have equally many
// examples), and the moving ones are updated: "moving_mean" with the mean, "moving_variance" with the unbiased variance
// (n / (n - 1) times the batch's). Evaluation: the moving ones. Data are shifted by an estimate of their mean before
// any square is taken, so that the variance keeps its accuracy where the mean is large. bf16 and f16 are computed in
// f32, which is then the dtype of the variables.
//
// The moving statistics are mirrored for kGlobal. For kLocal each replica has its own, and a checkpoint's aggregate is
// their mean. A replicated x has equal statistics everywhere and needs no collective.
//
// Constructing it throws Error(kInvalidArgument); calling it GraphError, also for a batch without elements to train on.
class BatchNorm : public Module {
 public:
  explicit BatchNorm(BatchNormOptions options = {});
  // `mode`: that of the step, unless given.
  Tensor operator()(const Operand& x, std::optional<Mode> mode = std::nullopt) const;

 private:
  BatchNormOptions options_;
};

}  // namespace replicator::nn
