// What acts, and how it learns.
#pragma once

#include <replicator/replicator.h>

#include <utility>

namespace actor_learner {

inline constexpr int64_t kObservation = 4;

// A policy and a value for each state, from one network.
class Agent : public replicator::nn::Module {
 public:
  struct Result {
    replicator::Tensor log_policy;  // [..., actions]
    replicator::Tensor value;       // [...]
  };
  explicit Agent(int64_t actions);
  Result operator()(const replicator::Operand& observations) const;  // [..., 4]

  // For actors: observations [N, 4] to an action, i32 [N], drawn from the policy, and its log probability, [N].
  std::pair<replicator::Tensor, replicator::Tensor> Act(const replicator::Tensor& observations) const;
  // The most probable action.
  replicator::Tensor ActGreedily(const replicator::Tensor& observations) const;

 private:
  replicator::nn::Dense hidden1_ = Add("hidden1", replicator::nn::Dense({.units = 64}));
  replicator::nn::Dense hidden2_ = Add("hidden2", replicator::nn::Dense({.units = 64}));
  replicator::nn::Dense policy_;
  replicator::nn::Dense value_ = Add("value", replicator::nn::Dense({.units = 1}));
};

struct VTraceResult {
  replicator::Tensor targets;     // v_s of the values, [N, T]
  replicator::Tensor advantages;  // of the policy's gradient, [N, T]
};

// Espeholt et al., "IMPALA", ICML 2018, equation 1 and section 4.2, with both truncation levels 1 and lambda 1: what
// corrects for actors whose policy is some steps older than the learner's. `log_ratio`: log of the learner's
// probability of each action by the actor's, [N, T], as are `reward` and `discount`; `values`: [N, T + 1]. Gradients
// do not flow through the results.
VTraceResult VTrace(const replicator::Tensor& log_ratio, const replicator::Tensor& reward,
                    const replicator::Tensor& discount, const replicator::Tensor& values);

struct LossOptions {
  double value_weight = 0.5;
  double entropy_weight = 0.01;
  double reward_scale = 0.1;
};

// Components of a trajectory of T steps.
replicator::data::ElementSpec TrajectorySpec(int64_t length);

// The loss of one replica's batch of trajectories.
replicator::Tensor Loss(const Agent& agent, const replicator::Batch& batch, const LossOptions& options);

}  // namespace actor_learner
