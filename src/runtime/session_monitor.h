// What a MonitoredSession does besides running steps.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "replicator/io/checkpoint.h"
#include "replicator/runtime/drift.h"
#include "replicator/runtime/hook.h"
#include "replicator/runtime/monitored_session.h"
#include "runtime/checkpoint_hook.h"
#include "runtime/engine.h"
#include "runtime/progress_hook.h"
#include "runtime/scalar_hook.h"
#include "runtime/scalar_recorder.h"
#include "runtime/session_environment.h"
#include "runtime/step_counter.h"

namespace replicator {

// Drives the hooks of one session. Thread-safe; calls serialise, and those that a hook makes go straight to the
// session.
class SessionMonitor final : public HookContext {
 public:
  using RunFn = std::function<std::vector<Fetched>(const std::vector<Fetch>&)>;

  // Throws Error(kInvalidArgument) for options that cannot be right. `session` must outlive the monitor.
  SessionMonitor(Session& session, MonitoredSessionOptions options);

  // Claims the checkpoint directory and reads the newest checkpoint. Throws; then it is as if it had not been called.
  void Prepare();
  // Restores what Prepare has read and begins; the engine's variables have initial values. Throws as Prepare.
  void Begin(std::shared_ptr<Engine> engine);
  // Waits, ends all hooks and releases everything, even where one of them throws; then throws the first error.
  void End();
  bool active() const { return engine_ != nullptr; }

  // See MonitoredSession. `run` is Session::Run.
  std::vector<Fetched> Run(const std::vector<Fetch>& fetches, const RunFn& run);
  bool ShouldStop();
  bool interrupted();
  std::string checkpoint_path();
  void AddScalar(std::string name, const Fetch& fetch);
  void WriteScalar(const std::string& name, double value);

  // HookContext
  int64_t step() const override { return engine_ != nullptr ? counter_.value(*engine_) : last_step_; }
  Session& session() override { return session_; }
  const std::vector<NamedScalar>& scalars() const override { return recorder_.newest(); }
  void RequestStop() override { stop_ = true; }
  void Warn(std::string_view message) override;

 private:
  void Restore();
  void MakeHooks();
  void Release();
  bool CountsAny(const std::vector<int>& steps) const;
  std::vector<Fetched> RunWithHooks(const std::vector<Fetch>& fetches, const std::vector<int>& steps, const RunFn& run);
  // Saves what can be saved, and returns the error with a word on that.
  Error AfterFailure(const Error& error);
  // Saves nothing any more.
  ReplicasDiffer AfterDrift(const ReplicasDiffer& drift);
  int64_t ExamplesPerStep() const;

  Session& session_;
  const MonitoredSessionOptions options_;
  const SessionEnvironment environment_;

  mutable std::recursive_mutex mutex_;  // guards all below; recursive, since hooks may run steps
  StepCounter counter_;
  ScalarRecorder recorder_;
  const std::shared_ptr<ScalarHook> scalar_hook_;
  std::optional<io::SavedCheckpoint> found_;  // between Prepare and Begin
  bool in_hook_ = false;
  bool stop_ = false;
  bool failed_ = false;
  bool interrupted_ = false;
  int64_t last_step_ = 0;  // when the session ended
  std::string last_path_;

  // From Begin to End.
  std::shared_ptr<Engine> engine_;
  std::unique_ptr<io::CheckpointManager> manager_;
  std::shared_ptr<CheckpointHook> checkpoint_hook_;
  std::shared_ptr<ProgressHook> progress_hook_;
  std::vector<std::shared_ptr<Hook>> hooks_;
};

}  // namespace replicator
