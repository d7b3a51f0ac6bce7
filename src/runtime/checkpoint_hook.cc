#include "runtime/checkpoint_hook.h"

#include <utility>

#include "replicator/base/error.h"

namespace replicator {

CheckpointHook::CheckpointHook(CheckpointHookOptions options, Engine& engine, io::CheckpointManager& manager,
                               StepCounter& counter, Clock& clock)
    : options_(options), engine_(engine), manager_(manager), counter_(counter), clock_(clock) {}

void CheckpointHook::SetRestored(std::string path) {
  path_ = std::move(path);
  dirty_ = false;
}

void CheckpointHook::Begin(HookContext& context) {
  last_step_ = context.step();
  last_time_ = clock_.Now();
}

std::vector<Fetch> CheckpointHook::BeforeRun(HookContext&) {
  dirty_ = true;
  return {};
}

bool CheckpointHook::Due(int64_t step) const {
  if (step == last_step_) return false;
  if (options_.every_steps > 0 && step / options_.every_steps != last_step_ / options_.every_steps) return true;
  return options_.every_seconds > 0 && clock_.Now() - last_time_ >= options_.every_seconds;
}

void CheckpointHook::AfterRun(HookContext& context, const std::vector<std::optional<Fetched>>&) {
  const int64_t step = context.step();
  if (abandoned_ || !Due(step)) return;
  engine_.Wait();  // a step that has failed is not a save that has
  last_step_ = step;
  try {
    Save();
  } catch (const Error& error) {
    context.Warn(error.message() + "; training goes on, and the next save is tried when it is due");
  }
  last_time_ = clock_.Now();
}

void CheckpointHook::End(HookContext&) {
  if (dirty_ && !abandoned_) Save();
}

bool CheckpointHook::SaveAfterFailure(HookContext& context) {
  if (!dirty_) return !path_.empty();
  dirty_ = false;
  try {
    Save();
    return true;
  } catch (const Error& error) {
    context.Warn("after a failed step: " + error.message());
    return false;
  }
}

void CheckpointHook::Save() {
  EngineState state = engine_.Save();
  counter_.SaveTo(engine_, state);
  const int64_t step = counter_.value(engine_);
  path_ = manager_.Save(step, {.tensors = std::move(state.tensors), .metadata = std::move(state.metadata)});
  dirty_ = false;
}

}  // namespace replicator
