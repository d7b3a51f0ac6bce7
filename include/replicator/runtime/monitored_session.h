// The session that a training program uses: it stops, saves, resumes, shows progress and writes summaries.
//
//   MonitoredSession session({.checkpoint_dir = "run1", .stop_at_step = 10'000});
//   repl.Init(session);
//   while (!session.ShouldStop()) session.Run(train_op);
//   repl.Shutdown(session);
//   return session.interrupted() ? 130 : 0;
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "replicator/runtime/hook.h"
#include "replicator/runtime/session.h"

namespace replicator {

struct SessionEnvironment;
class SessionMonitor;

enum class Progress {
  kAuto,   // a bar on stderr if that is a terminal, otherwise a line every 10 s
  kLines,  // lines also on a terminal
  kQuiet,
};

struct MonitoredSessionOptions {
  // Where checkpoints are kept; empty: nowhere. One is always saved when the session is shut down.
  std::string checkpoint_dir = {};
  int64_t save_every_steps = 0;     // 0: not by steps
  double save_every_seconds = 600;  // 0: not by time
  int keep_last = 3;
  // Whether to continue from the newest checkpoint in checkpoint_dir, if there is one. Without it, a directory that has
  // checkpoints already is refused: they would be mixed with those of the new run.
  bool resume = true;

  // Where TensorBoard finds the scalars; empty: none are written.
  std::string logdir = {};
  int64_t scalars_every_steps = 10;

  // When ShouldStop becomes true, besides at the end of the input.
  std::optional<int64_t> stop_at_step = std::nullopt;
  std::optional<double> stop_after_seconds = std::nullopt;  // since Init
  // What is counted, for stop_at_step and everywhere else: an integer scalar that a step increments by one, as
  // Optimizer::iterations() is. Undefined: executions of the first step of Mode::kTrain that is run.
  Variable step_counter = {};

  Progress progress = Progress::kAuto;
  // For examples/s. 0: the leading extent of the counted step's first input, times the replicas.
  int64_t examples_per_step = 0;

  // SIGINT (Ctrl-C) and SIGTERM, between Init and Shutdown: the first makes ShouldStop true, so that the step is
  // finished and a checkpoint saved; the second ends the process at once with exit status 130. A signal that the
  // process ignores stays ignored.
  bool handle_interrupt = true;

  // For debugging: each time the counted step passes a multiple of this number, compare every mirrored variable over
  // the replicas, bit for bit, and end the run with ReplicasDiffer (drift.h) where one differs. No checkpoint is saved
  // after that. Costs a copy of all variables of all replicas to the host. 0: never.
  int64_t check_mirrored_every_steps = 0;

  // Called after the built-in ones, in this order.
  std::vector<std::shared_ptr<Hook>> hooks = {};

  // Clock, interrupts, output and files of tests; null: the real ones. Must outlive the session.
  SessionEnvironment* environment = nullptr;
};

// Replicator::Init restores the newest checkpoint, or initialises; Replicator::Shutdown (or else the destructor, which
// logs what would be thrown) saves one. A process that is killed at any moment and started again ends with the same
// parameters, bit for bit, as one that was not.
//
// Errors. Init throws what the file system throws for a directory that cannot be written, Error(kDataLoss) for a
// corrupt checkpoint, Engine::Restore's errors, naming the file, for one of another model, and
// Error(kFailedPrecondition) as said at `resume`. A save that fails while training (a full disk) is a warning, tried
// again when the next one is due: the checkpoints before it survive and training goes on; but one that fails at
// Shutdown is thrown there. When a step fails (as with values that are not finite: Replicator's RunOptions::nan_guard),
// Run or Shutdown throws its error, ShouldStop is true, and the variables' values, which are those before the failed
// step, are saved if they can still be read.
class MonitoredSession : public Session {
 public:
  // Throws Error(kInvalidArgument) for options that cannot be right.
  explicit MonitoredSession(MonitoredSessionOptions options = {});
  ~MonitoredSession() override;

  using Session::Run;
  // As Session::Run, and calls the hooks. At the end of the counted step's input it makes ShouldStop true and returns
  // results that throw OutOfRange when read; for other steps (a sweep of evaluation) it throws OutOfRange itself.
  std::vector<Fetched> Run(const std::vector<Fetch>& fetches) override;

  // Whether to end the loop: step or time reached, end of input, an interrupt, a failure, or a hook's request.
  bool ShouldStop();
  // Whether it was a signal. By convention such a program exits with 130.
  bool interrupted() const;
  // The counted step.
  int64_t step() const;
  // The checkpoint last saved or restored; empty if none.
  std::string checkpoint_path() const;

  // From now on reads `fetch` (one number) every scalars_every_steps steps, when its step is run anyway, and hands it
  // to the event file and the progress display. Values are read two steps later, so that training does not wait.
  void AddScalar(std::string name, const Fetch& fetch);
  // One value, of the present step, likewise; between Init and Shutdown.
  void WriteScalar(const std::string& name, double value);

  void Attach(std::shared_ptr<Engine> engine) override;
  void Detach() override;

 private:
  std::unique_ptr<SessionMonitor> monitor_;
};

}  // namespace replicator
