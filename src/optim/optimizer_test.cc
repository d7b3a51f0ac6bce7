#include "replicator/optim/optimizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "graph/build_context.h"
#include "replicator/graph/graph_error.h"
#include "replicator/ops/collectives.h"
#include "replicator/ops/elementwise.h"
#include "replicator/ops/reduce.h"
#include "replicator/ops/shape.h"
#include "replicator/optim/optimizers.h"

namespace replicator::optim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Tensor ZerosOf(const Shape& shape) { return Zeros(shape); }

class OptimizerTest : public ::testing::Test {
 protected:
  // `step` gets a mirrored parameter "w" and an input x, both f32[3].
  void Build(const std::function<void(const Variable& w, const Tensor& x)>& step, int replica = 0) {
    BuildContext build({.replica_index = replica, .num_replicas = 2, .variables = &variables_});
    const BuildContext::Scope scope(build);
    if (!w_.defined()) w_ = Variable({.name = "w", .shape = {DType::kF32, {3}}, .initializer = ZerosOf});
    step(w_, build.Input("x", {DType::kF32, {3}}, SourceLocation::current()));
    graph_ = ToString(*build.graph());
  }
  Error ErrorOf(const std::function<void(const Variable& w, const Tensor& x)>& step) {
    try {
      Build(step);
    } catch (const Error& error) {
      return error;
    }
    ADD_FAILURE() << "nothing was thrown";
    return Error(ErrorCode::kUnknown, "");
  }
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& def : variables_.all()) names.push_back(def->options.name);
    return names;
  }

  VariableTable variables_;
  Variable w_;
  std::string graph_;
};

const auto kMean = GradientReduction::kMean;
const auto kSum = GradientReduction::kSum;

TEST_F(OptimizerTest, DeclaresItsStateOnceForAllReplicasAndCopies) {
  const Optimizer adam = Adam({.learning_rate = 0.1}).WithReduction(kMean);
  const auto step = [adam](const Variable& w, const Tensor& x) { adam.Minimize(ReduceMean(w * x)); };
  Build(step);
  EXPECT_THAT(Names(), ElementsAre("w", "adam/iterations", "adam/w/m", "adam/w/v"));
  const std::string first = graph_;
  Build(step, 1);
  EXPECT_EQ(graph_, first);
  Build(step);
  EXPECT_EQ(Names().size(), 4u);
  for (const auto& def : variables_.all()) EXPECT_EQ(def->options.trainable, def->options.name == "w");
  EXPECT_EQ(adam.iterations().shape(), (Shape{DType::kI64, {}}));
}

TEST_F(OptimizerTest, MadeInTheStepItIsFoundByTheOtherReplicas) {
  const auto step = [](const Variable& w, const Tensor& x) {
    Momentum({.learning_rate = 1}).WithReduction(kSum).Minimize(ReduceMean(w * x));
  };
  Build(step);
  Build(step, 1);
  EXPECT_THAT(Names(), ElementsAre("w", "momentum/iterations", "momentum/w/velocity"));
}

TEST_F(OptimizerTest, TwoOfOneNameAreAnErrorThatAsksForAnother) {
  const Error error = ErrorOf([](const Variable& w, const Tensor& x) {
    const Tensor loss = AllMean(ReduceMean(w * x));
    Sgd({.learning_rate = 1}).WithReduction(kMean).Minimize(loss);
    Sgd({.learning_rate = 2}).WithReduction(kMean).Minimize(loss);
  });
  EXPECT_EQ(error.code(), ErrorCode::kAlreadyExists);
  EXPECT_THAT(error.message(), HasSubstr("another .name"));
  std::vector<uint32_t> lines;
  for (const SourceLocation& where : error.where()) lines.push_back(where.line());
  EXPECT_THAT(lines, ::testing::IsSupersetOf({__LINE__ - 6u, __LINE__ - 7u}));
}

TEST_F(OptimizerTest, WithoutAggregationItSaysHowToGetIt) {
  const Error error =
      ErrorOf([](const Variable& w, const Tensor& x) { Sgd({.learning_rate = 1}).Minimize(ReduceMean(w * x)); });
  EXPECT_EQ(error.where().front().line(), __LINE__ - 1u);
  EXPECT_THAT(error.message(), HasSubstr("WrapOptimizer"));
  EXPECT_THAT(error.message(), HasSubstr("'w'"));
  // An equal gradient everywhere needs none.
  Build([](const Variable& w, const Tensor&) { Sgd({.learning_rate = 1}).Minimize(ReduceMean(w * 2)); });
}

TEST_F(OptimizerTest, RefusesToSumALossThatIsEqualEverywhere) {
  const Error error = ErrorOf([](const Variable& w, const Tensor& x) {
    Sgd({.learning_rate = 1}).WithReduction(kSum).Minimize(AllMean(ReduceMean(w * x)));
  });
  EXPECT_THAT(error.message(), HasSubstr("kMean"));
  EXPECT_THAT(error.message(), HasSubstr("number of replicas"));
  Build([](const Variable& w, const Tensor& x) {
    Sgd({.learning_rate = 1}).WithReduction(kMean).Minimize(AllMean(ReduceMean(w * x)));
  });
}

TEST_F(OptimizerTest, WrappingTwiceIsAnError) {
  const Optimizer wrapped = Sgd({.learning_rate = 1}).WithReduction(kMean);
  EXPECT_EQ(wrapped.reduction(), kMean);
  EXPECT_THROW(wrapped.WithReduction(kMean), Error);
}

