// Saves checkpoints while training and at its end.
#pragma once

#include <cstdint>
#include <string>

#include "replicator/io/checkpoint.h"
#include "replicator/runtime/hook.h"
#include "runtime/engine.h"
#include "runtime/session_environment.h"
#include "runtime/step_counter.h"

namespace replicator {

struct CheckpointHookOptions {
  int64_t every_steps = 0;   // 0: not by steps
  double every_seconds = 0;  // 0: not by time
};

class CheckpointHook final : public Hook {
 public:
  // All must outlive the hook.
  CheckpointHook(CheckpointHookOptions options, Engine& engine, io::CheckpointManager& manager, StepCounter& counter,
                 Clock& clock);

  void Begin(HookContext& context) override;
  std::vector<Fetch> BeforeRun(HookContext& context) override;
  // Saves if it is time to. What the file system throws is a warning; what the engine throws (a failed step) is not.
  void AfterRun(HookContext& context, const std::vector<std::optional<Fetched>>& values) override;
  // Saves, unless nothing has been run since the last time. Throws.
  void End(HookContext& context) override;

  // The state is what was restored from `path`: there is nothing to save yet.
  void SetRestored(std::string path);
  // After a step has failed: saves what can be saved. Returns whether it could; End does not try again.
  bool SaveAfterFailure(HookContext& context);

  // From now on nothing is saved: what is in memory is not to be trusted.
  void Abandon() { abandoned_ = true; }

  // The newest; empty if none.
  const std::string& path() const { return path_; }

 private:
  bool Due(int64_t step) const;
  void Save();

  CheckpointHookOptions options_;
  Engine& engine_;
  io::CheckpointManager& manager_;
  StepCounter& counter_;
  Clock& clock_;
  std::string path_;
  bool abandoned_ = false;
  bool dirty_ = true;      // something has been run that is in no checkpoint
  int64_t last_step_ = 0;  // of the last save, also of one that failed
  double last_time_ = 0;
};

}  // namespace replicator
