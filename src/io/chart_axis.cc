#include "io/chart_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace replicator::io {
namespace {

constexpr double kSmallest = 1e-280;  // what is nearer to 0 is 0: its steps would not have reciprocals
constexpr double kSlack = 1e-9;       // of a step: the rounding of ticks
constexpr double kOneValue = 1e-6;    // values nearer to each other, relatively, are drawn as one
constexpr std::array<double, 3> kMantissas = {1, 2, 5};

double PowerOfTen(int exponent) {
  // Division is exact to the last bit where a negative power is not.
  return exponent < 0 ? 1 / std::pow(10.0, -exponent) : std::pow(10.0, exponent);
}

// The smallest of 1, 2, 5 times a power of ten that is not smaller than `least`.
double RoundStep(double least) {
  const int exponent = static_cast<int>(std::floor(std::log10(least)));
  for (int e = exponent;; ++e) {
    for (const double mantissa : kMantissas) {
      if (mantissa * PowerOfTen(e) >= least * (1 - kSlack)) return mantissa * PowerOfTen(e);
    }
  }
}

// i times a step, computed so that 3 times 0.1 is 0.3.
double MultipleOf(double i, double step) {
  const double value = step < 1 && 1 / step < 1e15 ? i / std::round(1 / step) : i * step;
  return value == 0 ? 0 : value;  // not -0
}

std::vector<double> LinearTicks(double low, double high, double step) {
  const double first = std::ceil(low / step - kSlack), last = std::floor(high / step + kSlack);
  std::vector<double> ticks;
  for (int i = 0; first + i <= last; ++i) {
    const double tick = std::clamp(MultipleOf(first + i, step), low, high);
    if (ticks.empty() || tick > ticks.back()) ticks.push_back(tick);
  }
  return ticks;
}

// Those of `mantissas` times 10^k that lie in the range, for every `stride`-th k.
std::vector<double> LogTicks(double low, double high, size_t mantissas, int stride) {
  std::vector<double> ticks;
  const int last = static_cast<int>(std::ceil(std::log10(high)));
  for (int k = static_cast<int>(std::floor(std::log10(low))); k <= last; ++k) {
    if (k % stride != 0) continue;
    for (size_t i = 0; i < mantissas; ++i) {
      const double tick = kMantissas[i] * PowerOfTen(k);
      if (tick >= low * (1 - kSlack) && tick <= high * (1 + kSlack)) ticks.push_back(std::clamp(tick, low, high));
    }
  }
  return ticks;
}

// From dense to sparse; the last choices have no more than two ticks.
std::vector<std::vector<double>> LogChoices(double low, double high) {
  std::vector<std::vector<double>> choices = {LogTicks(low, high, kMantissas.size(), 1)};
  for (const int stride : {1, 2, 3, 5, 10, 20, 50, 100, 200}) choices.push_back(LogTicks(low, high, 1, stride));
  return choices;
}

std::string Superscript(int number) {
  constexpr std::array<const char*, 10> kDigits = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  for (const char c : std::to_string(number)) text += c == '-' ? "⁻" : kDigits[static_cast<size_t>(c - '0')];
  return text;
}

// Digits after the point with which `value` is written exactly enough: to a thousandth of `gap`.
int DecimalsOf(double value, double gap) {
  int decimals = 0;
  for (double scale = 1; decimals < 15; ++decimals, scale *= 10) {
    if (std::abs(std::round(value * scale) / scale - value) <= gap / 1000) break;
  }
  return decimals;
}

std::string Fixed(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", std::abs(value), decimals);
  const size_t point = std::min(text.find('.'), text.size());
  for (size_t i = point; i > 3; i -= 3) text.insert(i - 3, ",");
  return value < 0 ? "−" + text : text;
}

std::string Scientific(double value, double gap) {
  if (value == 0) return "0";
  const int exponent = static_cast<int>(std::floor(std::log10(std::abs(value)) + kSlack));
  const double mantissa = std::abs(value) / PowerOfTen(exponent);
  const std::string digits = fmt::format("{:.{}f}", mantissa, DecimalsOf(mantissa, gap / PowerOfTen(exponent)));
  return (value < 0 ? "−" : "") + (digits == "1" ? "" : digits + "×") + "10" + Superscript(exponent);
}

}  // namespace

double Axis::Fraction(double value) const {
  const double fraction = log ? (std::log(value) - std::log(low)) / (std::log(high) - std::log(low))
                              : (value / 2 - low / 2) / (high / 2 - low / 2);
  return std::clamp(fraction, 0.0, 1.0);
}

