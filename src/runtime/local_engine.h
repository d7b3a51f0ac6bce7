// The engine of one process: all replicas on the devices of one client.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runtime/compile_target.h"
#include "runtime/device_grid.h"
#include "runtime/engine.h"
#include "runtime/executable_cache.h"
#include "runtime/step_runner.h"
#include "runtime/taken_inputs.h"
#include "runtime/variable_snapshot.h"
#include "runtime/variable_store.h"

namespace replicator {

// Locks are taken in this order: the run mutexes of inputs, in their own order; then the engine's mutex. Nothing that
// may depend on another step (a generator fed by it) is awaited under the engine's mutex.
class LocalEngine final : public Engine {
 public:
  // Throws Error(kInvalidArgument) for fewer than one replica or logical device, or more than the client has devices.
  LocalEngine(EngineOptions options, std::shared_ptr<pjrt::Client> client, CompileTarget target);

  int num_replicas() const override { return options_.num_replicas; }
  const EngineOptions& options() const override { return options_; }
  VariableTable& variables() override { return table_; }

  int AddStep(Program program, InputIterator input) override;
  const Program& program(int step) const override;
  void Initialise() override;
  std::map<int, std::shared_ptr<Step>> Execute(const std::vector<int>& steps) override;
  void Wait() override;
  int64_t executions(int step) const override;

  Literal ReadVariable(const VariableDef& def, int replica) override;
  std::vector<Literal> ReadReplicas(const VariableDef& def) override;
  Literal ReadAggregate(const VariableDef& def) override;
  void WriteVariable(const VariableDef& def, const Literal& value) override;

  CompiledCallable AddCallable(const Program& program, int replica) override;
  VariableSnapshot TakeSnapshot(std::span<const std::shared_ptr<const VariableDef>> variables,
                                std::span<const int> replicas) override;

  EngineState Save() override;
  void Restore(const EngineState& state, bool allow_missing) override;

  // For tests.
  ExecutableCache::Counts cache_counts() const;
  // Overwrites one replica's value, even of a mirrored variable.
  void TEST_WriteReplica(const VariableDef& def, int replica, const Literal& value);  // NOLINT: LevelDB's convention
  // What the variables occupy, by device of the client.
  std::vector<size_t> variable_bytes() const;

 private:
  using Slot = VariableStore::Slot;

  // A variable's values in a checkpoint, one for each replica.
  struct RestoredVariable {
    std::shared_ptr<const VariableDef> def;
    std::vector<Literal> values;
  };

  // Copies to the host under way: (variable, replica).
  struct Reading {
    std::vector<std::pair<Slot*, int>> what;
    std::vector<std::shared_ptr<VariableStore::Version>> versions;
    std::vector<pjrt::HostCopy> copies;
  };

  // Those called Locked require mutex_.
  StepRunner& RunnerLocked(int step) const;
  Slot& SlotLocked(const VariableDef& def);
  void InitialiseLocked(std::vector<Slot*> slots);
  // Of variables on one logical device, there.
  void ComputeInitialValuesLocked(std::span<Slot* const> slots);
  // Gives initial values to those that have none.
  void FillLocked(const std::vector<Slot*>& slots);
  void PrepareLocked(StepRunner& runner);
  // Starts one run of a step, on the i-th inputs.
  std::shared_ptr<Step> StartLocked(int step, TakenInputs& inputs, size_t i);
  // Forgets the executions that have ended, and marks what failed ones have lost. Throws the first Error that nobody
  // has been told, and leaves the later ones for the next call.
  void ReportEndedLocked();
  void DropPendingLocked();  // waits; nothing is reported

  // Gives the variables values where they have none, and begins to copy those of some replicas to the host.
  Reading BeginReadLocked(std::vector<std::pair<Slot*, int>> what);
  // Waits, without the mutex. Throws the Error of the execution that was to compute a value.
  std::vector<Literal> FinishRead(Reading reading);

  std::vector<RestoredVariable> MatchVariables(const EngineState& state, bool allow_missing) const;
  // One value for each replica from the state's tensors; empty where it has none.
  std::vector<Literal> ValuesIn(const EngineState& state, const VariableDef& def) const;

  const EngineOptions options_;
  const DeviceGrid grid_;
  const CompileTarget target_;
  VariableTable table_;  // used by the thread that builds

  mutable std::mutex mutex_;  // guards the following
  VariableStore store_;
  ExecutableCache cache_;
  std::vector<std::unique_ptr<StepRunner>> runners_;
  int callables_ = 0;
  std::vector<std::shared_ptr<InputIterator::Impl>> inputs_;  // distinct, in the order of AddStep
  std::deque<std::shared_ptr<Completion>> pending_;           // in the order of their launches
  int64_t launches_ = 0;
  EngineState restored_;  // what no variable, step or input has claimed yet
};

}  // namespace replicator
