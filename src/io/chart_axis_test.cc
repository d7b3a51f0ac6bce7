#include "io/chart_axis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "io/chart_text.h"

namespace replicator::io {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Strings = std::vector<std::string>;

const LabelsFit kAlwaysFit = [](const Axis&, const Strings&) { return true; };
Range Of(double low, double high) { return {false, low, high}; }

TEST(Axis, LinearTicksAreRound) {
  EXPECT_THAT(RoundAxis(Of(0, 9.7), false, 5).ticks, ElementsAre(0, 2, 4, 6, 8, 10));
  EXPECT_THAT(RoundAxis(Of(0, 0.6), false, 6).ticks, ElementsAre(0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6));  // bit for bit
  EXPECT_THAT(RoundAxis(Of(-3, 4), false, 4).ticks, ElementsAre(-4, -2, 0, 2, 4));
  EXPECT_THAT(RoundAxis(Of(101, 109), false, 4).ticks, ElementsAre(100, 102, 104, 106, 108, 110));
  EXPECT_THAT(ExactAxis(Of(1, 9.7), false, 5, kAlwaysFit).ticks, ElementsAre(2, 4, 6, 8));
}

TEST(Axis, BeginsAtZeroWhereThatIsNear) {
  EXPECT_EQ(RoundAxis(Of(3, 10), false, 5).low, 0);
  EXPECT_EQ(RoundAxis(Of(-10, -3), false, 5).high, 0);
  EXPECT_EQ(RoundAxis(Of(7, 10), false, 5).low, 7);
}

TEST(Axis, LogarithmicTicks) {
  EXPECT_THAT(RoundAxis(Of(3, 80), true, 8).ticks, ElementsAre(2, 5, 10, 20, 50, 100));
  EXPECT_THAT(RoundAxis(Of(1e-3, 1e4), true, 8).ticks, ElementsAre(1e-3, 1e-2, 0.1, 1, 10, 100, 1000, 1e4));
  EXPECT_THAT(RoundAxis(Of(1e-8, 1e8), true, 5).ticks, ElementsAre(1e-6, 1e-3, 1, 1e3, 1e6));
  EXPECT_THAT(ExactAxis(Of(1, 32), true, 8, kAlwaysFit).ticks, ElementsAre(1, 2, 5, 10, 20));
  EXPECT_THAT(ExactAxis(Of(3.1, 4.1), true, 5, kAlwaysFit).ticks, ElementsAre(3.2, 3.4, 3.6, 3.8, 4.0));
}

TEST(Axis, MapsItsRangeToZeroToOne) {
  const Axis linear{.low = -2, .high = 6};
  EXPECT_EQ(linear.Fraction(-2), 0);
  EXPECT_EQ(linear.Fraction(0), 0.25);
  EXPECT_EQ(linear.Fraction(6), 1);
  const Axis logarithmic{.log = true, .low = 1, .high = 100};
  EXPECT_EQ(logarithmic.Fraction(1), 0);
  EXPECT_DOUBLE_EQ(logarithmic.Fraction(10), 0.5);
  EXPECT_EQ(logarithmic.Fraction(100), 1);
}

// Whatever the range: ascending ticks that are 1, 2 or 5 times powers of ten apart, labels that differ, and values in.
TEST(Axis, AnyRange) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> exponent(-290, 299), mantissa(-10, 10);
  for (int round = 0; round < 20000; ++round) {
    const bool log = round % 2 == 0;
    double a = mantissa(random) * std::pow(10, exponent(random));
    double b = round % 3 == 0 ? a * (1 + mantissa(random) * 1e-5) : mantissa(random) * std::pow(10, exponent(random));
    if (round % 5 == 0) b = a * 3;
    if (log) a = std::abs(a), b = std::abs(b);
    Range range;
    range.Include(a);
    range.Include(b);
    const Range wide = Widened(range, log);
    for (const bool rounded : {false, true}) {
      const Axis axis = rounded ? RoundAxis(wide, log, 6) : ExactAxis(wide, log, 6, kAlwaysFit);
      ASSERT_LT(axis.low, axis.high) << a << " " << b;
      ASSERT_GE(axis.ticks.size(), rounded ? 2u : 1u) << a << " " << b;
      ASSERT_LE(axis.ticks.size(), 9u);
      const std::vector<std::string> labels = TickLabels(axis);
      for (size_t i = 0; i < axis.ticks.size(); ++i) {
        ASSERT_GE(axis.ticks[i], axis.low);
        ASSERT_LE(axis.ticks[i], axis.high);
        if (i == 0) continue;
        ASSERT_LT(axis.ticks[i - 1], axis.ticks[i]);
        ASSERT_NE(labels[i - 1], labels[i]) << axis.ticks[i - 1] << " " << axis.ticks[i];
        if (log) continue;
        const double step = axis.ticks[i] - axis.ticks[i - 1];
        const double digit = step / std::pow(10, std::floor(std::log10(step) + 1e-4));
        ASSERT_TRUE(std::abs(digit - 1) < 1e-3 || std::abs(digit - 2) < 1e-3 || std::abs(digit - 5) < 1e-3) << step;
      }
      for (const double value : {a, b}) {
        ASSERT_GE(axis.Fraction(value), 0);
        ASSERT_LE(axis.Fraction(value), 1);
      }
    }
  }
}

