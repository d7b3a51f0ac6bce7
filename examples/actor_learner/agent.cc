#include "actor_learner/agent.h"

#include <algorithm>

namespace actor_learner {
namespace {

namespace rp = replicator;

rp::Tensor LogSoftmax(const rp::Tensor& logits) {
  const rp::ReduceOptions last{.axes = {{-1}}, .keep_dims = true};
  const rp::Tensor shifted = logits - rp::StopGradient(rp::ReduceMax(logits, last));
  return shifted - rp::Log(rp::ReduceSum(rp::Exp(shifted), last));
}

rp::Tensor SumOverActions(const rp::Tensor& x) { return rp::ReduceSum(x, {.axes = {{-1}}}); }

// The elements of those actions.
rp::Tensor Chosen(const rp::Tensor& x, const rp::Tensor& actions) {
  return SumOverActions(x * rp::OneHot(actions, x.dim(-1)));
}

// Columns [first, end) of a matrix, or of a stack of them.
rp::Tensor Columns(const rp::Tensor& x, int64_t first, int64_t end) {
  rp::Dims start(static_cast<size_t>(x.rank()), 0), limit = x.dims();
  start[1] = first;
  limit[1] = end;
  return rp::Slice(x, start, limit);
}

}  // namespace

Agent::Agent(int64_t actions)
    : Module("agent"),
      policy_(Add("policy", rp::nn::Dense({.units = actions, .kernel_initializer = rp::nn::init::Normal(0.01)}))) {}

Agent::Result Agent::operator()(const rp::Operand& observations) const {
  const Scope scope(*this, observations.where());
  const rp::Tensor hidden = rp::Tanh(hidden2_(rp::Tanh(hidden1_(observations))));
  const rp::Tensor value = value_(hidden);
  const rp::Dims& dims = value.dims();
  return {LogSoftmax(policy_(hidden)), rp::Reshape(value, rp::Dims(dims.begin(), dims.end() - 1))};
}

std::pair<rp::Tensor, rp::Tensor> Agent::Act(const rp::Tensor& observations) const {
  const rp::Tensor log_policy = (*this)(observations).log_policy;
  // The maximum of Gumbel variables with these means is distributed as the policy.
  constexpr double kTiny = 1e-7;
  const rp::Tensor uniform = rp::RandomUniform(log_policy.shape(), kTiny, 1);
  const rp::Tensor action = rp::ArgMax(log_policy - rp::Log(-rp::Log(uniform)));
  return {action, Chosen(log_policy, action)};
}

rp::Tensor Agent::ActGreedily(const rp::Tensor& observations) const {
  return rp::ArgMax((*this)(observations).log_policy);
}

VTraceResult VTrace(const rp::Tensor& log_ratio, const rp::Tensor& reward, const rp::Tensor& discount,
                    const rp::Tensor& values) {
  const int64_t length = reward.dim(1);
  const rp::Tensor ratio = rp::Minimum(rp::Exp(rp::StopGradient(log_ratio)), 1);
  const rp::Tensor fixed = rp::StopGradient(values);
  const rp::Tensor now = Columns(fixed, 0, length), next = Columns(fixed, 1, length + 1);
  const rp::Tensor surprise = ratio * (reward + discount * next - now);
  const rp::Tensor decay = discount * ratio;

  rp::Tensor correction = rp::ZerosLike(Columns(now, 0, 1));
  std::vector<rp::Tensor> corrections;
  for (int64_t t = length - 1; t >= 0; --t) {
    correction = Columns(surprise, t, t + 1) + Columns(decay, t, t + 1) * correction;
    corrections.push_back(correction);
  }
  std::reverse(corrections.begin(), corrections.end());
  const rp::Tensor targets = now + rp::Concatenate(corrections, 1);
  const rp::Tensor next_targets = rp::Concatenate({Columns(targets, 1, length), Columns(fixed, length, length + 1)}, 1);
  return {targets, ratio * (reward + discount * next_targets - now)};
}

rp::data::ElementSpec TrajectorySpec(int64_t length) {
  return {{"observation", {rp::DType::kF32, {length + 1, kObservation}}},
          {"action", {rp::DType::kI32, {length}}},
          {"reward", {rp::DType::kF32, {length}}},
          {"discount", {rp::DType::kF32, {length}}},
          {"log_probability", {rp::DType::kF32, {length}}}};
}

rp::Tensor Loss(const Agent& agent, const rp::Batch& batch, const LossOptions& options) {
  const int64_t length = batch["action"].dim(1);
  const auto [log_policy_and_last, values] = agent(batch["observation"]);
  const rp::Tensor log_policy = Columns(log_policy_and_last, 0, length);
  const rp::Tensor log_probability = Chosen(log_policy, batch["action"]);
  const VTraceResult v = VTrace(log_probability - batch["log_probability"], batch["reward"] * options.reward_scale,
                                batch["discount"], values);
  const rp::Tensor policy_loss = -rp::ReduceMean(log_probability * v.advantages);
  const rp::Tensor value_loss = rp::ReduceMean(rp::Square(v.targets - Columns(values, 0, length))) * 0.5;
  const rp::Tensor entropy = -rp::ReduceMean(SumOverActions(rp::Exp(log_policy) * log_policy));
  return policy_loss + value_loss * options.value_weight - entropy * options.entropy_weight;
}

}  // namespace actor_learner
