// The replicator: runs one step function on many replicas.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "replicator/graph/nest.h"
#include "replicator/graph/nest_map.h"
#include "replicator/graph/replica_context.h"
#include "replicator/graph/variable.h"
#include "replicator/optim/optimizer.h"
#include "replicator/runtime/fetch.h"
#include "replicator/runtime/input_iterator.h"
#include "replicator/runtime/session.h"

namespace replicator {

class ReplicatorContext;

// One replica's batch inside a step function: tensors by component name.
class Batch {
 public:
  explicit Batch(std::map<std::string, Tensor> components) : components_(std::move(components)) {}
  // Throws Error(kNotFound), naming the components that there are.
  const Tensor& operator[](const std::string& name) const;
  const std::map<std::string, Tensor>& components() const { return components_; }

 private:
  std::map<std::string, Tensor> components_;
};

struct RunOptions {
  Mode mode = Mode::kTrain;
  // Keep all old values, and report the step and the first bad variable, when an update is not finite.
  bool nan_guard = true;
};

struct RunStepsOptions {
  Mode mode = Mode::kTrain;
  bool nan_guard = true;  // for each of the steps: a bad one keeps the values of before it, and the next ones go on
  // One launch, with a loop in the program, or as many as there are steps. Not given: what is faster on the platform
  // (on CPU, launches).
  std::optional<bool> single_launch = {};
};

// Keeps a replicator's context entered on this thread; [[nodiscard]], neither copied nor moved.
class [[nodiscard]] ContextScope {
 public:
  ContextScope(std::shared_ptr<Engine> engine, SourceLocation where);
  ~ContextScope();
  ContextScope(const ContextScope&) = delete;
  ContextScope& operator=(const ContextScope&) = delete;

 private:
  std::shared_ptr<Engine> engine_;
  std::unique_ptr<ReplicatorContext> context_;
};

// Base of all replicators; the derived ones differ in their constructors. Building (Context, Run) is single-threaded.
class Replicator {
 public:
  virtual ~Replicator();
  Replicator(const Replicator&) = delete;
  Replicator& operator=(const Replicator&) = delete;

  int num_replicas() const;

  // Enters the replicator: variables are declared in it until the scope ends. Entering again is a no-op; entering while
  // another replicator's is active throws Error(kFailedPrecondition).
  ContextScope Context(SourceLocation where = SourceLocation::current());

  // The optimizer with its gradients aggregated over the replicas: kMean for the gradient of the mean of the replicas'
  // losses, kSum for that of their sum. There is no default: nobody but the user knows which loss is meant.
  optim::Optimizer WrapOptimizer(const optim::Optimizer& optimizer, optim::GradientReduction reduction,
                                 SourceLocation where = SourceLocation::current());

  // Builds a step: calls step_fn once per replica (with that replica's Batch if there is an input), matches and
  // rewrites their collectives, and returns what step_fn returned with a PerReplica in place of every Tensor. step_fn
  // may return nothing (then the step itself comes back) or a nest of tensors (graph/nest.h), of the same structure in
  // every replica. Throws Error, before anything runs, where the replicas' collectives or results do not match or a
  // typing rule is broken.
  template <typename StepFn>
  auto Run(StepFn&& step_fn, const InputIterator& input, const RunOptions& options = {},
           SourceLocation where = SourceLocation::current());
  template <typename StepFn>
  auto Run(StepFn&& step_fn, const InputFn& input_fn, const RunOptions& options = {},
           SourceLocation where = SourceLocation::current()) {
    return Run(std::forward<StepFn>(step_fn), MakeInputIterator(input_fn, InputReplicationMode::kPerWorker, where),
               options, where);
  }
  template <typename StepFn, typename = std::enable_if_t<std::is_invocable_v<StepFn>>>
  auto Run(StepFn&& step_fn, const RunOptions& options = {}, SourceLocation where = SourceLocation::current()) {
    return Run([&](const Batch&) { return step_fn(); }, InputIterator(), options, where);
  }

  // As Run, but one run is `k` steps one after another, each with the next batch and with random numbers of its own:
  // the result of k runs, to rounding. What step_fn returns comes back with a new leading axis of k (so that ReduceMean
  // is over the steps, too). Counts of executions, optimizers' iterations and the input's position move on by k. Where
  // the input ends early, the steps that are left are run, and the leading axis is as many; OutOfRange is thrown where
  // none is left. Throws Error(kInvalidArgument) for k < 1.
  template <typename StepFn>
  auto RunSteps(StepFn&& step_fn, const InputIterator& input, int64_t k, const RunStepsOptions& options = {},
                SourceLocation where = SourceLocation::current()) {
    return RunRepeatedly(std::forward<StepFn>(step_fn), input, Repeat{CheckedSteps(k, where), options.single_launch},
                         RunOptions{options.mode, options.nan_guard}, where);
  }
  template <typename StepFn>
  auto RunSteps(StepFn&& step_fn, const InputFn& input_fn, int64_t k, const RunStepsOptions& options = {},
                SourceLocation where = SourceLocation::current()) {
    return RunSteps(std::forward<StepFn>(step_fn), MakeInputIterator(input_fn, InputReplicationMode::kPerWorker, where),
                    k, options, where);
  }
  template <typename StepFn, typename = std::enable_if_t<std::is_invocable_v<StepFn>>>
  auto RunSteps(StepFn&& step_fn, int64_t k, const RunStepsOptions& options = {},
                SourceLocation where = SourceLocation::current()) {
    return RunSteps([&](const Batch&) { return step_fn(); }, InputIterator(), k, options, where);
  }

