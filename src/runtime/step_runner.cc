#include "runtime/step_runner.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "replicator/base/error.h"
#include "runtime/dump_compiled.h"

namespace replicator {
namespace {

const Shape kKeyShape{DType::kU32, {2}};

}  // namespace

StepRunner::StepRunner(Program program, std::shared_ptr<InputIterator::Impl> input, VariableStore& store)
    : program_(std::make_shared<const Program>(std::move(program))), input_(std::move(input)) {
  if (program_->num_replicas != store.num_replicas()) {
    throw Error(ErrorCode::kInvalidArgument,
                "the step was built for " + std::to_string(program_->num_replicas) + " replicas, but there are " +
                    std::to_string(store.num_replicas()),
                {program_->where});
  }
  BindParameters(store);
}

void StepRunner::BindParameters(VariableStore& store) {
  const auto add = [&](VariableStore::Slot* slot) {
    if (std::find(variables_.begin(), variables_.end(), slot) == variables_.end()) variables_.push_back(slot);
  };
  for (size_t i = 0; i < program_->parameters.size(); ++i) {
    const ProgramParameter& parameter = program_->parameters[i];
    const Shape& shape = program_->graph->node(program_->graph->parameters()[i]).results[0];
    switch (parameter.kind) {
      case ProgramParameter::Kind::kVariable:
        variable_bindings_.push_back({i, &store.At(parameter.variable), parameter.update >= 0});
        add(variable_bindings_.back().slot);
        break;
      case ProgramParameter::Kind::kInput:
        input_bindings_.push_back({i, ComponentOf(parameter, shape)});
        break;
      case ProgramParameter::Kind::kStepKey:
        key_parameter_ = static_cast<int>(i);
        break;
    }
  }
  for (const auto& def : program_->updates) {
    updates_.push_back(&store.At(def));
    add(updates_.back());
  }
}

size_t StepRunner::ComponentOf(const ProgramParameter& parameter, const Shape& shape) const {
  if (input_ == nullptr) {
    throw Error(ErrorCode::kInvalidArgument,
                "the step takes the component '" + parameter.name + "', but it has been given no input",
                {program_->where});
  }
  const data::ElementSpec& spec = input_->spec();
  const auto found = spec.find(parameter.name);
  if (found == spec.end() || found->second != shape) {
    throw Error(ErrorCode::kInvalidArgument,
                "the step takes the component '" + parameter.name + "' as " + ToString(shape) +
                    ", but its input gives " + data::ToString(spec),
                {program_->where, input_->where()});
  }
  return static_cast<size_t>(std::distance(spec.begin(), found));
}

void StepRunner::Compile(ExecutableCache& cache, const CompileTarget& target) {
  LowerOptions options{.target = target.lowering, .num_replicas = program_->num_replicas};
  for (const ProgramParameter& parameter : program_->parameters) options.aliases.push_back(parameter.update);
  const std::string mlir = LowerToStableHlo(*program_->graph, options);
  executable_ = cache.Get(mlir, {.num_replicas = program_->num_replicas, .overrides = target.overrides});
  DumpCompiled(program_->dump_folder, mlir, executable_->unloaded());

  const auto num_replicas = static_cast<size_t>(program_->num_replicas);
  key_buffers_.resize(num_replicas);
  arguments_.assign(num_replicas, std::vector<pjrt::Buffer*>(program_->parameters.size(), nullptr));
  if (!needs_key()) return;
  for (size_t r = 0; r < num_replicas; ++r) arguments_[r][static_cast<size_t>(key_parameter_)] = &key_buffers_[r];
}

std::shared_ptr<Engine::Step> StepRunner::Start(int64_t launch, const StepKey& key, DeviceBatches* batches) {
  for (const VariableBinding& binding : variable_bindings_) VariableStore::CheckNotLost(*binding.slot);
  Fill(key, batches);
  try {
    executable_->Execute(arguments_, {.non_donatable = non_donatable_}, launch_);
  } catch (const Error& error) {
    MarkDonatedLost(launch);
    throw Error(error.code(), ExecutionName(executions_ + 1, program_->where) + " failed: " + error.message(),
                {program_->where});
  }
  ++executions_;
  pjrt::Buffer flags_on_device;
  if (program_->has_guard) flags_on_device = std::move(launch_.outputs[0].back());
  std::vector<std::vector<pjrt::Buffer>> outputs = TakeOutputs();
  for (VariableStore::Slot* slot : updates_) slot->computed_by = launch;
  std::optional<pjrt::HostCopy> flags;
  if (program_->has_guard) flags.emplace(flags_on_device.ToLiteralAsync());
  completion_ = std::make_shared<Completion>(program_, executions_, launch, std::move(launch_.done), std::move(flags));
  return std::make_shared<Engine::Step>(std::move(outputs), completion_);
}

void StepRunner::Fill(const StepKey& key, DeviceBatches* batches) {
  non_donatable_.clear();
  for (const VariableBinding& binding : variable_bindings_) {
    // The buffers of a slot keep their addresses, so the first execution sets these pointers for all.
    if (arguments_[0][binding.parameter] == nullptr) {
      for (size_t r = 0; r < arguments_.size(); ++r) arguments_[r][binding.parameter] = &binding.slot->values[r];
    }
    if (binding.updated && binding.slot->being_read()) {
      non_donatable_.push_back(static_cast<int64_t>(binding.parameter));
    }
  }
  for (const InputBinding& binding : input_bindings_) {
    for (size_t r = 0; r < arguments_.size(); ++r) {
      arguments_[r][binding.parameter] = &batches->replicas[r][binding.component];
    }
  }
  if (!needs_key()) return;
  const auto devices = executable_->devices();
  for (size_t r = 0; r < arguments_.size(); ++r) {
    key_buffers_[r] = executable_->client()->PutCopy(kKeyShape, key.data(), *devices[r]);
  }
}

void StepRunner::MarkDonatedLost(int64_t launch) {
  for (VariableStore::Slot* slot : updates_) {
    const bool lost =
        std::any_of(slot->values.begin(), slot->values.end(), [](const pjrt::Buffer& b) { return b.known_deleted(); });
    if (!lost) continue;
    slot->computed_by = launch;
    VariableStore::MarkLost(*slot, launch, ExecutionName(executions_ + 1, program_->where));
  }
}

// The step's results go to its reader, the variables' new values into the store; what those replace is released.
std::vector<std::vector<pjrt::Buffer>> StepRunner::TakeOutputs() {
  std::vector<std::vector<pjrt::Buffer>> outputs(program_->outputs.size());
  const size_t num_outputs = outputs.size();
  for (size_t i = 0; i < num_outputs; ++i) {
    const bool replicated = program_->outputs[i].typing == Typing::kReplicated;
    const size_t kept = replicated ? 1 : launch_.outputs.size();
    outputs[i].reserve(kept);
    for (size_t r = 0; r < kept; ++r) outputs[i].push_back(std::move(launch_.outputs[r][i]));
  }
  for (size_t r = 0; r < launch_.outputs.size(); ++r) {
    for (size_t u = 0; u < updates_.size(); ++u) {
      VariableStore::Replace(*updates_[u], static_cast<int>(r), launch_.outputs[r][num_outputs + u]);
    }
    launch_.outputs[r].clear();
  }
  return outputs;
}

}  // namespace replicator
