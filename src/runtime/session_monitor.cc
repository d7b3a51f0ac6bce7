#include "runtime/session_monitor.h"

#include <algorithm>
#include <exception>
#include <set>
#include <utility>

#include "base/logging.h"
#include "graph/graph.h"
#include "replicator/base/error.h"
#include "runtime/drift_hook.h"
#include "runtime/fetched_state.h"
#include "runtime/monitor_options.h"
#include "runtime/stop_hook.h"

namespace replicator {
namespace {

// The steps of `engine` that the fetches belong to; other fetches are left for Session::Run to refuse.
std::vector<int> StepsOf(const std::vector<Fetch>& fetches, const std::shared_ptr<Engine>& engine) {
  std::set<int> steps;
  for (const Fetch& fetch : fetches) {
    if (fetch.node() != nullptr && fetch.node()->engine.lock() == engine) steps.insert(fetch.node()->step);
  }
  return {steps.begin(), steps.end()};
}

// What a step reports after it was run, as opposed to a call that could never be right.
bool IsStepFailure(const Error& error) {
  return error.code() != ErrorCode::kInvalidArgument && error.code() != ErrorCode::kFailedPrecondition &&
         error.code() != ErrorCode::kOutOfRange;
}

// Sets a flag while it lives.
class Raised {
 public:
  explicit Raised(bool& flag) : flag_(flag) { flag_ = true; }
  ~Raised() { flag_ = false; }
  Raised(const Raised&) = delete;
  Raised& operator=(const Raised&) = delete;