Range Widened(const Range& range, bool log) {
  if (range.empty) return log ? Range{false, 1, 10} : Range{false, 0, 1};
  if (log) {
    const double low = std::max(range.low, kSmallest), high = std::max(range.high, kSmallest);
    return high / low > 1 + kOneValue ? Range{false, low, high} : Range{false, low / 2, high * 2};
  }
  const double size = std::max(std::abs(range.low), std::abs(range.high));
  if (size < kSmallest) return {false, -1, 1};
  if (range.high / 2 - range.low / 2 > size * kOneValue) return range;
  const double around = size / 10;
  return {false, range.low - around, range.high + around};
}

Axis RoundAxis(const Range& range, bool log, int most_ticks) {
  Axis axis{.log = log};
  if (log) {
    // The ends are ticks of the densest choice.
    const auto all = LogTicks(range.low / 10, range.high * 10, kMantissas.size(), 1);
    axis.low = *std::prev(std::upper_bound(all.begin(), all.end(), range.low * (1 + kSlack)));
    axis.high = *std::lower_bound(all.begin(), all.end(), range.high * (1 - kSlack));
    for (auto& choice : LogChoices(axis.low, axis.high)) {
      if (std::ssize(choice) < 2 && !axis.ticks.empty()) break;
      axis.ticks = std::move(choice);
      if (std::ssize(axis.ticks) <= most_ticks) break;
    }
    return axis;
  }
  double low = range.low, high = range.high;
  constexpr double kNear = 0.5;  // of the largest value: 0 is then on the axis
  if (low > 0 && low < kNear * high) low = 0;
  if (high < 0 && high > kNear * low) high = 0;
  const double step = RoundStep((high / most_ticks - low / most_ticks));
  const double first = std::floor(low / step + kSlack), last = std::ceil(high / step - kSlack);
  axis.low = std::min(MultipleOf(first, step), low);
  axis.high = std::max(MultipleOf(last, step), high);
  axis.ticks = LinearTicks(axis.low, axis.high, step);
  return axis;
}

Axis ExactAxis(const Range& range, bool log, int most_ticks, const LabelsFit& fits) {
  Axis axis{.log = log, .low = range.low, .high = range.high};
  const auto take = [&](std::vector<double> ticks) {
    axis.ticks = std::move(ticks);
    return std::ssize(axis.ticks) <= most_ticks && fits(axis, TickLabels(axis));
  };
  if (log) {
    for (auto& choice : LogChoices(axis.low, axis.high)) {
      if (choice.size() < 2) break;
      if (take(std::move(choice))) return axis;
    }
  }
  for (int count = most_ticks; count > 0; --count) {
    if (take(LinearTicks(axis.low, axis.high, RoundStep(axis.high / count - axis.low / count)))) return axis;
  }
  axis.ticks.clear();
  return axis;
}

std::vector<std::string> TickLabels(const Axis& axis) {
  double largest = 0, smallest = std::numeric_limits<double>::infinity(), gap = smallest;
  for (size_t i = 0; i < axis.ticks.size(); ++i) {
    const double size = std::abs(axis.ticks[i]);
    largest = std::max(largest, size);
    if (size > 0) smallest = std::min(smallest, size);
    if (i > 0) gap = std::min(gap, axis.ticks[i] - axis.ticks[i - 1]);
  }
  gap = std::min(gap, smallest);
  // How near to a tick there is another, or 0. On a logarithmic axis these differ by far more than the digits of one.
  const auto gap_at = [&](size_t i) {
    if (!axis.log) return gap;
    double own = axis.ticks[i];
    if (i > 0) own = std::min(own, axis.ticks[i] - axis.ticks[i - 1]);
    if (i + 1 < axis.ticks.size()) own = std::min(own, axis.ticks[i + 1] - axis.ticks[i]);
    return own;
  };
  constexpr double kMillion = 1e6, kLargest = 1e15, kSmallestPlain = 1e-3;
  std::vector<std::string> labels;
  if (axis.log ? largest >= kMillion || smallest < kSmallestPlain
               : largest >= kLargest || (largest > 0 && largest < kSmallestPlain)) {
    for (size_t i = 0; i < axis.ticks.size(); ++i) labels.push_back(Scientific(axis.ticks[i], gap_at(i)));
    return labels;
  }
  double unit = 1;
  std::string suffix;
  for (const auto& [from, name] : {std::pair{kMillion, "M"}, std::pair{1e9, "G"}, std::pair{1e12, "T"}}) {
    if (largest < from) continue;
    unit = from;
    suffix = name;
  }
  int decimals = 0;  // as many for all, unless the steps differ
  for (const double tick : axis.ticks) decimals = std::max(decimals, DecimalsOf(tick / unit, gap / unit));
  for (size_t i = 0; i < axis.ticks.size(); ++i) {
    const double tick = axis.ticks[i];
    labels.push_back(tick == 0 ? "0" : Fixed(tick / unit, axis.log ? DecimalsOf(tick, gap_at(i)) : decimals) + suffix);
  }
  return labels;
}

}  // namespace replicator::io
