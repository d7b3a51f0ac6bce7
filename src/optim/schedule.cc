#include "replicator/optim/schedule.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "replicator/graph/graph_error.h"
#include "replicator/ops/elementwise.h"
#include "replicator/ops/shape.h"

namespace replicator::optim {
namespace {

void Require(bool holds, const std::string& message) {
  if (!holds) throw Error(ErrorCode::kInvalidArgument, message);
}
void RequireFinite(const char* what, double value) {
  Require(std::isfinite(value), fmt::format("{} = {}; it must be finite", what, value));
}
void RequireSteps(const char* what, int64_t value, int64_t least) {
  Require(value >= least, fmt::format("{} = {}; it must be at least {}", what, value, least));
}

Tensor CheckedRate(const Tensor& rate, DType dtype) {
  if (rate.shape() != Shape{dtype, {}}) {
    throw GraphError("schedule", {rate.shape()}, fmt::format("a schedule must return a scalar {}", ToString(dtype)),
                     CallSite::Chain(rate.location()));
  }
  return rate;
}

}  // namespace

Schedule::Schedule(Function function, SourceLocation where) : function_(std::move(function)) {
  if (function_ == nullptr) throw Error(ErrorCode::kInvalidArgument, "a schedule needs a function", {where});
}

Tensor Schedule::operator()(const Operand& iterations, DType dtype) const {
  return CheckedRate(function_(Convert(iterations, dtype)), dtype);
}

Schedule ConstantSchedule(double value) {
  RequireFinite("ConstantSchedule: value", value);
  return Schedule([value](const Tensor& t) { return Full(t.shape(), value); });
}

Schedule ExponentialDecay(const ExponentialDecayOptions& options) {
  RequireFinite("ExponentialDecay: initial_value", options.initial_value);
  RequireSteps("ExponentialDecay: decay_steps", options.decay_steps, 1);
  Require(std::isfinite(options.decay_rate) && options.decay_rate > 0,
          fmt::format("ExponentialDecay: decay_rate = {}; it must be positive and finite", options.decay_rate));
  return Schedule([options](const Tensor& t) {
    Tensor periods = t / static_cast<double>(options.decay_steps);
    if (options.staircase) periods = Floor(periods);
    return options.initial_value * Exp(periods * std::log(options.decay_rate));
  });
}

Schedule CosineDecay(const CosineDecayOptions& options) {
  RequireFinite("CosineDecay: initial_value", options.initial_value);
  RequireFinite("CosineDecay: final_value", options.final_value);
  RequireSteps("CosineDecay: decay_steps", options.decay_steps, 1);
  return Schedule([options](const Tensor& t) {
    const auto steps = static_cast<double>(options.decay_steps);
    const Tensor falling = (1.0 + Cosine(Minimum(t, steps) * (std::numbers::pi / steps))) * 0.5;
    return options.final_value + (options.initial_value - options.final_value) * falling;
  });
}

Schedule PiecewiseConstant(const PiecewiseConstantOptions& options) {
  Require(options.values.size() == options.boundaries.size() + 1,
          fmt::format("PiecewiseConstant: {} values for {} boundaries; one more value than boundaries is needed",
                      options.values.size(), options.boundaries.size()));
  for (double value : options.values) RequireFinite("PiecewiseConstant: a value", value);
  for (size_t i = 0; i < options.boundaries.size(); ++i) {
    RequireSteps("PiecewiseConstant: a boundary", options.boundaries[i], i == 0 ? 1 : options.boundaries[i - 1] + 1);
  }
  return Schedule([options](const Tensor& t) {
    Tensor rate = Full(t.shape(), options.values[0]);
    for (size_t i = 0; i < options.boundaries.size(); ++i) {
      rate = Select(t < static_cast<double>(options.boundaries[i]), rate, options.values[i + 1]);
    }
    return rate;
  });
}

Schedule LinearWarmup(const LinearWarmupOptions& options, const Schedule& after) {
  RequireFinite("LinearWarmup: initial_value", options.initial_value);
  RequireSteps("LinearWarmup: warmup_steps", options.warmup_steps, 0);
  if (options.warmup_steps == 0) return after;
  return Schedule([options, after](const Tensor& t) {
    const auto steps = static_cast<double>(options.warmup_steps);
    const DType dtype = t.dtype();
    const Tensor target = after(ZerosLike(t), dtype);
    const Tensor rising = options.initial_value + (target - options.initial_value) * (t / steps);
    return Select(t < steps, rising, after(Maximum(t - steps, 0.0), dtype));
  });
}

LearningRate::LearningRate(double value) : value_(value) {
  Require(std::isfinite(value) && value >= 0,
          fmt::format("a learning rate of {}; it must be finite and not negative", value));
}
LearningRate::LearningRate(Schedule schedule) : value_(std::move(schedule)) {}
LearningRate::LearningRate(const Variable& variable) : value_(variable) {
  Require(IsFloating(variable.dtype()) && variable.shape().rank() == 0,
          fmt::format("the variable '{}' is {}; a learning rate is a floating scalar", variable.name(),
                      ToString(variable.shape())));
}

Tensor LearningRate::Value(const Operand& iterations, DType dtype) const {
  if (const double* number = std::get_if<double>(&value_)) return Constant(*number, dtype, iterations.where());
  if (const Variable* variable = std::get_if<Variable>(&value_)) return Convert(*variable, dtype);
  const DType wide = dtype == DType::kF64 ? DType::kF64 : DType::kF32;
  return Convert(std::get<Schedule>(value_)(iterations, wide), dtype);
}

}  // namespace replicator::optim
