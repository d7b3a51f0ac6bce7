// The engine of one process whose sync groups train the same variables without waiting for one another.
#pragma once

#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "runtime/async_step.h"
#include "runtime/compile_target.h"
#include "runtime/device_applier.h"
#include "runtime/device_grid.h"
#include "runtime/device_state.h"
#include "runtime/engine.h"
#include "runtime/executable_cache.h"
#include "runtime/variable_snapshot.h"
#include "store/parameter_store.h"

namespace replicator {

// Group g owns the devices g*R to g*R + R-1 of the client, and runs the step on all of them at once; the shared
// variables live on device 0. An execution takes a batch, reads a version from the store, computes on the group's
// devices, waits for that, and pushes; the store's policy decides who waits for whom.
class AsyncEngine final : public Engine {
 public:
  // Throws Error(kInvalidArgument) for several logical devices, and options that the store refuses.
  AsyncEngine(EngineOptions options, std::shared_ptr<pjrt::Client> client, CompileTarget target);
  ~AsyncEngine() override;

  int num_replicas() const override { return options_.num_replicas; }
  const EngineOptions& options() const override { return options_; }
  VariableTable& variables() override { return table_; }

  int AddStep(Program program, InputIterator input) override;
  const Program& program(int step) const override;
  void Initialise() override;
  std::map<int, std::shared_ptr<Step>> Execute(const std::vector<int>& steps) override;
  void Wait() override;
  // How many updates it has made.
  int64_t executions(int step) const override;

  Literal ReadVariable(const VariableDef& def, int replica) override;
  std::vector<Literal> ReadReplicas(const VariableDef& def) override;
  Literal ReadAggregate(const VariableDef& def) override { return ReadVariable(def, 0); }
  void WriteVariable(const VariableDef& def, const Literal& value) override;

  CompiledCallable AddCallable(const Program& program, int replica) override;
  VariableSnapshot TakeSnapshot(std::span<const std::shared_ptr<const VariableDef>> variables,
                                std::span<const int> replicas) override;

  std::optional<AsyncStatistics> async_statistics() const override;
  bool all_groups_ended() const override;

  EngineState Save() override;
  void Restore(const EngineState& state, bool allow_missing) override;

  // Everybody who trains ends with this error.
  void Stop(std::exception_ptr error);
  // The group begins no more steps.
  void Leave(int group);

 private:
  using Def = std::shared_ptr<const VariableDef>;
  using Values = std::map<int, std::shared_ptr<pjrt::Buffer>>;  // by VariableDef::index

  std::vector<int> DevicesOf(int group) const;
  std::shared_ptr<pjrt::Executable> Compile(const Program& program, const std::vector<int>& devices);
  AsyncStep& StepAt(int step) const;
  // Of this thread among those that have run steps.
  int ThreadNumber();
  int GroupOf(const AsyncStep& step);

  // The store, holding every variable that has been declared. Takes setup_mutex_.
  store::ParameterStore& Ready();
  void ArrangeLocked(Values values, const AsyncProgress& progress, int64_t updates);
  // What the store holds; nothing before it has been made.
  Values PresentLocked(AsyncProgress& progress) const;
  void FillLocked(Values& values);
  std::shared_ptr<pjrt::Buffer> ValueOf(const VariableDef& def);

  std::shared_ptr<Step> Run(AsyncStep& step, int group);
  // Puts the arguments together, launches, waits, and returns the outputs: [replica][output].
  std::vector<std::vector<pjrt::Buffer>> Compute(AsyncStep& step, int group, int64_t execution,
                                                 const std::vector<store::StateRef>& states,
                                                 const DeviceBatches& batches);
  void ReportEnded();

  const int64_t id_;  // of all engines of the process
  std::atomic<int> next_thread_{0};
  const EngineOptions options_;
  const DeviceGrid grid_;  // of all groups' replicas
  const CompileTarget target_;
  VariableTable table_;  // used by the thread that builds

  std::mutex compile_mutex_;
  ExecutableCache cache_;  // guarded by compile_mutex_

  const std::shared_ptr<DeviceApplier> applier_;

  // Guards the following, but for what the store itself guards. Where both are needed, the store's lock comes second.
  mutable std::mutex setup_mutex_;
  std::unique_ptr<store::ParameterStore> store_;
  size_t arranged_variables_ = 0, arranged_steps_ = 0;
  std::deque<std::unique_ptr<AsyncStep>> steps_;
  std::vector<std::shared_ptr<InputIterator::Impl>> inputs_;  // group 0's, distinct, in the order of AddStep
  std::vector<std::vector<std::shared_ptr<InputIterator::Impl>>> input_groups_;
  int callables_ = 0;
  EngineState restored_;  // what no variable, step or input has claimed yet
  std::vector<bool> ended_;

  std::mutex pending_mutex_;
  std::deque<std::shared_ptr<Completion>> pending_;  // guarded by pending_mutex_
};

}  // namespace replicator
