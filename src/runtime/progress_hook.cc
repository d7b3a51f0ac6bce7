#include "runtime/progress_hook.h"

#include <algorithm>

#include "runtime/progress_line.h"

namespace replicator {
namespace {

constexpr double kBarSeconds = 0.2;
constexpr double kLineSeconds = 10;
constexpr double kWindowSeconds = 10;

}  // namespace

ProgressHook::ProgressHook(ProgressHookOptions options, Clock& clock, ProgressOutput& output)
    : options_(std::move(options)), clock_(clock), output_(output) {}

void ProgressHook::Begin(HookContext& context) {
  first_step_ = context.step();
  next_show_ = clock_.Now() + (options_.bar ? kBarSeconds : kLineSeconds);
}

void ProgressHook::AfterRun(HookContext& context, const std::vector<std::optional<Fetched>>&) {
  const double now = clock_.Now();
  const int64_t step = context.step();
  if (!history_.empty() && step == history_.back().second) return;  // a run that is not counted
  // Speed is measured from the end of the first run, which compiles.
  history_.emplace_back(now, step);
  while (history_.size() > 2 && history_[1].first < now - kWindowSeconds) history_.pop_front();
  if (now < next_show_) return;
  Show(context, now);
  next_show_ = now + (options_.bar ? kBarSeconds : kLineSeconds);
}

void ProgressHook::End(HookContext& context) {
  if (context.step() > first_step_) Show(context, clock_.Now());
  if (shown_width_ != 0) output_.Write("\n");
  shown_width_ = 0;
}

void ProgressHook::Clear() {
  if (shown_width_ != 0) output_.Write("\r" + std::string(shown_width_, ' ') + "\r");
  shown_width_ = 0;
}

void ProgressHook::Show(HookContext& context, double now) {
  ProgressState state{.step = context.step(),
                      .last_step = options_.last_step,
                      .examples_per_step = options_.examples_per_step(),
                      .scalars = context.scalars()};
  if (!history_.empty() && now > history_.front().first) {
    state.steps_per_second = static_cast<double>(state.step - history_.front().second) / (now - history_.front().first);
  }
  if (!options_.bar) {
    output_.Write(FormatLine(state) + "\n");
    return;
  }
  const std::string text = FormatBar(state, output_.Width() - 1);
  const size_t erased = std::max(shown_width_, text.size()) - text.size();
  output_.Write("\r" + text + std::string(erased, ' '));
  shown_width_ = text.size();
}

}  // namespace replicator
