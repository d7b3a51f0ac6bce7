// Shows how far training is.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <utility>

#include "replicator/runtime/hook.h"
#include "runtime/session_environment.h"

namespace replicator {

struct ProgressHookOptions {
  bool bar = true;  // rewrite one line of a terminal, rather than print a line now and then
  std::optional<int64_t> last_step;
  std::function<int64_t()> examples_per_step;  // asked when it is needed; 0: unknown
};

class ProgressHook final : public Hook {
 public:
  ProgressHook(ProgressHookOptions options, Clock& clock, ProgressOutput& output);

  void Begin(HookContext& context) override;
  void AfterRun(HookContext& context, const std::vector<std::optional<Fetched>>& values) override;
  void End(HookContext& context) override;

  // Ends a bar that stands in the terminal, so that something else can be printed.
  void Clear();

 private:
  void Show(HookContext& context, double now);

  ProgressHookOptions options_;
  Clock& clock_;
  ProgressOutput& output_;
  std::deque<std::pair<double, int64_t>> history_;  // (time, step) of the last kWindowSeconds, for the speed
  double next_show_ = 0;
  int64_t first_step_ = 0;
  size_t shown_width_ = 0;  // of the bar that stands in the terminal
};

}  // namespace replicator
