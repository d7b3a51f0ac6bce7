// Pooling of NaN, infinities and equal values, and averages at the border.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ops/registry.h"
#include "replicator/ops/convolution.h"
#include "replicator/ops/gradients.h"
#include "support/evaluate.h"

namespace replicator::testing {
namespace {

using ::testing::ElementsAre;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Literal Image(int64_t height, int64_t width, const std::vector<double>& values) {
  return Literal::FromValues<double>({1, height, width, 1}, values);
}

class Pooling : public ::testing::TestWithParam<std::string> {
 protected:
  // The result of pooling x, and the gradient of its elements' weighted sum, with weights 1, 2, 3, ...
  std::pair<std::vector<double>, std::vector<double>> MaxAndGradient(const Literal& x, const PoolOptions& options) {
    const auto pool = [&](const std::vector<Tensor>& t) -> std::vector<Tensor> { return {MaxPool(t[0], options)}; };
    const Literal y = Evaluate(pool, {x}, {.backend = GetParam()})[0];
    Literal weights(y.shape());
    for (size_t i = 0; i < weights.mutable_data<double>().size(); ++i) {
      weights.mutable_data<double>()[i] = static_cast<double>(i + 1);
    }
    const auto gradient = [&](const std::vector<Tensor>& t) {
      return Gradients(MaxPool(t[0], options), std::vector<Tensor>{t[0]}, t[1]);
    };
    return {y.ToDoubles(), Evaluate(gradient, {x, weights}, {.backend = GetParam()})[0].ToDoubles()};
  }
  std::vector<double> Average(const Literal& x, const PoolOptions& options) {
    const auto pool = [&](const std::vector<Tensor>& t) -> std::vector<Tensor> { return {AveragePool(t[0], options)}; };
    return Evaluate(pool, {x}, {.backend = GetParam()})[0].ToDoubles();
  }
};

// Row by row: of the four equal values the one at the top left; of two in different rows the upper one, though it lies
// further right.
TEST_P(Pooling, FirstOfEqualMaximaTakesTheGradient) {
  const auto [y, dx] = MaxAndGradient(Image(2, 4,
                                            {5, 5, 0, 7,  //
                                             5, 5, 7, 0}),
                                      {});
  EXPECT_THAT(y, ElementsAre(5, 7));
  EXPECT_THAT(dx, ElementsAre(1, 0, 0, 2,  //
                              0, 0, 0, 0));
}

TEST_P(Pooling, FirstOfEqualMaximaInOverlappingWindows) {
  const auto [y, dx] = MaxAndGradient(Image(3, 3,
                                            {1, 4, 1,  //
                                             4, 4, 4,  //
                                             1, 4, 1}),
                                      {.strides = {1, 1}});
  EXPECT_THAT(y, ElementsAre(4, 4, 4, 4));
  EXPECT_THAT(dx, ElementsAre(0, 1 + 2, 0,  //
                              3, 4, 0,      //
                              0, 0, 0));
}

TEST_P(Pooling, NaNIsTheMaximumAndTakesTheGradient) {
  for (const int64_t width : {4, 5}) {               // windows that tile the image, and a remainder
    std::vector<double> values = {9, 1, 2,    kNaN,  //
                                  3, 4, kNaN, 8};
    std::vector<double> expected = {1, 0, 0, 2,  //
                                    0, 0, 0, 0};
    if (width == 5) {
      values.insert(values.begin() + 4, 0);
      values.push_back(0);
      expected.insert(expected.begin() + 4, 0);
      expected.push_back(0);
    }
    const auto [y, dx] = MaxAndGradient(Image(2, width, values), {});
    EXPECT_EQ(y[0], 9);
    EXPECT_TRUE(std::isnan(y[1]));
    EXPECT_EQ(dx, expected) << width;
  }
}

// Padding is -infinity, and an image may be too.
TEST_P(Pooling, PaddingNeverWins) {
  const std::vector<double> values(4, -kInfinity);
  const auto [y, dx] = MaxAndGradient(
      Image(2, 2, values), {.window = {2, 2}, .strides = {2, 2}, .padding = Padding::Explicit({1, 1}, {1, 1})});
  EXPECT_THAT(y, ElementsAre(-kInfinity, -kInfinity, -kInfinity, -kInfinity));
  EXPECT_THAT(dx, ElementsAre(1, 2, 3, 4));
  const auto negative =
      MaxAndGradient(Image(1, 1, {-3}), {.window = {3, 3}, .strides = {1, 1}, .padding = Padding::Same()});
  EXPECT_THAT(negative.first, ElementsAre(-3));
  EXPECT_THAT(negative.second, ElementsAre(1));
}

TEST_P(Pooling, AveragesCountOnlyTheImage) {
  const PoolOptions same{.window = {3, 3}, .strides = {2, 2}, .padding = Padding::Same()};
  EXPECT_THAT(Average(Image(3, 3, {1, 2, 3, 4, 5, 6, 7, 8, 9}), same),
              ElementsAre(3, 4, 6, 7));  // each of the four corners: 2x2 elements
  EXPECT_THAT(Average(Image(2, 3, {1, 2, 3, 4, 5, 6}), {.window = {2, 3}, .strides = {2, 3}}), ElementsAre(3.5));
  // A constant image stays itself, at every border.
  const PoolOptions odd{.window = {2, 4}, .strides = {1, 3}, .padding = Padding::Same()};
  for (double mean : Average(Image(4, 7, std::vector<double>(28, 0.75)), odd)) EXPECT_EQ(mean, 0.75);
}

// The sum of 16 of them overflows f16, their mean does not.
TEST_P(Pooling, NarrowAveragesAreSummedInSinglePrecision) {
  Literal x(Shape{DType::kF16, {1, 4, 4, 1}});
  for (Half& element : x.mutable_data<Half>()) element = Half(30000.f);
  const auto pool = [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
    return {AveragePool(t[0], {.window = {4, 4}, .strides = {4, 4}})};
  };
  const Literal y = Evaluate(pool, {x}, {.backend = GetParam()})[0];
  EXPECT_EQ(y.dtype(), DType::kF16);
  EXPECT_NEAR(y.Item<double>(), 30000, 16);
}

TEST_P(Pooling, OtherTargetsReduceWindows) {
  const auto pool = [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
    const PoolOptions options{.window = {3, 2}, .strides = {2, 1}, .padding = Padding::Same()};
    return {MaxPool(t[0], options), AveragePool(t[0], options)};
  };
  const Literal x = Image(4, 3, {1, -2, 3, kNaN, 5, -6, 7, 8, 9, -1, -3, -2});
  const auto run = [&](LoweringTarget target) {
    return CpuBackend(GetParam()).Run(LowerToText(pool, {x.shape()}, 1, target), {{x}})[0];
  };
  const std::vector<Literal> here = run(LoweringTarget::kCpu), there = run(LoweringTarget::kTpu);
  for (size_t i = 0; i < 2; ++i) {
    const std::vector<double> a = here[i].ToDoubles(), b = there[i].ToDoubles();
    ASSERT_EQ(a.size(), b.size());
    for (size_t k = 0; k < a.size(); ++k) {
      if (std::isnan(a[k])) {
        EXPECT_TRUE(std::isnan(b[k]));
      } else {
        EXPECT_NEAR(a[k], b[k], 1e-12);
      }
    }
  }
  EXPECT_TRUE(std::isnan(here[0].ToDoubles()[0]));
}

INSTANTIATE_TEST_SUITE_P(Plugins, Pooling, ::testing::ValuesIn(CpuBackendNames()),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace replicator::testing