TEST_F(OptimizerTest, PerReplicaVariablesKeepTheirOwnGradients) {
  Build([](const Variable&, const Tensor& x) {
    const Variable own(
        {.name = "own", .shape = {DType::kF32, {3}}, .initializer = ZerosOf, .aggregation = Aggregation::kMean});
    Momentum({.learning_rate = 1}).WithReduction(kSum).Minimize(ReduceMean(own * x));
  });
  EXPECT_THAT(graph_, ::testing::Not(HasSubstr("all_sum")));
  EXPECT_EQ(variables_.Find("momentum/own/velocity")->options.aggregation, Aggregation::kMean);
}

TEST_F(OptimizerTest, RefusesLossesThatAreNone) {
  const Optimizer sgd = Sgd({.learning_rate = 1}).WithReduction(kMean);
  const auto message = [&](const std::function<void(const Variable&, const Tensor&)>& step) {
    return ErrorOf(step).message();
  };
  EXPECT_THAT(message([&](const Variable& w, const Tensor& x) { sgd.Minimize(w * x); }), HasSubstr("ReduceMean"));
  EXPECT_THAT(message([&](const Variable&, const Tensor&) { sgd.Minimize(Constant(1, DType::kI32)); }),
              HasSubstr("floating scalar"));
  EXPECT_THAT(message([&](const Variable&, const Tensor& x) { sgd.Minimize(ReduceMean(x)); }),
              HasSubstr("no trainable variable"));
  EXPECT_THAT(message([&](const Variable& w, const Tensor& x) {
                sgd.Minimize(ReduceMean(w * x), {.var_list = std::vector<Variable>{}});
              }),
              HasSubstr("empty"));
  EXPECT_THAT(message([&](const Variable&, const Tensor&) { sgd.Minimize(Tensor()); }), HasSubstr("undefined"));
}

TEST_F(OptimizerTest, RefusesGradientsThatDoNotFit) {
  const Optimizer sgd = Sgd({.learning_rate = 1});
  const auto message =
      [&](const std::function<std::vector<GradientAndVariable>(const Variable&, const Tensor&)>& make) {
        return ErrorOf([&](const Variable& w, const Tensor& x) { sgd.ApplyGradients(make(w, x)); }).message();
      };
  using Pairs = std::vector<GradientAndVariable>;
  const auto zeros = [](DType dtype, Dims dims) { return Zeros({dtype, std::move(dims)}); };
  EXPECT_THAT(message([&](const Variable& w, const Tensor&) { return Pairs{{zeros(DType::kF32, {2}), w}}; }),
              HasSubstr("f32[3]"));
  EXPECT_THAT(message([&](const Variable& w, const Tensor&) { return Pairs{{zeros(DType::kF64, {3}), w}}; }),
              HasSubstr("f32[3]"));
  EXPECT_THAT(message([&](const Variable& w, const Tensor&) {
                return Pairs{{zeros(DType::kF32, {3}), w}, {zeros(DType::kF32, {3}), w}};
              }),
              HasSubstr("twice"));
  EXPECT_THAT(message([&](const Variable&, const Tensor&) { return Pairs{}; }), HasSubstr("no gradients"));
  EXPECT_THAT(message([&](const Variable& w, const Tensor&) { return Pairs{{Tensor(), w}}; }), HasSubstr("undefined"));
}

TEST(Optimizers, OptionsAreChecked) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(Sgd({.learning_rate = -1}), Error);
  EXPECT_THROW(Sgd({.learning_rate = kNaN}), Error);
  EXPECT_THROW(Sgd({.learning_rate = 1, .clip_norm = 0}), Error);
  EXPECT_THROW(Sgd({.learning_rate = 1, .clip_norm = kNaN}), Error);
  EXPECT_THROW(Momentum({.learning_rate = 1, .momentum = 1}), Error);
  EXPECT_THROW(Adam({.beta1 = 1}), Error);
  EXPECT_THROW(Adam({.beta2 = -0.1}), Error);
  EXPECT_THROW(Adam({.epsilon = -1}), Error);
  EXPECT_THROW(Adam({.weight_decay = kNaN}), Error);
  EXPECT_THROW(Optimizer(nullptr, {.learning_rate = 1}), Error);
}

TEST(Schedules, OptionsAreChecked) {
  EXPECT_THROW(ExponentialDecay({.initial_value = 1, .decay_rate = 0.5}), Error);
  EXPECT_THROW(ExponentialDecay({.initial_value = 1, .decay_steps = 1}), Error);
  EXPECT_THROW(CosineDecay({.initial_value = 1}), Error);
  EXPECT_THROW(CosineDecay({.initial_value = HUGE_VAL, .decay_steps = 1}), Error);
  EXPECT_THROW(PiecewiseConstant({}), Error);
  EXPECT_THROW(PiecewiseConstant({.boundaries = {3, 3}, .values = {1, 2, 3}}), Error);
  EXPECT_THROW(PiecewiseConstant({.boundaries = {0}, .values = {1, 2}}), Error);
  EXPECT_THROW(LinearWarmup({.warmup_steps = -1}, ConstantSchedule(1)), Error);
  EXPECT_THROW(Schedule(nullptr), Error);
}

}  // namespace
}  // namespace replicator::optim
