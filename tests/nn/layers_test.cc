// Layers against PyTorch, forward and backward.
#include <gtest/gtest.h>

#include <functional>
#include <optional>

#include "nn/recorded.h"
#include "nn/step_runner.h"
#include "replicator/nn/activations.h"
#include "replicator/nn/conv2d.h"
#include "replicator/nn/dense.h"
#include "replicator/nn/dropout.h"
#include "replicator/nn/pooling.h"
#include "replicator/nn/sequential.h"
#include "replicator/ops/collectives.h"
#include "replicator/ops/elementwise.h"
#include "replicator/ops/gradients.h"
#include "replicator/ops/reduce.h"
#include "replicator/ops/shape.h"

namespace replicator::testing {
namespace {

constexpr double kF64Tolerance = 1e-12, kF32Tolerance = 1e-5;

using LayerFn = std::function<Tensor(const Operand&)>;

// Runs the recorded case with `layer`, whose variables are `path`/kernel and `path`/bias, in `dtype`, and compares the
// result and all gradients of sum(result * weights).
void ExpectRecorded(const std::string& name, const LayerFn& layer, const std::string& path, DType dtype) {
  SCOPED_TRACE(name + " in " + std::string(ToString(dtype)));
  StepRunner runner;
  std::vector<std::string> parameters;
  for (const char* parameter : {"kernel", "bias"}) {
    if (!HasRecorded(name + "/" + parameter)) continue;
    runner.Set(path + "/" + parameter, Recorded(name + "/" + parameter).ConvertTo(dtype));
    parameters.push_back(parameter);
  }
  const auto step = [&](const Inputs& inputs) {
    const Tensor& x = inputs.at("x");
    const Tensor y = layer(x);
    const Tensor loss = ReduceSum(y * inputs.at("weights"));
    const std::vector<Variable> variables = TrainableVariablesOf(loss);
    EXPECT_EQ(variables.size(), parameters.size());
    std::vector<Tensor> results = Gradients(loss, variables);
    results.insert(results.begin(), {y, Gradients(loss, std::vector<Tensor>{x})[0]});
    return results;
  };
  const std::vector<Literal> results = runner.RunOne(
      step, {{"x", Recorded(name + "/x").ConvertTo(dtype)}, {"weights", Recorded(name + "/weights").ConvertTo(dtype)}});
  const double tolerance = dtype == DType::kF64 ? kF64Tolerance : kF32Tolerance;
  EXPECT_EQ(results[0].dtype(), dtype);
  EXPECT_LT(Difference(results[0], Recorded(name + "/y")), tolerance);
  EXPECT_LT(Difference(results[1], Recorded(name + "/dx")), tolerance);
  for (size_t i = 0; i < parameters.size(); ++i) {
    EXPECT_LT(Difference(results[2 + i], Recorded(name + "/d" + parameters[i])), tolerance) << parameters[i];
  }
}

class InBothPrecisions : public ::testing::TestWithParam<DType> {};
INSTANTIATE_TEST_SUITE_P(Types, InBothPrecisions, ::testing::Values(DType::kF64, DType::kF32),
                         [](const auto& case_info) { return std::string(ToString(case_info.param)); });

TEST_P(InBothPrecisions, Dense) {
  ExpectRecorded("dense", nn::Dense({.units = 7}), "dense", GetParam());
  ExpectRecorded("dense_no_bias", nn::Dense({.units = 7, .use_bias = false}), "dense", GetParam());
}

TEST_P(InBothPrecisions, Conv2D) {
  const auto expect = [](const std::string& name, nn::Conv2DOptions options) {
    options.filters = 4;
    ExpectRecorded(name, nn::Conv2D(options), "conv2d", GetParam());
  };
  expect("conv_valid", {});
  expect("conv_strided", {.kernel_size = {3, 2}, .strides = {2, 2}, .padding = Padding::Explicit({1, 1}, {1, 1})});
  expect("conv_dilated", {.padding = Padding::Explicit({2, 2}, {2, 2}), .dilation = {2, 2}});
  expect("conv_1x1", {.kernel_size = {1, 1}, .use_bias = false});
  expect("conv_asymmetric", {.kernel_size = {5, 1}, .strides = {1, 2}, .padding = Padding::Explicit({2, 2}, {0, 0})});
}

TEST_P(InBothPrecisions, Pooling) {
  const nn::Pool2DOptions overlapping{
      .window = {3, 3}, .strides = {2, 2}, .padding = Padding::Explicit({1, 1}, {1, 1})};
  ExpectRecorded("max_pool", nn::MaxPool2D(), "", GetParam());
  ExpectRecorded("max_pool_overlapping", nn::MaxPool2D(overlapping), "", GetParam());
  ExpectRecorded("average_pool", nn::AveragePool2D(), "", GetParam());
  ExpectRecorded("average_pool_padded", nn::AveragePool2D(overlapping), "", GetParam());
  ExpectRecorded("global_average_pool", nn::GlobalAveragePool2D(), "", GetParam());
}

TEST_P(InBothPrecisions, Activations) {
  ExpectRecorded("relu", nn::Relu(), "", GetParam());
  ExpectRecorded("tanh", nn::Tanh(), "", GetParam());
  ExpectRecorded("gelu", nn::Gelu(), "", GetParam());
}

TEST(Sequential, IsTheCompositionOfItsLayers) {
  const nn::Sequential model({nn::Dense({.units = 7}), replicator::Relu, nn::Dropout({.rate = 0}), nn::Flatten()},
                             {.name = "mlp"});
  StepRunner runner;
  runner.Set("mlp/0/kernel", Recorded("dense/kernel"));
  runner.Set("mlp/0/bias", Recorded("dense/bias"));
  const auto y = runner.RunOne([&](const Inputs& inputs) { return std::vector{model(inputs.at("x"))}; },
                               {{"x", Recorded("dense/x")}});
  Literal expected = Recorded("dense/y");
  for (double& value : expected.mutable_data<double>()) value = std::max(value, 0.0);
  EXPECT_LT(Difference(y[0], expected), kF64Tolerance);
}

// --- Dropout ---------------------------------------------------------------------------------------------------------

Literal OnesOf(Dims dims) {
  Literal ones{Shape{DType::kF32, std::move(dims)}};
  for (float& value : ones.mutable_data<float>()) value = 1;
  return ones;
}

TEST(Dropout, KeepsTheMeanAndScalesWhatIsKept) {
  const nn::Dropout dropout({.rate = 0.25});
  StepRunner runner;
  const auto step = [&](const Inputs& inputs) { return std::vector{dropout(inputs.at("x"))}; };
  const Feeds feeds = {{"x", OnesOf({200, 500})}};
  const Literal y = runner.RunOne(step, feeds)[0];
  int64_t kept = 0;
  for (float value : y.data<float>()) {
    if (value == 0) continue;
    EXPECT_FLOAT_EQ(value, 1 / 0.75f);
    ++kept;
  }
  EXPECT_NEAR(static_cast<double>(kept), 75000, 5 * 137);  // the binomial's standard deviation is 137
  EXPECT_EQ(runner.RunOne(step, feeds, Mode::kEval)[0], feeds.at("x"));
}

TEST(Dropout, EdgesOfTheRateAndAnExplicitMode) {
  StepRunner runner;
  const auto step = [&](const Inputs& inputs) {
    const Tensor& x = inputs.at("x");
    return std::vector{nn::Dropout({.rate = 0, .name = "none"})(x), nn::Dropout({.rate = 1, .name = "all"})(x),
                       nn::Dropout({.name = "told"})(x, Mode::kEval)};
  };
  const Literal x = OnesOf({3, 2});
  const auto y = runner.RunOne(step, {{"x", x}});
  EXPECT_EQ(y[0], x);
  EXPECT_EQ(y[1], Literal(x.shape()));
  EXPECT_EQ(y[2], x);
}

TEST(Dropout, DrawsDifferBetweenModulesCallsAndStepsAndNotWithTheNumberOfReplicas) {
  const nn::Dropout a({.name = "a"}), b({.name = "b"});
  const auto step = [&](const Inputs& inputs) {
    const Tensor& x = inputs.at("x");
    return std::vector{AllGather(a(x)), AllGather(b(x)), AllGather(a(x))};
  };
  const Feeds global = {{"x", OnesOf({8, 64})}};
  std::vector<Literal> first;
  for (int replicas : {1, 2, 4}) {
    StepRunner runner(replicas);
    const std::vector<Feeds> feeds = Split(global, replicas);
    const Program program = runner.Build(step, {{"x", feeds[0].at("x").shape()}});
    std::vector<Literal> results = runner.Execute(program, feeds, 0)[0];
    for (Literal& result : results) result = result.Reshape({8, 64});
    if (replicas == 1) {
      first = results;
      EXPECT_FALSE(results[0] == results[1]);
      EXPECT_FALSE(results[0] == results[2]);
      EXPECT_FALSE(results[0] == runner.Execute(program, feeds, 1)[0][0].Reshape({8, 64}));
      EXPECT_EQ(results[0], runner.Execute(program, feeds, 0)[0][0].Reshape({8, 64}));
    }
    EXPECT_EQ(results, first) << replicas;
  }
}

}  // namespace
}  // namespace replicator::testing
