// Runs steps.
#pragma once

#include <initializer_list>
#include <memory>
#include <mutex>
#include <vector>

#include "replicator/base/literal.h"
#include "replicator/graph/variable.h"
#include "replicator/runtime/callable.h"
#include "replicator/runtime/fetch.h"

namespace replicator {

// Executes the steps of the replicator that it is initialised with (Replicator::Init). Safe to call from any thread:
// concurrent runs serialise. Session and replicator share an engine, so they may be destroyed in any order.
class Session {
 public:
  Session() = default;
  virtual ~Session() = default;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Enqueues every step that the fetches belong to, each once and whole, in the order in which the steps were built,
  // and returns without waiting for results. Throws OutOfRange, with nothing executed of that step, at the end of its
  // input; the Error of an earlier step that failed meanwhile; and Error(kFailedPrecondition) before Init or after
  // Shutdown.
  Fetched Run(const Fetch& fetch) { return Run(std::vector<Fetch>{fetch})[0]; }
  virtual std::vector<Fetched> Run(const std::vector<Fetch>& fetches);

  // Compiles a function of tensors, of these element types and shapes, that reads the variables: see callable.h. `fn`
  // takes as many Tensors (up to eight) or one vector of them, and returns a nest of tensors (graph/nest.h);
  // it is called here, and not again. It may use modules that steps use too, and declare variables. Building is
  // single-threaded, as for steps; if it declares nothing, other threads may run steps meanwhile. Throws what fn
  // throws; Error(kInvalidArgument) where it assigns a variable, or the options cannot be right;
  // Error(kFailedPrecondition) before Init, after Shutdown, or inside a step function.
  template <typename Fn>
  Callable MakeCallable(Fn&& fn, const std::vector<Shape>& inputs, const CallableOptions& options = {},
                        SourceLocation where = SourceLocation::current()) {
    return BuildCallable(Attached(), internal::ToCallableFn(fn, where), inputs, options, where);
  }

  // Waits until everything enqueued is complete; throws the first error among it.
  void Wait();

  // The variable's current value; waits. For a per-replica variable its aggregate, or one replica's value.
  Literal Read(const Variable& variable);
  Literal ReadReplica(const Variable& variable, int replica);
  // Sets it on all replicas. Throws GraphError where dtype or shape differ.
  void Write(const Variable& variable, const Literal& value);

  // Called by Replicator::Init and Replicator::Shutdown. A MonitoredSession restores and saves here. Attach gives every
  // variable that has no value its initial one; again with the same engine, those declared since. It throws
  // Error(kFailedPrecondition) for another engine. Detach waits, and throws the first error among what was enqueued,
  // with the session released; without an engine it does nothing.
  virtual void Attach(std::shared_ptr<Engine> engine);
  virtual void Detach();
  // Null before Attach and after Detach.
  std::shared_ptr<Engine> engine() const;

 private:
  std::shared_ptr<Engine> Attached() const;  // throws if there is none

  mutable std::mutex mutex_;
  std::shared_ptr<Engine> engine_;  // guarded by mutex_
  bool detached_ = false;           // guarded by mutex_
};

}  // namespace replicator