TEST(Axis, OneValueIsInTheMiddle) {
  EXPECT_NEAR(RoundAxis(Widened(Of(5, 5), false), false, 5).Fraction(5), 0.5, 0.2);
  EXPECT_EQ(Widened(Of(0, 0), false).low, -1);
  EXPECT_EQ(Widened(Of(7, 7), true).low, 3.5);
  EXPECT_EQ(Widened({}, false).high, 1);
  EXPECT_EQ(Widened({}, true).low, 1);
}

TEST(Axis, TicksGiveWayToTheirLabels) {
  const LabelsFit few = [](const Axis&, const Strings& labels) { return labels.size() <= 3; };
  EXPECT_THAT(ExactAxis(Of(0, 100), false, 10, few).ticks, ElementsAre(0, 50, 100));
  EXPECT_THAT(ExactAxis(Of(1, 1e6), true, 10, few).ticks, ElementsAre(1, 1e3, 1e6));
  const LabelsFit none = [](const Axis&, const Strings&) { return false; };
  EXPECT_THAT(ExactAxis(Of(0, 100), false, 10, none).ticks, IsEmpty());
}

Strings Linear(std::vector<double> ticks) { return TickLabels({.ticks = std::move(ticks)}); }
Strings Logarithmic(std::vector<double> ticks) { return TickLabels({.log = true, .ticks = std::move(ticks)}); }

TEST(TickLabels, AreShortAndTellTicksApart) {
  EXPECT_THAT(Linear({0, 0.5, 1}), ElementsAre("0", "0.5", "1.0"));
  EXPECT_THAT(Linear({-0.25, 0, 0.25}), ElementsAre("−0.25", "0", "0.25"));
  EXPECT_THAT(Linear({0, 10000, 120000}), ElementsAre("0", "10,000", "120,000"));
  EXPECT_THAT(Linear({0, 5e5, 1e6, 1.5e6}), ElementsAre("0", "0.5M", "1.0M", "1.5M"));
  EXPECT_THAT(Linear({2e9, 3e9}), ElementsAre("2G", "3G"));
  EXPECT_THAT(Linear({0, 1e-4, 2e-4}), ElementsAre("0", "10⁻⁴", "2×10⁻⁴"));
  EXPECT_THAT(Linear({-1.5e20, 0}), ElementsAre("−1.5×10²⁰", "0"));
  EXPECT_THAT(Linear({1234.5, 1234.6}), ElementsAre("1,234.5", "1,234.6"));
  EXPECT_THAT(Logarithmic({0.1, 1, 10, 1000}), ElementsAre("0.1", "1", "10", "1,000"));
  EXPECT_THAT(Logarithmic({1e-5, 2e-5, 1}), ElementsAre("10⁻⁵", "2×10⁻⁵", "10⁰"));
  EXPECT_THAT(Linear({}), IsEmpty());
}

TEST(Text, IsCutBetweenCharacters) {
  EXPECT_EQ(CutToWidth("short", 12, 100), "short");
  for (double width = 0; width < 200; ++width) {
    const std::string cut = CutToWidth("é−é−é−é−é−é−é−é−", 12, width);
    EXPECT_LE(TextWidth(cut, 12), std::max(width, TextWidth("…", 12)));
    EXPECT_EQ(cut.find("\xc3…"), std::string::npos);
    EXPECT_EQ(cut.find("\x88…"), std::string::npos);
  }
  EXPECT_GT(TextWidth("漢字", 12), TextWidth("ab", 12));
  EXPECT_GT(TextWidth("\xff", 12), 0);
}

}  // namespace
}  // namespace replicator::io
