// Batch normalisation: against PyTorch, against a float64 oracle at a large mean, and over any number of replicas.
#include "replicator/nn/batch_norm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "nn/recorded.h"
#include "nn/step_runner.h"
#include "replicator/ops/collectives.h"
#include "replicator/ops/elementwise.h"
#include "replicator/ops/gradients.h"
#include "replicator/ops/reduce.h"
#include "replicator/ops/shape.h"

namespace replicator::testing {
namespace {

using nn::BatchNormScope;

// {y, dx, dgamma, dbeta} of sum(y * weights); gradients of variables are summed over replicas, and y and dx gathered.
StepFn GradientStep(const nn::BatchNorm& layer) {
  return [=](const Inputs& inputs) {
    const Tensor& x = inputs.at("x");
    const Tensor y = layer(x);
    const Tensor loss = ReduceSum(y * inputs.at("weights"));
    std::vector<Tensor> results = {AllGather(y), AllGather(Gradients(loss, std::vector<Tensor>{x})[0])};
    for (const Tensor& g : Gradients(loss, TrainableVariablesOf(loss))) results.push_back(AllSum(g));
    return results;
  };
}

struct Case {
  std::string name;
  BatchNormScope scope;
  int replicas;
  DType dtype;
};

class BatchNormRecorded : public ::testing::TestWithParam<Case> {};

TEST_P(BatchNormRecorded, Agrees) {
  const auto& [name, scope, replicas, dtype] = GetParam();
  const double tolerance = dtype == DType::kF64 ? 1e-12 : 1e-5;
  StepRunner runner(replicas);
  runner.Set("batch_norm/gamma", Recorded(name + "/gamma").ConvertTo(dtype));
  runner.Set("batch_norm/beta", Recorded(name + "/beta").ConvertTo(dtype));
  const StepFn step = GradientStep(nn::BatchNorm({.scope = scope}));
  const auto run = [&](const std::string& part, Mode mode) {
    const std::string path = name + "/" + part + "/";
    const Feeds global = {{"x", Recorded(path + "x").ConvertTo(dtype)},
                          {"weights", Recorded(path + "weights").ConvertTo(dtype)}};
    const std::vector<Literal> results = runner.Run(step, Split(global, replicas), mode)[0];
    const char* const names[] = {"y", "dx", "dgamma", "dbeta"};
    for (size_t i = 0; i < 4; ++i) {
      const Literal& expected = Recorded(path + names[i]);
      EXPECT_LT(Difference(results[i].Reshape(expected.dims()), expected), tolerance) << part << " " << names[i];
    }
  };
  for (const char* part : {"train0", "train1"}) {
    run(part, Mode::kTrain);
    for (const char* moving : {"moving_mean", "moving_variance"}) {
      EXPECT_LT(Difference(runner.Get(std::string("batch_norm/") + moving), Recorded(name + "/" + part + "/" + moving)),
                tolerance)
          << part << " " << moving;
    }
  }
  const Literal mean = runner.Get("batch_norm/moving_mean");
  run("eval", Mode::kEval);
  EXPECT_EQ(runner.Get("batch_norm/moving_mean"), mean);
}

INSTANTIATE_TEST_SUITE_P(Cases, BatchNormRecorded,
                         ::testing::Values(Case{"batch_norm_2d", BatchNormScope::kLocal, 1, DType::kF64},
                                           Case{"batch_norm_2d", BatchNormScope::kLocal, 1, DType::kF32},
                                           Case{"batch_norm_2d", BatchNormScope::kGlobal, 1, DType::kF64},
                                           Case{"batch_norm_2d", BatchNormScope::kGlobal, 2, DType::kF64},
                                           Case{"batch_norm_2d", BatchNormScope::kGlobal, 4, DType::kF64},
                                           Case{"batch_norm_2d", BatchNormScope::kGlobal, 4, DType::kF32},
                                           Case{"batch_norm_1d", BatchNormScope::kLocal, 1, DType::kF64},
                                           Case{"batch_norm_1d", BatchNormScope::kGlobal, 3, DType::kF64}),
                         [](const auto& case_info) {
                           return case_info.param.name +
                                  (case_info.param.scope == BatchNormScope::kLocal ? "_local_" : "_global_") +
                                  std::to_string(case_info.param.replicas) + "_" +
                                  std::string(ToString(case_info.param.dtype));
                         });

// --- A large mean ----------------------------------------------------------------------------------------------------

struct Moments {
  std::vector<double> mean, variance;
};

Moments MomentsOf(const Literal& x) {
  const auto features = static_cast<size_t>(x.dims().back());
  const std::vector<double> values = x.ToDoubles();
  const double count = static_cast<double>(values.size() / features);
  Moments moments{std::vector<double>(features), std::vector<double>(features)};
  for (size_t i = 0; i < values.size(); ++i) moments.mean[i % features] += values[i] / count;
  for (size_t i = 0; i < values.size(); ++i) {
    const double d = values[i] - moments.mean[i % features];
    moments.variance[i % features] += d * d / count;
  }
  return moments;
}

class BatchNormAtAMeanOf1e4 : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Replicas, BatchNormAtAMeanOf1e4, ::testing::Values(1, 2, 4));

TEST_P(BatchNormAtAMeanOf1e4, KeepsItsDigits) {
  const int replicas = GetParam();
  Literal x{Shape{DType::kF32, {32, 14, 14, 8}}};
  std::mt19937 random(5);
  std::normal_distribution<float> normal(1e4f, 1.0f);
  for (float& value : x.mutable_data<float>()) value = normal(random);
  const Moments moments = MomentsOf(x);
  const double count = 32 * 14 * 14;

  for (BatchNormScope scope : {BatchNormScope::kGlobal, BatchNormScope::kLocal}) {
    if (scope == BatchNormScope::kLocal && replicas > 1) continue;
    StepRunner runner(replicas);
    const nn::BatchNorm layer({.scope = scope, .momentum = 0});  // the moving statistics are the batch's
    const auto y = runner.Run([&](const Inputs& in) { return std::vector{AllGather(layer(in.at("x")))}; },
                              Split({{"x", x}}, replicas))[0][0];
    const std::vector<double> input = x.ToDoubles(), output = y.ToDoubles();
    double worst = 0;
    for (size_t i = 0; i < input.size(); ++i) {
      const double expected = (input[i] - moments.mean[i % 8]) / std::sqrt(moments.variance[i % 8] + 1e-5);
      worst = std::max(worst, std::abs(output[i] - expected));
    }
    EXPECT_LT(worst, 1e-5);
    const std::vector<double> variance = runner.Get("batch_norm/moving_variance").ToDoubles();
    for (size_t c = 0; c < 8; ++c) {
      EXPECT_LT(std::abs(variance[c] * (count - 1) / count / moments.variance[c] - 1), 1e-6) << c;
    }
  }
}

// --- The rest --------------------------------------------------------------------------------------------------------

TEST(BatchNorm, LocalScopeHasStatisticsPerReplica) {
  StepRunner runner(2);
  const nn::BatchNorm layer({.scope = BatchNormScope::kLocal, .momentum = 0.5});
  const Feeds global = {{"x", Literal::FromValues<double>({4, 1}, {1, 3, 10, 30})}};
  const auto y = runner.Run([&](const Inputs& in) { return std::vector{layer(in.at("x"))}; }, Split(global, 2));
  EXPECT_LT(Difference(y[0][0], Literal::FromValues<double>({2, 1}, {-1, 1})), 1e-4);
  EXPECT_LT(Difference(y[1][0], Literal::FromValues<double>({2, 1}, {-1, 1})), 1e-4);
  EXPECT_EQ(runner.Get("batch_norm/moving_mean", 0).Item<double>(), 1);          // (0 + 2) / 2
  EXPECT_EQ(runner.Get("batch_norm/moving_mean", 1).Item<double>(), 10);         // (0 + 20) / 2
  EXPECT_EQ(runner.Get("batch_norm/moving_variance", 0).Item<double>(), 1.5);    // (1 + 2) / 2
  EXPECT_EQ(runner.Get("batch_norm/moving_variance", 1).Item<double>(), 100.5);  // (1 + 200) / 2
  EXPECT_EQ(runner.variables().Find("batch_norm/moving_mean")->options.aggregation, Aggregation::kMean);
}

TEST(BatchNorm, AConstantFeatureGivesItsOffset) {
  StepRunner runner;
  const nn::BatchNorm layer;
  const auto y = runner.RunOne([&](const Inputs& in) { return std::vector{layer(in.at("x"))}; },
                               {{"x", Literal::FromValues<float>({3, 1}, {7, 7, 7})}});
  EXPECT_EQ(y[0], Literal(Shape{DType::kF32, {3, 1}}));
  EXPECT_EQ(runner.Get("batch_norm/moving_variance").Item<float>(), 0.9f);
  // A single example has no unbiased variance; its biased one is 0.
  const auto one = runner.RunOne([&](const Inputs& in) { return std::vector{layer(in.at("x"))}; },
                                 {{"x", Literal::FromValues<float>({1, 1}, {7})}});
  EXPECT_EQ(one[0].Item<float>(), 0);
}

TEST(BatchNorm, NarrowTypesKeepStatisticsInF32) {
  StepRunner runner;
  const nn::BatchNorm layer({.momentum = 0, .use_scale = false, .use_offset = false});
  const Literal x = Recorded("batch_norm_1d/train0/x").ConvertTo(DType::kBF16);
  const auto y = runner.RunOne([&](const Inputs& in) { return std::vector{layer(in.at("x"))}; }, {{"x", x}})[0];
  EXPECT_EQ(y.dtype(), DType::kBF16);
  const Moments moments = MomentsOf(x);
  EXPECT_LT(Difference(runner.Get("batch_norm/moving_mean"), Literal::FromValues<double>({3}, moments.mean)), 1e-6);
  EXPECT_EQ(runner.VariableNames().size(), 2u);
}

TEST(BatchNorm, AReplicatedInputNeedsNoCollective) {
  StepRunner runner(2);
  const nn::BatchNorm layer({.scope = BatchNormScope::kGlobal});
  const Program program = runner.Build(
      [&](const Inputs&) {
        const Tensor y = layer(Iota({DType::kF32, {4, 1}}));
        EXPECT_EQ(y.typing(), Typing::kReplicated);
        return std::vector{y};
      },
      {});
  EXPECT_TRUE(program.placeholders.empty());
}

TEST(BatchNorm, RefusesWhatHasNoStatistics) {
  StepRunner runner;
  const auto refuses = [&](const Shape& x) {
    const nn::BatchNorm layer;
    EXPECT_THROW(runner.Build([&](const Inputs& in) { return std::vector{layer(in.at("x"))}; }, {{"x", x}}), Error)
        << ToString(x);
  };
  refuses({DType::kF32, {3}});
  refuses({DType::kI32, {3, 2}});
  refuses({DType::kF32, {0, 2}});
  for (double momentum : {-0.1, 1.1, std::nan("")}) EXPECT_THROW(nn::BatchNorm({.momentum = momentum}), Error);
  for (double epsilon : {0.0, -1.0, std::nan("")}) EXPECT_THROW(nn::BatchNorm({.epsilon = epsilon}), Error);
}

}  // namespace
}  // namespace replicator::testing
