// One step of an engine: its program, its executable, and everything that is prepared once so that an execution does
// little.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "lower/lower.h"
#include "pjrt/executable.h"
#include "replicate/program.h"
#include "runtime/executable_cache.h"
#include "runtime/input_iterator_impl.h"
#include "runtime/step.h"
#include "runtime/variable_store.h"

namespace replicator {

// Two words of random key.
using StepKey = std::array<uint32_t, 2>;

// What programs are lowered and compiled for.
struct CompileTarget {
  LoweringTarget lowering = LoweringTarget::kCpu;
  pjrt::Options overrides = {};  // of XLA's options
};

// Not thread-safe: the engine's mutex guards it, but for what is const.
class StepRunner {
 public:
  // `input` may be null. Throws Error(kInvalidArgument) when it does not give what the program takes.
  StepRunner(Program program, std::shared_ptr<InputIterator::Impl> input, VariableStore& store);

  const Program& program() const { return *program_; }
  InputIterator::Impl* input() const { return input_.get(); }
  bool needs_key() const { return key_parameter_ >= 0; }
  const std::vector<VariableStore::Slot*>& variables() const { return variables_; }

  // How often it has been started.
  int64_t executions() const { return executions_; }
  void set_executions(int64_t executions) { executions_ = executions; }

  bool compiled() const { return executable_ != nullptr; }
  // Throws as pjrt::Client::Compile.
  void Compile(ExecutableCache& cache, const CompileTarget& target);

  // Starts it: all variables must have values. `launch` is the number of this execution among those of the engine;
  // `batches` may be null where there is no input. Throws Error, with nothing started, for a lost variable; when
  // starting fails, donated variables are marked as lost.
  std::shared_ptr<Engine::Step> Start(int64_t launch, const StepKey& key, DeviceBatches* batches);

  // The completion of the last execution started.
  const std::shared_ptr<Completion>& completion() const { return completion_; }

 private:
  struct InputBinding {
    size_t parameter;
    size_t component;
  };
  struct VariableBinding {
    size_t parameter;
    VariableStore::Slot* slot;
    bool updated;
  };

  void BindParameters(VariableStore& store);
  size_t ComponentOf(const ProgramParameter& parameter, const Shape& shape) const;
  void Fill(const StepKey& key, DeviceBatches* batches);
  void MarkDonatedLost(int64_t launch);
  std::vector<std::vector<pjrt::Buffer>> TakeOutputs();

  const std::shared_ptr<const Program> program_;
  const std::shared_ptr<InputIterator::Impl> input_;
  std::vector<VariableStore::Slot*> variables_;  // distinct: parameters and updates
  std::vector<VariableStore::Slot*> updates_;    // as program().updates
  std::vector<VariableBinding> variable_bindings_;
  std::vector<InputBinding> input_bindings_;
  int key_parameter_ = -1;

  int64_t executions_ = 0;
  std::shared_ptr<pjrt::Executable> executable_;
  // Of the execution being started; kept to save allocations.
  std::vector<std::vector<pjrt::Buffer*>> arguments_;  // [replica][parameter]; those of variables never change
  std::vector<pjrt::Buffer> key_buffers_;              // by replica
  std::vector<int64_t> non_donatable_;
  pjrt::Launch launch_;
  std::shared_ptr<Completion> completion_;
};

}  // namespace replicator
