// Ends training at a step or after a time.
#pragma once

#include <cstdint>
#include <optional>

#include "replicator/runtime/hook.h"
#include "runtime/session_environment.h"

namespace replicator {

struct StopHookOptions {
  std::optional<int64_t> at_step;
  std::optional<double> after_seconds;  // since Begin
};

class StopHook final : public Hook {
 public:
  StopHook(StopHookOptions options, Clock& clock) : options_(options), clock_(clock) {}

  void Begin(HookContext& context) override {
    began_ = clock_.Now();
    Check(context);
  }
  void AfterRun(HookContext& context, const std::vector<std::optional<Fetched>>&) override { Check(context); }

 private:
  void Check(HookContext& context) {
    if (options_.at_step.has_value() && context.step() >= *options_.at_step) context.RequestStop();
    if (options_.after_seconds.has_value() && clock_.Now() - began_ >= *options_.after_seconds) context.RequestStop();
  }

  StopHookOptions options_;
  Clock& clock_;
  double began_ = 0;
};

}  // namespace replicator