  // Cross-replica functions, outside of steps. Reduce and Broadcast take a step's result, or a nest of results, and
  // return what can be fetched (runtime/fetch.h has their rules).
  template <typename T>
  auto Reduce(const T& results, ReduceOp op, SourceLocation where = SourceLocation::current()) const {
    return MapNest<PerReplica, Fetch>(results,
                                      [&](const PerReplica& result) { return replicator::Reduce(result, op, where); });
  }
  template <typename T>
  auto Broadcast(const T& results, int source = 0, SourceLocation where = SourceLocation::current()) const {
    return MapNest<PerReplica, PerReplica>(
        results, [&](const PerReplica& result) { return replicator::Broadcast(result, source, where); });
  }
  // A step that sets the variable on all replicas: to `value`, which becomes a part of its program (Session::Write is
  // better for one that is large or changes), or to fn(Tensor before), called once per replica as a step function is:
  // it may read other variables and call collectives. A mirrored variable takes a replicated value. Throws GraphError
  // where dtype or shape differ.
  PerReplica Update(const Variable& variable, const Literal& value, SourceLocation where = SourceLocation::current());
  PerReplica Update(const Variable& variable, const std::function<Tensor(const Tensor& before)>& fn,
                    SourceLocation where = SourceLocation::current());

  // An input that several steps can share, or that can be re-initialised. kSingle and kPerWorker: one pipeline for all
  // local replicas; kPerReplica: input_fn is called once per replica.
  InputIterator MakeInputIterator(const InputFn& input_fn, InputReplicationMode mode = InputReplicationMode::kPerWorker,
                                  SourceLocation where = SourceLocation::current());

  // Gives the session this replicator's engine, and the variables their values: restored by a MonitoredSession that
  // finds a checkpoint, initial otherwise. Throws Error(kFailedPrecondition) if the session belongs to another
  // replicator.
  void Init(Session& session);
  // Waits for what is enqueued and releases the session. Idempotent.
  void Shutdown(Session& session);

  // All variables declared so far, in order.
  std::vector<Variable> Variables() const;
  // The variable of that full name. Throws Error(kNotFound).
  Variable FindVariable(const std::string& name, SourceLocation where = SourceLocation::current()) const;

  const std::shared_ptr<Engine>& engine() const { return engine_; }

 protected:
  explicit Replicator(std::shared_ptr<Engine> engine);

 private:
  struct Repeat {
    int64_t steps = 0;  // of one run, stacked; 0: one, as it is
    std::optional<bool> single_launch = {};
  };
  static int64_t CheckedSteps(int64_t k, SourceLocation where);
  template <typename StepFn>
  auto RunRepeatedly(StepFn&& step_fn, const InputIterator& input, const Repeat& repeat, const RunOptions& options,
                     SourceLocation where);
  // `build` is step_fn with its result taken apart.
  std::vector<PerReplica> BuildStep(const std::function<FlatNest(const Batch&)>& build, const InputIterator& input,
                                    const Repeat& repeat, const RunOptions& options, SourceLocation where);

  std::shared_ptr<Engine> engine_;
};

template <typename StepFn>
auto Replicator::Run(StepFn&& step_fn, const InputIterator& input, const RunOptions& options, SourceLocation where) {
  return RunRepeatedly(std::forward<StepFn>(step_fn), input, Repeat{}, options, where);
}

template <typename StepFn>
auto Replicator::RunRepeatedly(StepFn&& step_fn, const InputIterator& input, const Repeat& repeat,
                               const RunOptions& options, SourceLocation where) {
  using Result = std::remove_cvref_t<std::invoke_result_t<StepFn&, const Batch&>>;
  if constexpr (std::is_void_v<Result>) {
    const auto build = [&](const Batch& batch) {
      step_fn(batch);
      return FlatNest({}, "", where);
    };
    return BuildStep(build, input, repeat, options, where)[0];
  } else {
    std::optional<Result> structure;
    const auto build = [&](const Batch& batch) {
      structure.emplace(step_fn(batch));
      return FlatNest(NestLeaves(*structure), NestStructure(*structure), where);
    };
    const std::vector<PerReplica> results = BuildStep(build, input, repeat, options, where);
    size_t next = 0;
    return MapNest<Tensor, PerReplica>(*structure, [&](const Tensor&) { return results[next++]; });
  }
}

}  // namespace replicator
