// Optimizers and schedules: against PyTorch, and aggregation over replicas against closed forms.
#include "replicator/optim/optimizers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "nn/recorded.h"
#include "nn/step_runner.h"
#include "replicator/nn/initializers.h"
#include "replicator/ops/collectives.h"
#include "replicator/ops/elementwise.h"
#include "replicator/ops/reduce.h"
#include "replicator/ops/shape.h"

namespace replicator::testing {
namespace {

using optim::GradientReduction;

Literal Row(const Literal& stacked, size_t row) {
  Shape shape = stacked.shape();
  shape.dims.erase(shape.dims.begin());
  Literal result{shape};
  std::memcpy(result.mutable_bytes(), stacked.bytes() + row * result.byte_size(), result.byte_size());
  return result;
}

Variable Declare(std::string name, Shape shape, Initializer initializer, bool trainable = true) {
  VariableOptions options;
  options.name = std::move(name);
  options.shape = std::move(shape);
  options.initializer = std::move(initializer);
  options.trainable = trainable;
  return Variable(std::move(options));
}

// Two parameters, and a loss whose gradients are the inputs g0 and g1.
struct Problem {
  explicit Problem(StepRunner& runner, DType dtype) {
    BuildContext build({.variables = &runner.variables()});
    const BuildContext::Scope scope(build);
    for (const char* name : {"p0", "p1"}) {
      const Literal start = Recorded(std::string("optimizer/") + name).ConvertTo(dtype);
      parameters.push_back(Declare(name, start.shape(), nn::init::Zeros()));
      runner.Set(name, start);
    }
  }
  // Of update `i`, from 0.
  Tensor Loss(const Inputs& inputs, int64_t i) const {
    const auto gradient = [&](const char* name) {
      const Tensor& all = inputs.at(name);
      Dims start(all.dims().size(), 0), limit = all.dims();
      start[0] = i;
      limit[0] = i + 1;
      return Slice(all, start, limit);
    };
    return ReduceSum(parameters[0] * gradient("g0")) + ReduceSum(parameters[1] * gradient("g1"));
  }
  static Feeds Gradients(DType dtype) {
    return {{"g0", Recorded("optimizer/g0").ConvertTo(dtype)}, {"g1", Recorded("optimizer/g1").ConvertTo(dtype)}};
  }
  std::vector<Variable> parameters;
};

// Two steps, of two and of three updates.
void ExpectRecorded(const std::string& name, const std::function<optim::Optimizer()>& make) {
  for (DType dtype : {DType::kF64, DType::kF32}) {
    SCOPED_TRACE(name + " in " + std::string(ToString(dtype)));
    StepRunner runner;
    const Problem problem(runner, dtype);
    const optim::Optimizer optimizer = make().WithReduction(GradientReduction::kSum);
    const auto update = [&](int64_t begin, int64_t end) {
      const auto step = [&](const Inputs& inputs) {
        std::vector<Tensor> after;
        for (int64_t i = begin; i < end; ++i) {
          optimizer.Minimize(problem.Loss(inputs, i));
          for (const Variable& parameter : problem.parameters) after.push_back(parameter.Read());
        }
        return after;
      };
      const std::vector<Literal> after = runner.RunOne(step, Problem::Gradients(dtype));
      for (size_t i = 0; i < after.size(); ++i) {
        const std::string path = name + (i % 2 == 0 ? "/p0" : "/p1");
        const size_t row = static_cast<size_t>(begin) + i / 2;
        EXPECT_LT(Difference(after[i], Row(Recorded(path), row)), dtype == DType::kF64 ? 1e-12 : 2e-6)
            << path << " after update " << row + 1;
      }
    };
    update(0, 2);
    update(2, 5);
    EXPECT_EQ(runner.Get(optimizer.name() + "/iterations").Item<int64_t>(), 5);
  }
}

TEST(Optimizers, AgreeWithRecordedValues) {
  ExpectRecorded("sgd", [] { return optim::Sgd({.learning_rate = 0.1}); });
  ExpectRecorded("momentum", [] { return optim::Momentum({.learning_rate = 0.1}); });
  ExpectRecorded("nesterov", [] { return optim::Momentum({.learning_rate = 0.1, .nesterov = true}); });
  ExpectRecorded("adam", [] { return optim::Adam({.learning_rate = 0.01}); });
  ExpectRecorded("adam_large_epsilon",
                 [] { return optim::Adam({.learning_rate = 0.01, .beta1 = 0.8, .beta2 = 0.9, .epsilon = 0.1}); });
  ExpectRecorded("adamw", [] { return optim::Adam({.learning_rate = 0.01, .weight_decay = 0.1}); });
  ExpectRecorded("sgd_clipped", [] { return optim::Sgd({.learning_rate = 0.1, .clip_norm = 3}); });
}

TEST(Adam, WithoutAveragesTakesTheSignOfTheGradient) {
  StepRunner runner;
  const Problem problem(runner, DType::kF64);
  const auto optimizer = optim::Adam({.learning_rate = 1, .beta1 = 0, .beta2 = 0, .epsilon = 0});
  runner.RunOne(
      [&](const Inputs& inputs) {
        optimizer.WithReduction(GradientReduction::kSum).Minimize(problem.Loss(inputs, 0));
        return std::vector<Tensor>{};
      },
      Problem::Gradients(DType::kF64));
  Literal expected = Recorded("optimizer/p1");
  const Literal gradient = Row(Recorded("optimizer/g1"), 0);
  for (size_t i = 0; i < 4; ++i) expected.mutable_data<double>()[i] -= std::copysign(1.0, gradient.data<double>()[i]);
  EXPECT_LT(Difference(runner.Get("p1"), expected), 1e-12);
}

// --- Replicas --------------------------------------------------------------------------------------------------------

// One scalar parameter w = 0, learning rate 1: after a step, -w is the gradient.
double GradientOf(int replicas, GradientReduction reduction,
                  const std::function<Tensor(const Variable&, const Tensor&)>& loss) {
  StepRunner runner(replicas);
  std::vector<double> x;
  for (int r = 0; r < replicas; ++r) x.push_back(r + 1);
  const auto optimizer = optim::Sgd({.learning_rate = 1}).WithReduction(reduction);
  runner.Run(
      [&](const Inputs& inputs) {
        const Variable w = Declare("w", {DType::kF64, {}}, nn::init::Zeros());
        optimizer.Minimize(loss(w, inputs.at("x")));
        return std::vector<Tensor>{};
      },
      Split({{"x", Literal::FromValues<double>({replicas}, x)}}, replicas));
  for (int r = 1; r < replicas; ++r) EXPECT_EQ(runner.Get("w", r), runner.Get("w", 0));
  return -runner.Get("w").Item<double>();
}

TEST(Aggregation, IsTheGradientOfTheMeanOrTheSumOfTheLosses) {
  const auto local = [](const Variable& w, const Tensor& x) { return ReduceSum(w * x); };
  EXPECT_DOUBLE_EQ(GradientOf(4, GradientReduction::kMean, local), 2.5);
  EXPECT_DOUBLE_EQ(GradientOf(4, GradientReduction::kSum, local), 10);
  EXPECT_DOUBLE_EQ(GradientOf(1, GradientReduction::kMean, local), 1);
  EXPECT_DOUBLE_EQ(GradientOf(1, GradientReduction::kSum, local), 1);
}

TEST(Aggregation, SeesThroughCollectivesInTheLoss) {
  // Every replica's loss is w * (1 + 2 + 3 + 4): the mean of the losses has gradient 10, and so has each.
  const auto all_sum = [](const Variable& w, const Tensor& x) { return AllSum(ReduceSum(w * x)); };
  EXPECT_DOUBLE_EQ(GradientOf(4, GradientReduction::kMean, all_sum), 10);
  const auto all_mean = [](const Variable& w, const Tensor& x) { return AllMean(ReduceSum(w * x)); };
  EXPECT_DOUBLE_EQ(GradientOf(4, GradientReduction::kMean, all_mean), 2.5);
  // Replica r's loss is x_r * w * sum(x): together 10 * 10 * w.
  const auto mixed = [](const Variable& w, const Tensor& x) { return ReduceSum(AllSum(w * x) * x); };
  EXPECT_DOUBLE_EQ(GradientOf(4, GradientReduction::kSum, mixed), 100);
  EXPECT_DOUBLE_EQ(GradientOf(4, GradientReduction::kMean, mixed), 25);
}

TEST(Aggregation, AGradientThatIsEqualEverywhereIsStillSummed) {
  // d/dw (w + x) = 1 on each of 4 replicas.
  const auto loss = [](const Variable& w, const Tensor& x) { return w + ReduceSum(x); };
  EXPECT_DOUBLE_EQ(GradientOf(4, GradientReduction::kSum, loss), 4);
  EXPECT_DOUBLE_EQ(GradientOf(4, GradientReduction::kMean, loss), 1);
}

TEST(Clipping, ActsOnTheAggregate) {
  // Local gradients 3 and -3, 4 and 4: the mean is (0, 4), clipped to norm 1. Clipping before would give (0, 0.8).
  StepRunner runner(2);
  const auto optimizer = optim::Sgd({.learning_rate = 1, .clip_norm = 1}).WithReduction(GradientReduction::kMean);
  const Feeds global = {{"g", Literal::FromValues<double>({2, 2}, {3, 4, -3, 4})}};
  runner.Run(
      [&](const Inputs& inputs) {
        const Variable w = Declare("w", {DType::kF64, {1, 2}}, nn::init::Zeros());
        optimizer.Minimize(ReduceSum(w * inputs.at("g")));
        return std::vector<Tensor>{};
      },
      Split(global, 2));
  EXPECT_LT(Difference(runner.Get("w"), Literal::FromValues<double>({1, 2}, {0, -1})), 1e-15);
}

// --- Schedules -------------------------------------------------------------------------------------------------------

void ExpectSchedule(const std::string& name, const optim::Schedule& schedule) {
  const Literal& expected = Recorded("schedule/" + name);
  for (DType dtype : {DType::kF64, DType::kF32}) {
    StepRunner runner;
    const auto step = [&](const Inputs&) {
      std::vector<Tensor> rates;
      for (int64_t t = 0; t < expected.dims()[0]; ++t) {
        rates.push_back(Reshape(schedule(Constant(static_cast<double>(t), DType::kI64), dtype), {1}));
      }
      return std::vector{Concatenate(rates, 0)};
    };
    EXPECT_LT(Difference(runner.RunOne(step)[0], expected), dtype == DType::kF64 ? 1e-13 : 1e-6) << name;
  }
}

TEST(Schedules, AgreeWithRecordedValues) {
  const auto exponential = optim::ExponentialDecay({.initial_value = 0.5, .decay_steps = 1, .decay_rate = 0.9});
  ExpectSchedule("exponential", exponential);
  ExpectSchedule("staircase", optim::ExponentialDecay(
                                  {.initial_value = 0.5, .decay_steps = 4, .decay_rate = 0.3, .staircase = true}));
  ExpectSchedule("cosine", optim::CosineDecay({.initial_value = 0.5, .decay_steps = 20, .final_value = 0.05}));
  ExpectSchedule("piecewise", optim::PiecewiseConstant({.boundaries = {5, 12}, .values = {0.5, 0.05, 0.005}}));
  ExpectSchedule("warmup", optim::LinearWarmup({.warmup_steps = 5, .initial_value = 0.1}, exponential));
}

TEST(Schedules, CosineStaysAtItsEnd) {
  const auto schedule = optim::CosineDecay({.initial_value = 1, .decay_steps = 10, .final_value = 0.25});
  StepRunner runner;
  const auto rate = runner.RunOne([&](const Inputs&) { return std::vector{schedule(Constant(1000, DType::kI64))}; });
  EXPECT_FLOAT_EQ(rate[0].Item<float>(), 0.25f);
}

TEST(LearningRate, FollowsAVariableAndTheUpdatesOfItsOwnOptimizer) {
  StepRunner runner;
  const auto step = [&](const Inputs&) {
    const Variable rate(
        {.name = "rate", .shape = {DType::kF32, {}}, .initializer = nn::init::Constant(0.5), .trainable = false});
    const Variable w = Declare("w", {DType::kF32, {}}, nn::init::Zeros());
    const Variable v = Declare("v", {DType::kF32, {}}, nn::init::Zeros());
    const auto by_variable = optim::Sgd({.learning_rate = rate, .name = "first"});
    const auto by_schedule = optim::Sgd(
        {.learning_rate = optim::PiecewiseConstant({.boundaries = {1}, .values = {1, 10}}), .name = "second"});
    by_variable.Minimize(w * 1.0);
    by_schedule.Minimize(v * 1.0);  // twice a step
    by_schedule.Minimize(v * 1.0);
    rate.Assign(0.25);
    return std::vector{by_schedule.learning_rate()};
  };
  const Program program = runner.Build(step, {});
  EXPECT_EQ(runner.Execute(program)[0][0].Item<float>(), 10);
  EXPECT_EQ(runner.Get("w").Item<float>(), -0.5f);
  EXPECT_EQ(runner.Get("v").Item<float>(), -11);
  runner.Execute(program);
  EXPECT_EQ(runner.Get("w").Item<float>(), -0.75f);
  EXPECT_EQ(runner.Get("first/iterations").Item<int64_t>(), 2);
  EXPECT_EQ(runner.Get("second/iterations").Item<int64_t>(), 4);
}

TEST(Optimizer, NarrowParametersAreUpdatedInF32) {
  StepRunner runner;
  const auto optimizer = optim::Adam({.learning_rate = 0.125});
  const auto step = [&](const Inputs&) {
    const Variable w = Declare("w", {DType::kBF16, {2}}, nn::init::Ones());
    optimizer.Minimize(ReduceSum(Convert(w, DType::kF32) * 3.0));
    return std::vector<Tensor>{};
  };
  runner.RunOne(step);
  EXPECT_EQ(runner.Get("adam/w/v").dtype(), DType::kF32);
  EXPECT_FLOAT_EQ(runner.Get("adam/w/v").data<float>()[0], 0.009f);
  EXPECT_EQ(runner.Get("w").ToDoubles(), (std::vector<double>{0.875, 0.875}));
}

}  // namespace
}  // namespace replicator::testing
