// Distributions of the initializers, against closed forms.
#include "replicator/nn/initializers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "nn/step_runner.h"

namespace replicator::testing {
namespace {

std::vector<double> Draw(const Initializer& initializer, const Shape& shape) {
  StepRunner runner;
  const auto step = [&](const Inputs&) {
    const Variable variable({.name = "v", .shape = shape, .initializer = initializer});
    return std::vector{variable.Read()};
  };
  const Literal value = runner.RunOne(step)[0];
  EXPECT_EQ(value.shape(), shape);
  return value.ToDoubles();
}

double Deviation(const std::vector<double>& values, double mean) {
  double sum = 0;
  for (double v : values) sum += (v - mean) * (v - mean);
  return std::sqrt(sum / static_cast<double>(values.size()));
}

// Kolmogorov and Smirnov's distance to a distribution function. For 1e5 draws it exceeds 0.0062 once in 1000 times.
double Distance(std::vector<double> values, const std::function<double(double)>& cdf) {
  std::sort(values.begin(), values.end());
  double worst = 0;
  const double n = static_cast<double>(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    worst = std::max({worst, std::abs(cdf(values[i]) - static_cast<double>(i) / n),
                      std::abs(cdf(values[i]) - static_cast<double>(i + 1) / n)});
  }
  return worst;
}

double NormalCdf(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }

TEST(Initializers, Constants) {
  EXPECT_EQ(Draw(nn::init::Zeros(), {DType::kF32, {2, 2}}), std::vector<double>(4, 0));
  EXPECT_EQ(Draw(nn::init::Ones(), {DType::kI32, {3}}), std::vector<double>(3, 1));
  EXPECT_EQ(Draw(nn::init::Constant(0.5), {DType::kF64, {}}), std::vector<double>(1, 0.5));
}

TEST(Initializers, Distributions) {
  const Shape shape{DType::kF32, {100, 1000}};
  EXPECT_LT(Distance(Draw(nn::init::Normal(2, 1), shape), [](double x) { return NormalCdf((x - 1) / 2); }), 0.0062);
  EXPECT_LT(Distance(Draw(nn::init::Uniform(-1, 3), shape), [](double x) { return (x + 1) / 4; }), 0.0062);
  for (DType dtype : {DType::kF32, DType::kF64}) {
    const std::vector<double> truncated = Draw(nn::init::TruncatedNormal(2, 1), {dtype, {100, 1000}});
    const double tail = NormalCdf(-2);
    EXPECT_LT(Distance(truncated, [&](double x) { return (NormalCdf((x - 1) / 2) - tail) / (1 - 2 * tail); }), 0.0062);
    EXPECT_GE(*std::min_element(truncated.begin(), truncated.end()), -3);
    EXPECT_LE(*std::max_element(truncated.begin(), truncated.end()), 5);
    EXPECT_NEAR(Deviation(truncated, 1), 2 * 0.8796, 0.01);
  }
}

// A kernel [3, 3, 50, 100]: fan_in 450, fan_out 900. A deviation is known to 1 in sqrt(2 * 45000).
TEST(Initializers, Fans) {
  const Shape kernel{DType::kF32, {3, 3, 50, 100}};
  const auto deviation = [&](const Initializer& initializer) { return Deviation(Draw(initializer, kernel), 0); };
  const auto expect = [](double value, double expected) { EXPECT_NEAR(value / expected, 1, 0.015); };
  expect(deviation(nn::init::GlorotUniform()), std::sqrt(2.0 / 1350));
  expect(deviation(nn::init::GlorotNormal()), std::sqrt(2.0 / 1350));
  expect(deviation(nn::init::HeUniform()), std::sqrt(2.0 / 450));
  expect(deviation(nn::init::HeNormal()), std::sqrt(2.0 / 450));
  expect(deviation(nn::init::LecunNormal()), std::sqrt(1.0 / 450));
  const std::vector<double> glorot = Draw(nn::init::GlorotUniform(), kernel);
  EXPECT_LE(*std::max_element(glorot.begin(), glorot.end()), std::sqrt(6.0 / 1350));
  expect(Deviation(Draw(nn::init::LecunNormal(), {DType::kF32, {100000}}), 0), std::sqrt(1.0 / 100000));
}

TEST(Initializers, WorkWithoutElements) {
  EXPECT_TRUE(Draw(nn::init::GlorotUniform(), {DType::kF32, {0, 4}}).empty());
  EXPECT_TRUE(Draw(nn::init::TruncatedNormal(1), {DType::kF32, {0}}).empty());
}

TEST(Initializers, RefuseImpossibleNumbers) {
  EXPECT_THROW(nn::init::Normal(-1), Error);
  EXPECT_THROW(nn::init::TruncatedNormal(std::nan("")), Error);
  EXPECT_THROW(nn::init::Uniform(1, 0), Error);
  EXPECT_THROW(nn::init::Uniform(0, HUGE_VAL), Error);
}

}  // namespace
}  // namespace replicator::testing
