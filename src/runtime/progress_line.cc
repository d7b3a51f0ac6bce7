#include "runtime/progress_line.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace replicator {
namespace {

constexpr size_t kShortestBar = 8, kLongestBar = 24;

template <typename... Args>
std::string Print(const char* format, Args... args) {
  char text[64];
  const int length = std::snprintf(text, sizeof(text), format, args...);
  return {text, std::min(sizeof(text) - 1, static_cast<size_t>(std::max(length, 0)))};
}

double Fraction(const ProgressState& state) {
  if (*state.last_step <= 0) return 1;
  return std::clamp(static_cast<double>(state.step) / static_cast<double>(*state.last_step), 0.0, 1.0);
}

std::string Steps(const ProgressState& state) {
  std::string text = "step " + std::to_string(state.step);
  if (!state.last_step.has_value()) return text;
  return text + "/" + std::to_string(*state.last_step) + Print(" (%d%%)", static_cast<int>(100 * Fraction(state)));
}

std::string Bar(double fraction, size_t length) {
  const auto filled = static_cast<size_t>(std::lround(fraction * static_cast<double>(length)));
  return "  [" + std::string(filled, '#') + std::string(length - filled, '.') + "]";
}

std::string Scalars(const ProgressState& state, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    text += "  " + state.scalars[i].name + Print(" %.4g", state.scalars[i].value);
  }
  return text;
}

std::string RateAndRest(const ProgressState& state) {
  if (state.steps_per_second <= 0) return "";
  std::string text;
  if (state.examples_per_step > 0) {
    text = Print("  %.0f examples/s", state.steps_per_second * static_cast<double>(state.examples_per_step));
  } else {
    text = Print("  %.3g steps/s", state.steps_per_second);
  }
  if (state.last_step.has_value() && state.step < *state.last_step) {
    text += "  ETA " + FormatDuration(static_cast<double>(*state.last_step - state.step) / state.steps_per_second);
  }
  return text;
}

}  // namespace

std::string FormatDuration(double seconds) {
  const auto total = std::llround(std::max(seconds, 0.0));
  if (total >= 3600) return Print("%lld:%02lld:%02lld", total / 3600, total / 60 % 60, total % 60);
  return Print("%lld:%02lld", total / 60, total % 60);
}

std::string FormatLine(const ProgressState& state) {
  return Steps(state) + Scalars(state, state.scalars.size()) + RateAndRest(state);
}

std::string FormatBar(const ProgressState& state, int width) {
  constexpr size_t kFrame = 4;  // "  [" and "]"
  const auto limit = static_cast<size_t>(std::max(width, 0));
  const std::string steps = Steps(state), rest = RateAndRest(state);
  for (size_t count = state.scalars.size();; --count) {
    const std::string scalars = Scalars(state, count);
    const size_t used = steps.size() + scalars.size() + rest.size();
    if (!state.last_step.has_value() && used <= limit) return steps + scalars + rest;
    if (state.last_step.has_value() && used + kFrame + kShortestBar <= limit) {
      return steps + Bar(Fraction(state), std::min(limit - used - kFrame, kLongestBar)) + scalars + rest;
    }
    if (count == 0) break;
  }
  return (steps + rest).substr(0, limit);
}

}  // namespace replicator
