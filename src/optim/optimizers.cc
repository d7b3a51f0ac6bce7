#include "replicator/optim/optimizers.h"

#include <fmt/format.h>

#include <cmath>

#include "replicator/ops/elementwise.h"

namespace replicator::optim {
namespace {

void RequireBelowOne(const char* what, double value, SourceLocation where) {
  if (value >= 0 && value < 1) return;
  throw Error(ErrorCode::kInvalidArgument, fmt::format("{} = {}; it must be in [0, 1)", what, value), {where});
}
void RequireNotNegative(const char* what, double value, SourceLocation where) {
  if (std::isfinite(value) && value >= 0) return;
  throw Error(ErrorCode::kInvalidArgument, fmt::format("{} = {}; it must be finite and not negative", what, value),
              {where});
}

class SgdRule : public UpdateRule {
 public:
  std::string_view name() const override { return "sgd"; }
  Tensor Update(const UpdateContext& c) const override { return c.parameter - c.learning_rate * c.gradient; }
};

class MomentumRule : public UpdateRule {
 public:
  MomentumRule(double momentum, bool nesterov) : momentum_(momentum), nesterov_(nesterov) {}
  std::string_view name() const override { return "momentum"; }
  std::vector<std::string> slots() const override { return {"velocity"}; }
  Tensor Update(const UpdateContext& c) const override {
    const Tensor velocity = c.slots[0] * momentum_ + c.gradient;
    c.slots[0].Assign(velocity);
    return c.parameter - c.learning_rate * (nesterov_ ? c.gradient + velocity * momentum_ : velocity);
  }

 private:
  double momentum_;
  bool nesterov_;
};

class AdamRule : public UpdateRule {
 public:
  explicit AdamRule(const AdamOptions& options)
      : beta1_(options.beta1), beta2_(options.beta2), epsilon_(options.epsilon), decay_(options.weight_decay) {}
  std::string_view name() const override { return "adam"; }
  std::vector<std::string> slots() const override { return {"m", "v"}; }
  Tensor Update(const UpdateContext& c) const override {
    const Tensor m = c.slots[0] * beta1_ + c.gradient * (1 - beta1_);
    const Tensor v = c.slots[1] * beta2_ + Square(c.gradient) * (1 - beta2_);
    c.slots[0].Assign(m);
    c.slots[1].Assign(v);
    const Tensor rate = c.learning_rate / OneMinusPower(beta1_, c.step);
    const Tensor root = Sqrt(v) * Rsqrt(OneMinusPower(beta2_, c.step));
    const Tensor parameter = decay_ == 0 ? c.parameter : c.parameter * (1.0 - c.learning_rate * decay_);
    return parameter - rate * m / (root + epsilon_);
  }

 private:
  // 1 - beta^t; as -expm1(t log beta), since in f32 the digits of 1 - 0.999 would be lost.
  static Tensor OneMinusPower(double beta, const Tensor& step) { return -Expm1(step * std::log(beta)); }

  double beta1_, beta2_, epsilon_, decay_;
};

}  // namespace

Optimizer Sgd(const SgdOptions& options, SourceLocation where) {
  return {std::make_shared<SgdRule>(),
          {.learning_rate = options.learning_rate, .clip_norm = options.clip_norm, .name = options.name},
          where};
}

Optimizer Momentum(const MomentumOptions& options, SourceLocation where) {
  RequireBelowOne("Momentum: momentum", options.momentum, where);
  return {std::make_shared<MomentumRule>(options.momentum, options.nesterov),
          {.learning_rate = options.learning_rate, .clip_norm = options.clip_norm, .name = options.name},
          where};
}

Optimizer Adam(const AdamOptions& options, SourceLocation where) {
  RequireBelowOne("Adam: beta1", options.beta1, where);
  RequireBelowOne("Adam: beta2", options.beta2, where);
  RequireNotNegative("Adam: epsilon", options.epsilon, where);
  RequireNotNegative("Adam: weight_decay", options.weight_decay, where);
  return {std::make_shared<AdamRule>(options),
          {.learning_rate = options.learning_rate, .clip_norm = options.clip_norm, .name = options.name},
          where};
}

}  // namespace replicator::optim
