// Accumulated gradients against the large batch, in float64.
#include "replicator/optim/accumulate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "nn/recorded.h"
#include "nn/step_runner.h"
#include "replicator/ops/dot.h"
#include "replicator/ops/elementwise.h"
#include "replicator/ops/reduce.h"
#include "replicator/ops/shape.h"
#include "replicator/optim/optimizers.h"

namespace replicator::testing {
namespace {

using optim::GradientReduction;
using optim::Optimizer;
using ::testing::HasSubstr;

constexpr int64_t kFeatures = 3, kOutputs = 2, kSteps = 3, kUpdates = 2;
constexpr int64_t kMicroBatch = 4;  // of all replicas together

Literal Sines(Shape shape, double phase) {
  Literal values{std::move(shape)};
  for (int64_t i = 0; i < values.num_elements(); ++i) {
    values.mutable_data<double>()[static_cast<size_t>(i)] = std::sin(phase + 1.7 * static_cast<double>(i));
  }
  return values;
}

// By replica: [micro-step][example].
Feeds Data() {
  const int64_t rows = kUpdates * kSteps * kMicroBatch;
  return {{"x", Sines({DType::kF64, {rows, kFeatures}}, 0.3)}, {"y", Sines({DType::kF64, {rows, kOutputs}}, 1.1)}};
}

// The part of replica-major data that micro-steps [begin, end) of every one of `replicas` see.
Tensor Part(const Tensor& all, int64_t replicas, int64_t begin, int64_t end) {
  const int64_t columns = all.dim(1), steps = kUpdates * kSteps, rows = all.dim(0) / (replicas * steps);
  const Tensor parts = Reshape(all, {replicas, steps, rows, columns});
  return Reshape(Slice(parts, {0, begin, 0, 0}, {replicas, end, rows, columns}),
                 {replicas * (end - begin) * rows, columns});
}

class Training {
 public:
  Training(int num_replicas, Optimizer optimizer, GradientReduction reduction)
      : runner_(num_replicas), num_replicas_(num_replicas), optimizer_(std::move(optimizer)), reduction_(reduction) {
    BuildContext build({.variables = &runner_.variables()});
    const BuildContext::Scope scope(build);
    const auto declare = [&](const char* name, Dims dims) {
      Variable variable({.name = name, .shape = {DType::kF64, std::move(dims)}, .initializer = [](const Shape& s) {
                           return Zeros(s);
                         }});
      runner_.Set(name, Sines(variable.shape(), 0.5));
      return variable;
    };
    kernel_ = declare("kernel", {kFeatures, kOutputs});
    bias_ = declare("bias", {kOutputs});
  }

  // Minimises once for each (begin, end) on what `data_replicas` replicas see in those micro-steps. Returns kernel and
  // bias after each.
  std::vector<Literal> Run(int data_replicas, const std::vector<std::pair<int64_t, int64_t>>& parts) {
    const std::vector<Feeds> feeds = Split(Data(), num_replicas_);
    const auto step = [&](const Inputs& inputs) {
      std::vector<Tensor> after;
      for (const auto& [begin, end] : parts) {
        const Tensor x = Part(inputs.at("x"), data_replicas, begin, end);
        const Tensor y = Part(inputs.at("y"), data_replicas, begin, end);
        const Tensor error = Square(Tanh(MatMul(x, kernel_) + bias_) - y);
        optimizer_.Minimize(reduction_ == GradientReduction::kSum ? ReduceSum(error) : ReduceMean(error));
        after.push_back(kernel_.Read());
        after.push_back(bias_.Read());
      }
      return after;
    };
    std::map<std::string, Shape> shapes;
    for (const auto& [name, value] : feeds[0]) shapes.emplace(name, value.shape());
    const Program program = runner_.Build(step, shapes);
    for (const std::string& name : runner_.VariableNames()) {
      if (!set_.insert(name).second || name == "kernel" || name == "bias") continue;
      runner_.Set(name, Literal(runner_.variables().Find(name)->options.shape));
    }
    return runner_.Execute(program, feeds)[0];
  }
  const Literal& Get(const std::string& name, int replica = 0) const { return runner_.Get(name, replica); }

