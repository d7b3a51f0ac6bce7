// Losses and metrics: against PyTorch, at extreme logits, and summed over replicas.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "nn/recorded.h"
#include "nn/step_runner.h"
#include "replicator/nn/losses.h"
#include "replicator/nn/metrics.h"
#include "replicator/ops/elementwise.h"
#include "replicator/ops/gradients.h"
#include "replicator/ops/reduce.h"

namespace replicator::testing {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

using LossFn = std::function<Tensor(const Operand&, const Operand&)>;

void ExpectRecorded(const std::string& name, const LossFn& loss_fn) {
  for (DType dtype : {DType::kF64, DType::kF32}) {
    SCOPED_TRACE(name + " in " + std::string(ToString(dtype)));
    const Literal& labels = Recorded(name + "/labels");
    StepRunner runner;
    const auto step = [&](const Inputs& inputs) {
      const Tensor y = loss_fn(inputs.at("x"), inputs.at("labels"));
      const Tensor total = ReduceSum(y * inputs.at("weights"));
      return std::vector{y, Gradients(total, std::vector<Tensor>{inputs.at("x")})[0]};
    };
    const auto results = runner.RunOne(step, {{"x", Recorded(name + "/x").ConvertTo(dtype)},
                                              {"labels", IsFloating(labels.dtype()) ? labels.ConvertTo(dtype) : labels},
                                              {"weights", Recorded(name + "/weights").ConvertTo(dtype)}});
    const double tolerance = dtype == DType::kF64 ? 1e-12 : 1e-5;
    EXPECT_LT(Difference(results[0], Recorded(name + "/y")), tolerance);
    EXPECT_LT(Difference(results[1], Recorded(name + "/dx")), tolerance);
  }
}

LossFn CrossEntropy(double smoothing) {
  return
      [=](const Operand& x, const Operand& y) { return nn::SoftmaxCrossEntropy(x, y, {.label_smoothing = smoothing}); };
}

TEST(Losses, AgreeWithRecordedValues) {
  ExpectRecorded("cross_entropy", CrossEntropy(0));
  ExpectRecorded("cross_entropy_smooth", CrossEntropy(0.1));
  ExpectRecorded("cross_entropy_soft", CrossEntropy(0));
  ExpectRecorded("cross_entropy_soft_smooth", CrossEntropy(0.1));
  ExpectRecorded("binary_cross_entropy", nn::BinaryCrossEntropy);
  ExpectRecorded("mean_squared_error", nn::MeanSquaredError);
}

template <typename T>
std::vector<Literal> LossAndGradient(const LossFn& loss_fn, Dims dims, const std::vector<float>& logits,
                                     Dims label_dims, const std::vector<T>& labels) {
  StepRunner runner;
  return runner.RunOne(
      [&](const Inputs& inputs) {
        const Tensor y = loss_fn(inputs.at("x"), inputs.at("labels"));
        return std::vector{y, Gradients(ReduceSum(y), std::vector<Tensor>{inputs.at("x")})[0]};
      },
      {{"x", Literal::FromValues(std::move(dims), logits)},
       {"labels", Literal::FromValues(std::move(label_dims), labels)}});
}

TEST(SoftmaxCrossEntropy, StaysFiniteForHugeLogitsAndExcludedClasses) {
  const float kExcluded = -std::numeric_limits<float>::infinity();
  const auto results =
      LossAndGradient<int32_t>(CrossEntropy(0), {3, 2}, {1e4f, -1e4f, 3e38f, 3e38f, 2, kExcluded}, {3}, {1, 0, 0});
  EXPECT_LT(Difference(results[0], Literal::FromValues<double>({3}, {2e4, std::log(2.0), 0})), 1e-6);
  EXPECT_LT(Difference(results[1], Literal::FromValues<double>({3, 2}, {1, -1, -0.5, 0.5, 0, 0})), 1e-6);
}

TEST(SoftmaxCrossEntropy, ALabelThatIsNoClassGivesNaN) {
  for (int64_t label : {-1, 3, 300}) {
    const auto results = LossAndGradient<int64_t>(CrossEntropy(0), {2, 3}, {1, 2, 3, 1, 2, 3}, {2}, {2, label});
    EXPECT_FALSE(std::isnan(results[0].data<float>()[0]));
    EXPECT_TRUE(std::isnan(results[0].data<float>()[1])) << label;
  }
}

TEST(SoftmaxCrossEntropy, ByteLabelsNameMoreClassesThanABytesRange) {
  std::vector<float> logits(300, 0.0f);
  logits[256] = 5;  // class 256 is 0 in a byte
  const auto results = LossAndGradient<uint8_t>(CrossEntropy(0), {1, 300}, logits, {1}, {0});
  EXPECT_NEAR(results[0].data<float>()[0], std::log(299 + std::exp(5.0)), 1e-5);
}

TEST(BinaryCrossEntropy, StaysFiniteForHugeLogits) {
  const auto results = LossAndGradient<float>(nn::BinaryCrossEntropy, {4}, {1e4f, 1e4f, -1e4f, 0}, {4}, {1, 0, 0, 1});
  EXPECT_LT(Difference(results[0], Literal::FromValues<double>({4}, {0, 1e4, 0, std::log(2.0)})), 1e-6);
  EXPECT_LT(Difference(results[1], Literal::FromValues<double>({4}, {0, 1, 0, -0.5})), 1e-6);
}

TEST(Losses, NarrowTypesAreComputedInF32) {
  StepRunner runner;
  const auto step = [&](const Inputs& inputs) {
    return std::vector{nn::SoftmaxCrossEntropy(inputs.at("x"), inputs.at("labels"))};
  };
  const Literal logits = Recorded("cross_entropy/x").ConvertTo(DType::kBF16);
  const Literal& labels = Recorded("cross_entropy/labels");
  const auto narrow = runner.RunOne(step, {{"x", logits}, {"labels", labels}});
  const auto wide = runner.RunOne(step, {{"x", logits.ConvertTo(DType::kF32)}, {"labels", labels}});
  EXPECT_EQ(narrow[0], wide[0]);
}

TEST(Losses, RefuseExtentsThatWouldBroadcast) {
  StepRunner runner;
  const auto refuses = [&](const LossFn& loss, const Shape& x, const Shape& y) {
    EXPECT_THROW(
        runner.Build([&](const Inputs& in) { return std::vector{loss(in.at("x"), in.at("y"))}; }, {{"x", x}, {"y", y}}),
        Error)
        << ToString(x) << " " << ToString(y);
  };
  refuses(nn::MeanSquaredError, {DType::kF32, {4}}, {DType::kF32, {4, 1}});
  refuses(nn::MeanSquaredError, {DType::kF32, {4}}, {DType::kF64, {4}});
  refuses(nn::BinaryCrossEntropy, {DType::kF32, {4}}, {DType::kF32, {1}});
  refuses(CrossEntropy(0), {DType::kF32, {4, 3}}, {DType::kI32, {4, 1}});
  refuses(CrossEntropy(0), {DType::kF32, {4, 3}}, {DType::kF32, {4}});
  refuses(CrossEntropy(0), {DType::kF32, {4, 0}}, {DType::kI32, {4}});
  refuses(CrossEntropy(1), {DType::kF32, {4, 3}}, {DType::kI32, {4}});
  refuses(CrossEntropy(kInfinity), {DType::kF32, {4, 3}}, {DType::kI32, {4}});
}

// Four examples per replica, of which the last two of all are padding with logits that are NaN.
TEST(Metrics, AreExactOverReplicasAndPadding) {
  const float kNaN = std::numeric_limits<float>::quiet_NaN();
  const Feeds global = {
      {"logits", Literal::FromValues<float>({8, 2}, {1, 0, 0, 1, 5, 2, 0, 0, 3, 4, 1, 0, kNaN, kNaN, kNaN, kNaN})},
      {"labels", Literal::FromValues<int32_t>({8}, {0, 0, 0, 0, 1, 1, 0, 0})},
      {"mask", Literal::FromValues<bool>({8}, {true, true, true, true, true, true, false, false})}};
  // Right are examples 0, 2, 3 (the first of equals), 4.
  for (int replicas : {1, 2, 4}) {
    StepRunner runner(replicas);
    const auto step = [&](const Inputs& in) {
      const nn::Metric masked = nn::Accuracy(in.at("logits"), in.at("labels"), in.at("mask"));
      const nn::Metric loss = nn::MeanOf(nn::SoftmaxCrossEntropy(in.at("logits"), in.at("labels")), in.at("mask"));
      const nn::Metric all = nn::Accuracy(Select(IsFinite(in.at("logits")), in.at("logits"), 0.0), in.at("labels"));
      EXPECT_EQ(all.weight.typing(), Typing::kVarying);
      return std::vector{masked.sum, masked.weight, nn::GlobalMean(masked), nn::GlobalMean(all), nn::GlobalMean(loss)};
    };
    const PerReplica results = runner.Run(step, Split(global, replicas), Mode::kEval);
    float sum = 0, weight = 0;
    for (const auto& result : results) {
      sum += result[0].Item<float>();
      weight += result[1].Item<float>();
      EXPECT_FLOAT_EQ(result[2].Item<float>(), 4.0f / 6);
      EXPECT_FLOAT_EQ(result[3].Item<float>(), 6.0f / 8);  // padding's class is 0, as is its label
      EXPECT_FLOAT_EQ(result[4].Item<float>(),
                      static_cast<float>((std::log1p(std::exp(-1.0)) * 2 + std::log(2.0) + std::log1p(std::exp(-3.0)) +
                                          std::log1p(std::exp(1.0)) * 2) /
                                         6));
    }
    EXPECT_EQ(sum, 4);
    EXPECT_EQ(weight, 6);
  }
}

}  // namespace
}  // namespace replicator::testing
