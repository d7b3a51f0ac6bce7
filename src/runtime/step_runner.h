// One step of an engine: its program, its executables, and everything that is prepared once so that an execution does
// little.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "replicate/program.h"
#include "runtime/input_iterator_impl.h"
#include "runtime/segment_runner.h"
#include "runtime/step.h"
#include "runtime/step_key.h"
#include "runtime/variable_store.h"

namespace replicator {

// Not thread-safe: the engine's mutex guards it, but for what is const.
class StepRunner {
 public:
  using Keys = std::span<const StepKey>;
  using Batches = std::span<DeviceBatches>;

  // `input` may be null; `store` must outlive it. Throws Error(kInvalidArgument) when the input does not give what the
  // program takes.
  StepRunner(Program program, std::shared_ptr<InputIterator::Impl> input, VariableStore& store);

  const Program& program() const { return *program_; }
  InputIterator::Impl* input() const { return input_.get(); }
  bool needs_key() const { return !keys_.empty(); }
  const std::vector<VariableStore::Slot*>& variables() const { return variables_; }

  // How many executions one run is.
  int64_t executions_per_run() const { return std::max<int64_t>(1, program_->executions_per_run); }
  // What makes one launch of them all; null where each is a launch.
  StepRunner* repeated() const { return repeated_.get(); }

  // How often it has been executed.
  int64_t executions() const { return executions_; }
  void set_executions(int64_t executions) { executions_ = executions; }

  bool compiled() const { return compiled_; }
  // Throws as pjrt::Client::Compile.
  void Compile(ExecutableCache& cache, const CompileTarget& target);

  // Starts it: all variables must have values. `launch` is its number among those of the engine. One key and, where
  // there is an input, one batch for each of program().executions. Throws Error, with nothing started, for a lost
  // variable; when starting fails, donated variables are marked as lost.
  std::shared_ptr<Engine::Step> Start(int64_t launch, Keys keys, Batches batches);

  // The completion of the last launch.
  const std::shared_ptr<Completion>& completion() const { return completion_; }

 private:
  // One of a parameter of the program.
  struct Source {
    VariableStore::Slot* slot = nullptr;  // of a variable
    size_t component = 0;                 // of the batch
    size_t batch = 0;                     // among those of the launch
  };
  // The step key on the replicas' devices of one number.
  struct KeyOnDevice {
    int logical_device = 0;
    std::vector<pjrt::Buffer> replicas;
  };

  void BindParameters();
  void FindKeys();
  size_t ComponentOf(const ProgramParameter& parameter, const Shape& shape) const;
  void PutKeys(Keys keys);
  KeyOnDevice& KeyOn(int logical_device);
  // The buffer of `value` for one replica, where it was computed; the key of `logical_device`.
  pjrt::Buffer* BufferOf(ProgramValue value, size_t replica, int logical_device, Batches batches);
  void StartSegments(Keys keys, Batches batches);
  void Fill(SegmentRunner& segment, Batches batches);
  // Copies of the outputs of `segment`, or of parameters (-1), to other devices.
  void StartTransfers(int segment, Batches batches);
  std::string NextName() const;  // of what is being started
  void MarkDonatedLost(int64_t launch);
  pjrt::Buffer TakeResult(size_t result, size_t replica);
  std::vector<std::vector<pjrt::Buffer>> TakeOutputs();
  std::vector<pjrt::Event> TakeEvents();
  void DropIntermediates();

  const std::shared_ptr<const Program> program_;
  const std::shared_ptr<InputIterator::Impl> input_;
  std::unique_ptr<StepRunner> repeated_;
  VariableStore& store_;
  const size_t num_replicas_;
  std::vector<Source> sources_;                  // by parameter of the program
  std::vector<VariableStore::Slot*> variables_;  // distinct: parameters and updates
  std::vector<VariableStore::Slot*> updates_;    // as program().updates

  int64_t executions_ = 0;
  bool compiled_ = false;
  std::vector<SegmentRunner> segments_;
  // Of the execution being started; kept to save allocations.
  std::vector<KeyOnDevice> keys_;                     // of the devices that draw
  std::vector<std::vector<pjrt::Buffer>> transfers_;  // [transfer][replica]
  std::vector<int64_t> non_donatable_;
  std::shared_ptr<Completion> completion_;
};

}  // namespace replicator