 private:
  StepRunner runner_;
  int num_replicas_;
  Optimizer optimizer_;
  GradientReduction reduction_;
  Variable kernel_, bias_;
  std::set<std::string> set_;
};

using Make = std::function<Optimizer()>;

// Two updates of the large batch against six micro-steps, in two executions of four and two.
void ExpectEqualToTheLargeBatch(const Make& make, GradientReduction reduction, int num_replicas,
                                bool accumulate_first) {
  const Optimizer both = accumulate_first ? optim::Accumulate(make(), kSteps).WithReduction(reduction)
                                          : optim::Accumulate(make().WithReduction(reduction), kSteps);
  SCOPED_TRACE(both.name() + ", " + std::to_string(num_replicas) + " replicas");
  Training large(1, make().WithReduction(reduction), reduction);
  const std::vector<Literal> expected = large.Run(num_replicas, {{0, kSteps}, {kSteps, 2 * kSteps}});

  Training accumulated(num_replicas, both, reduction);
  const Literal start[] = {accumulated.Get("kernel"), accumulated.Get("bias")};
  std::vector<Literal> after = accumulated.Run(1, {{0, 1}, {1, 2}, {2, 3}, {3, 4}});
  EXPECT_NE(Difference(accumulated.Get(both.name() + "/kernel/accumulated_gradient"), Literal(start[0].shape())), 0);
  EXPECT_EQ(accumulated.Get(both.name() + "/iterations").Item<int64_t>(), 1);
  for (Literal& value : accumulated.Run(1, {{4, 5}, {5, 6}})) after.push_back(std::move(value));

  for (size_t v = 0; v < 2; ++v) {
    const auto value = [&](size_t micro) { return after[2 * (micro - 1) + v]; };
    EXPECT_EQ(value(1), start[v]) << "between updates nothing moves";
    EXPECT_EQ(value(2), start[v]);
    EXPECT_LT(Difference(value(3), expected[v]), 1e-12);
    EXPECT_EQ(value(4), value(3));
    EXPECT_EQ(value(5), value(3));
    EXPECT_LT(Difference(value(6), expected[2 + v]), 1e-12);
  }
  for (int replica = 1; replica < num_replicas; ++replica) {
    EXPECT_EQ(accumulated.Get("kernel", replica), accumulated.Get("kernel"));
  }
  EXPECT_EQ(accumulated.Get(both.name() + "/kernel/accumulated_gradient"), Literal(start[0].shape()));
  EXPECT_EQ(accumulated.Get(both.name() + "/iterations").Item<int64_t>(), kUpdates);
  EXPECT_EQ(accumulated.Get(both.name() + "/micro_steps").Item<int64_t>(), kUpdates * kSteps);
}

TEST(Accumulate, EqualsTheLargeBatchForEveryRuleReductionAndOrder) {
  const Make sgd = [] { return optim::Sgd({.learning_rate = 0.3, .clip_norm = 0.1}); };
  const Make momentum = [] {
    return optim::Momentum(
        {.learning_rate = optim::ExponentialDecay({.initial_value = 0.2, .decay_steps = 1, .decay_rate = 0.5}),
         .nesterov = true});
  };
  const Make adam = [] { return optim::Adam({.learning_rate = 0.05, .weight_decay = 0.1}); };
  ExpectEqualToTheLargeBatch(sgd, GradientReduction::kMean, 1, true);
  ExpectEqualToTheLargeBatch(sgd, GradientReduction::kSum, 2, false);
  ExpectEqualToTheLargeBatch(momentum, GradientReduction::kMean, 2, true);
  ExpectEqualToTheLargeBatch(adam, GradientReduction::kMean, 2, false);
  ExpectEqualToTheLargeBatch(adam, GradientReduction::kSum, 1, true);
}

// One variable "w" of zeros, and `gradients`, one per micro-step.
Literal Applied(DType dtype, const Optimizer& optimizer, const std::vector<std::vector<double>>& gradients) {
  StepRunner runner;
  const Shape shape{dtype, {static_cast<int64_t>(gradients[0].size())}};
  const auto step = [&](const Inputs&) {
    const Variable weight({.name = "w", .shape = shape, .initializer = [](const Shape& s) { return Zeros(s); }});
    for (const std::vector<double>& gradient : gradients) {
      const Literal value = Literal::FromValues<double>(shape.dims, gradient).ConvertTo(dtype);
      optimizer.ApplyGradients(std::vector<optim::GradientAndVariable>{{Constant(value), weight}});
    }
    return std::vector<Tensor>{};
  };
  runner.Run(step);
  return runner.Get("w").ConvertTo(DType::kF64);
}

TEST(Accumulate, TheCombinationCanBeSaid) {
  const auto applied = [](std::optional<GradientReduction> reduction, std::optional<GradientReduction> combination) {
    const Optimizer sgd = optim::Sgd({.learning_rate = 1});
    const Optimizer wrapped = reduction ? sgd.WithReduction(*reduction) : sgd;
    return Applied(DType::kF64, optim::Accumulate(wrapped, 2, combination), {{1}, {2}}).Item<double>();
  };
  EXPECT_EQ(applied(std::nullopt, std::nullopt), -1.5);
  EXPECT_EQ(applied(std::nullopt, GradientReduction::kSum), -3);
  EXPECT_EQ(applied(GradientReduction::kSum, std::nullopt), -3);
  EXPECT_EQ(applied(GradientReduction::kSum, GradientReduction::kMean), -1.5);
}

// An update computed from a part of the batch must not leak, not even as zero times infinity.
TEST(Accumulate, InfinityInBetweenIsNotApplied) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Optimizer optimizer = optim::Accumulate(optim::Sgd({.learning_rate = 1, .clip_norm = 1}), 2);
  EXPECT_EQ(Applied(DType::kF64, optimizer, {{infinity, 1}}), Literal::FromValues<double>({2}, {0, 0}));
}

TEST(Accumulate, NarrowParametersAccumulateInF32) {
  const Optimizer optimizer = optim::Accumulate(optim::Sgd({.learning_rate = 1}), 3, GradientReduction::kSum);
  EXPECT_EQ(Applied(DType::kBF16, optimizer, {{256}, {1}, {1}}).Item<double>(), -258);  // in bf16, 256 + 1 = 256
}

TEST(Accumulate, RefusesWhatCannotBeRight) {
  const auto message = [](const std::function<void()>& action) -> std::string {
    try {
      action();
    } catch (const Error& error) {
      return error.message();
    }
    return "";
  };
  EXPECT_THAT(message([] { optim::Accumulate(optim::Adam(), 0); }), HasSubstr("at least 1"));
  EXPECT_THAT(message([] { optim::Accumulate(optim::Accumulate(optim::Adam(), 2), 3); }), HasSubstr("already"));
  StepRunner runner;
  BuildContext build({.variables = &runner.variables()});
  const BuildContext::Scope scope(build);
  const Optimizer one = optim::Accumulate(optim::Adam(), 1);
  EXPECT_EQ(one.micro_steps(), one.iterations());
}

}  // namespace
}  // namespace replicator::testing
