// What watches a MonitoredSession: progress, checkpoints and summaries are hooks, and users add their own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "replicator/runtime/fetch.h"

namespace replicator {

class Session;

struct NamedScalar {
  std::string name;
  double value = 0;
  int64_t step = 0;  // the step that it is of
};

// What a hook sees of the session. Valid during the hook's calls only.
class HookContext {
 public:
  virtual ~HookContext() = default;
  // The counted step (MonitoredSessionOptions::step_counter): how many are enqueued, those before a resume included.
  virtual int64_t step() const = 0;
  // Session::Run called through it, for instance to evaluate now and then, does not call the hooks.
  virtual Session& session() = 0;
  // The newest value of each scalar that the session was told of, in the order of their first values.
  virtual const std::vector<NamedScalar>& scalars() const = 0;
  // ShouldStop() is true from now on.
  virtual void RequestStop() = 0;
  // A line for the user on stderr that does not garble the progress bar.
  virtual void Warn(std::string_view message) = 0;
};

// Calls come from the thread that calls the session, one at a time. What a call throws reaches the session's caller.
class Hook {
 public:
  virtual ~Hook() = default;

  // Once, when the session has been initialised and, if there was a checkpoint, restored.
  virtual void Begin(HookContext& /*context*/) {}

  // Before each Run: fetches to be added to it. They never cause a step to run: one of a step that this Run does not
  // execute anyway is left out.
  virtual std::vector<Fetch> BeforeRun(HookContext& /*context*/) { return {}; }

  // After each Run has enqueued its steps. `values`: one for each fetch that BeforeRun returned, nullopt where it was
  // left out. Reading one waits for the step to be computed; a hook that keeps the values and reads them some steps
  // later does not hold up training.
  virtual void AfterRun(HookContext& /*context*/, const std::vector<std::optional<Fetched>>& /*values*/) {}

  // Once, when the session is shut down, after everything enqueued is complete; also after an error.
  virtual void End(HookContext& /*context*/) {}
};

}  // namespace replicator
