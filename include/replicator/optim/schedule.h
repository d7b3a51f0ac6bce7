// Learning rates that change as training goes on, as functions of the number of updates inside the graph.
#pragma once

#include <functional>
#include <type_traits>
#include <variant>
#include <vector>

#include "replicator/graph/variable.h"

namespace replicator::optim {

// The rate after `iterations` updates: 0 for the first. A shared, immutable handle.
class Schedule {
 public:
  // Given the number of updates made so far as a replicated scalar of `dtype` (f32 or f64), returns the rate likewise.
  using Function = std::function<Tensor(const Tensor& iterations)>;
  // Throws Error(kInvalidArgument) for an empty function.
  explicit Schedule(Function function, SourceLocation where = SourceLocation::current());

  // `iterations`: an integer or floating scalar. Counts above 2^24 are rounded in f32.
  Tensor operator()(const Operand& iterations, DType dtype = DType::kF32) const;

 private:
  Function function_;
};

// All throw Error(kInvalidArgument) for numbers that are not finite, counts of steps < 1 (or < 0 where said) and
// boundaries that do not increase. t is the number of updates so far.

Schedule ConstantSchedule(double value);

struct ExponentialDecayOptions {
  double initial_value = 0;  // required
  int64_t decay_steps = 0;   // required, >= 1
  double decay_rate = 0;     // required, > 0
  bool staircase = false;    // take floor(t / decay_steps)
};
// initial_value * decay_rate ^ (t / decay_steps).
Schedule ExponentialDecay(const ExponentialDecayOptions& options);

struct CosineDecayOptions {
  double initial_value = 0;  // required
  int64_t decay_steps = 0;   // required, >= 1
  double final_value = 0;    // from decay_steps on
};
// final + (initial - final) * (1 + cos(pi * min(t, decay_steps) / decay_steps)) / 2: Loshchilov and Hutter, "SGDR",
// ICLR 2017, equation 5, without restarts.
Schedule CosineDecay(const CosineDecayOptions& options);

struct PiecewiseConstantOptions {
  std::vector<int64_t> boundaries = {};  // increasing, >= 1
  std::vector<double> values = {};       // one more
};
// values[i] while boundaries[i - 1] <= t < boundaries[i].
Schedule PiecewiseConstant(const PiecewiseConstantOptions& options);

struct LinearWarmupOptions {
  int64_t warmup_steps = 0;  // >= 0
  double initial_value = 0;  // at t = 0
};
// For t < warmup_steps a straight line from initial_value to after(0); then after(t - warmup_steps).
Schedule LinearWarmup(const LinearWarmupOptions& options, const Schedule& after);

// A number, a schedule, or a floating scalar variable, which can be assigned during training.
class LearningRate {
 public:
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
  LearningRate(T value) : LearningRate(static_cast<double>(value)) {}  // NOLINT: implicit by design
  // Throws Error(kInvalidArgument) for a number that is negative or not finite.
  LearningRate(double value);       // NOLINT: implicit by design
  LearningRate(Schedule schedule);  // NOLINT: implicit by design
  // Throws Error(kInvalidArgument) unless it is a floating scalar.
  LearningRate(const Variable& variable);  // NOLINT: implicit by design

  // The rate after `iterations` updates, a scalar of `dtype`, read in the graph being built.
  Tensor Value(const Operand& iterations, DType dtype) const;

 private:
  std::variant<double, Schedule, Variable> value_;
};

}  // namespace replicator::optim