 private:
  bool& flag_;
};

}  // namespace

SessionMonitor::SessionMonitor(Session& session, MonitoredSessionOptions options)
    : session_(session),
      options_(Validated(std::move(options))),
      environment_(EnvironmentOf(options_)),
      counter_(options_.step_counter),
      scalar_hook_(std::make_shared<ScalarHook>(options_.scalars_every_steps, recorder_)) {}

void SessionMonitor::Warn(std::string_view message) {
  if (progress_hook_ != nullptr) progress_hook_->Clear();
  LogWarning(message);
}

void SessionMonitor::Prepare() {
  const std::lock_guard lock(mutex_);
  const std::string& directory = options_.checkpoint_dir;
  if (directory.empty()) return;
  auto manager = std::make_unique<io::CheckpointManager>(
      directory,
      io::CheckpointManagerOptions{.keep_last = options_.keep_last, .file_system = environment_.file_system});
  if (options_.resume) {
    found_ = manager->LoadLatest();
  } else if (const auto steps = manager->Steps(); !steps.empty()) {
    throw Error(ErrorCode::kFailedPrecondition,
                "'" + directory + "' holds checkpoints of another run already, the newest of step " +
                    std::to_string(steps.back()) + "; resume that run, or choose an empty directory for a new one");
  }
  manager_ = std::move(manager);
}

void SessionMonitor::Begin(std::shared_ptr<Engine> engine) {
  const std::lock_guard lock(mutex_);
  engine_ = std::move(engine);
  try {
    stop_ = failed_ = interrupted_ = false;
    MakeHooks();
    Restore();
    if (!options_.logdir.empty()) {
      recorder_.SetWriter(std::make_unique<io::EventWriter>(
          options_.logdir, io::EventWriterOptions{.file_system = environment_.file_system}));
    }
    const Raised raised(in_hook_);
    for (const auto& hook : hooks_) hook->Begin(*this);
  } catch (...) {
    Release();
    throw;
  }
  if (options_.handle_interrupt) environment_.interrupts->Install();
}

void SessionMonitor::MakeHooks() {
  hooks_ = {scalar_hook_};
  if (options_.check_mirrored_every_steps > 0) {  // before a checkpoint is made of what has drifted
    hooks_.push_back(std::make_shared<DriftHook>(options_.check_mirrored_every_steps, *engine_));
  }
  if (manager_ != nullptr) {
    const CheckpointHookOptions options{.every_steps = options_.save_every_steps,
                                        .every_seconds = options_.save_every_seconds};
    checkpoint_hook_ = std::make_shared<CheckpointHook>(options, *engine_, *manager_, counter_, *environment_.clock);
    hooks_.push_back(checkpoint_hook_);
  }
  const StopHookOptions stop_options{.at_step = options_.stop_at_step, .after_seconds = options_.stop_after_seconds};
  hooks_.push_back(std::make_shared<StopHook>(stop_options, *environment_.clock));
  if (options_.progress != Progress::kQuiet) {
    ProgressHookOptions options{.bar = options_.progress == Progress::kAuto && environment_.progress->IsTerminal(),
                                .last_step = options_.stop_at_step,
                                .examples_per_step = [this] { return ExamplesPerStep(); }};
    progress_hook_ = std::make_shared<ProgressHook>(std::move(options), *environment_.clock, *environment_.progress);
    hooks_.push_back(progress_hook_);
  }
  hooks_.insert(hooks_.end(), options_.hooks.begin(), options_.hooks.end());
}

void SessionMonitor::Restore() {
  const std::optional<io::SavedCheckpoint> found = std::exchange(found_, std::nullopt);
  if (!found.has_value()) {
    counter_.Begin(*engine_, nullptr);
    return;
  }
  const std::string path = io::CheckpointPath(options_.checkpoint_dir, found->step);
  try {
    const EngineState state{.tensors = found->checkpoint.tensors, .metadata = found->checkpoint.metadata};
    engine_->Restore(state);
    counter_.Begin(*engine_, &state);
  } catch (const Error& error) {
    throw Error(error.code(), "cannot resume from '" + path + "': " + error.message(), error.where());
  }
  checkpoint_hook_->SetRestored(path);
  LogInfo("resuming from '" + path + "'");
}

void SessionMonitor::Release() {
  hooks_.clear();
  progress_hook_.reset();
  checkpoint_hook_.reset();
  manager_.reset();
  found_.reset();
  recorder_.SetWriter(nullptr);
  engine_.reset();
}

void SessionMonitor::End() {
  const std::lock_guard lock(mutex_);
  if (!active()) return;
  std::exception_ptr first;
  const bool reported = failed_;
  const auto attempt = [&](const auto& action) {
    try {
      action();
    } catch (const std::exception& error) {
      // What has been reported by Run already is not thrown again.
      if (first != nullptr || reported) {
        Warn(error.what());
      } else {
        first = std::current_exception();
      }
    }
  };
  attempt([&] {
    try {
      engine_->Wait();
    } catch (const Error& error) {
      throw AfterFailure(error);
    }
  });
  {
    const Raised raised(in_hook_);
    for (const auto& hook : hooks_) attempt([&] { hook->End(*this); });
  }
  interrupted_ = interrupted();
  if (options_.handle_interrupt) environment_.interrupts->Uninstall();
  last_step_ = step();
  last_path_ = checkpoint_path();
  stop_ = true;
  Release();
  if (first != nullptr) std::rethrow_exception(first);
}

std::vector<Fetched> SessionMonitor::Run(const std::vector<Fetch>& fetches, const RunFn& run) {
  std::unique_lock lock(mutex_);
  if (!active() || in_hook_) return run(fetches);
  const std::vector<int> steps = StepsOf(fetches, engine_);
  const bool concurrent = engine_->async_statistics().has_value();
  const RunFn run_unlocked = [&](const std::vector<Fetch>& all) {
    if (!concurrent) return run(all);
    lock.unlock();
    const auto relock = [&](std::unique_lock<std::recursive_mutex>* held) { held->lock(); };
    const std::unique_ptr<std::unique_lock<std::recursive_mutex>, decltype(relock)> again(&lock, relock);
    return run(all);
  };
  try {
    return RunWithHooks(fetches, steps, run_unlocked);
  } catch (const ReplicasDiffer& drift) {
    throw AfterDrift(drift);
  } catch (const Error& error) {
    if (!IsStepFailure(error)) throw;
    throw AfterFailure(error);
  }
}

std::vector<Fetched> SessionMonitor::RunWithHooks(const std::vector<Fetch>& fetches, const std::vector<int>& steps,
                                                  const RunFn& run) {
  counter_.BeforeRun(*engine_, steps);
  std::vector<Fetch> all = fetches;
  struct Addition {
    size_t hook = 0;
    size_t index = 0;  // among what the hook returned
  };
  std::vector<Addition> additions;
  std::vector<std::vector<std::optional<Fetched>>> values(hooks_.size());
  for (size_t h = 0; h < hooks_.size(); ++h) {
    const Raised raised(in_hook_);
    const std::vector<Fetch> wanted = hooks_[h]->BeforeRun(*this);
    values[h].resize(wanted.size());
    for (size_t i = 0; i < wanted.size(); ++i) {
      const std::vector<int> needed = StepsOf({wanted[i]}, engine_);
      if (needed.empty() || !std::binary_search(steps.begin(), steps.end(), needed[0])) continue;
      all.push_back(wanted[i]);
      additions.push_back({h, i});
    }
  }

  std::vector<Fetched> results;
  try {
    results = run(all);
  } catch (const OutOfRange&) {
    if (!CountsAny(steps)) throw;
    if (engine_->async_statistics().has_value()) {  // only this group's thread ends
      stop_ = stop_ || engine_->all_groups_ended();
      throw;
    }
    stop_ = true;
    std::vector<Fetched> ended;
    for (const Fetch& fetch : fetches) {
      ended.emplace_back(std::make_shared<Fetched::State>(fetch.node(), std::current_exception()));
    }
    return ended;
  }
  for (size_t i = 0; i < additions.size(); ++i) {
    values[additions[i].hook][additions[i].index] = results[fetches.size() + i];
  }
  results.resize(fetches.size());

  const Raised raised(in_hook_);
  for (size_t h = 0; h < hooks_.size(); ++h) hooks_[h]->AfterRun(*this, values[h]);
  return results;
}

bool SessionMonitor::CountsAny(const std::vector<int>& steps) const {
  return std::any_of(steps.begin(), steps.end(), [&](int step) { return counter_.Counts(*engine_, step); });
}

Error SessionMonitor::AfterFailure(const Error& error) {
  stop_ = true;
  failed_ = true;
  while (true) {
    try {
      engine_->Wait();
      break;
    } catch (const Error&) {
      // Steps that were enqueued after the failed one have failed as well; each is reported once.
    }
  }
  std::string message = error.message();
  const Raised raised(in_hook_);
  if (checkpoint_hook_ != nullptr && checkpoint_hook_->SaveAfterFailure(*this)) {
    message += "; the values before it are saved in '" + checkpoint_hook_->path() + "'";
  }
  return Error(error.code(), std::move(message), error.where());
}

ReplicasDiffer SessionMonitor::AfterDrift(const ReplicasDiffer& drift) {
  stop_ = true;
  failed_ = true;
  std::string message = drift.message();
  if (checkpoint_hook_ != nullptr) {
    checkpoint_hook_->Abandon();
    const std::string& path = checkpoint_hook_->path();
    message += "; nothing more is saved, " +
               (path.empty() ? "and there is no checkpoint" : "and the newest checkpoint is '" + path + "'");
  }
  return {std::move(message), drift.variable(), drift.replica(), drift.expected_hash(), drift.hash(), drift.where()};
}

bool SessionMonitor::interrupted() {
  const std::lock_guard lock(mutex_);
  if (active() && options_.handle_interrupt && environment_.interrupts->Interrupted()) interrupted_ = true;
  return interrupted_;
}

bool SessionMonitor::ShouldStop() {
  const std::lock_guard lock(mutex_);
  if (interrupted()) stop_ = true;
  return stop_;
}

std::string SessionMonitor::checkpoint_path() {
  const std::lock_guard lock(mutex_);
  return checkpoint_hook_ != nullptr ? checkpoint_hook_->path() : last_path_;
}

void SessionMonitor::AddScalar(std::string name, const Fetch& fetch) {
  const std::lock_guard lock(mutex_);
  scalar_hook_->Add(std::move(name), fetch);
}

void SessionMonitor::WriteScalar(const std::string& name, double value) {
  const std::lock_guard lock(mutex_);
  recorder_.Record(name, step(), value);
}

int64_t SessionMonitor::ExamplesPerStep() const {
  if (options_.examples_per_step > 0) return options_.examples_per_step;
  const std::optional<int> step = counter_.counted_step();
  return step.has_value() ? ExamplesPerStepOf(engine_->program(*step)) : 0;
}

}  // namespace replicator
