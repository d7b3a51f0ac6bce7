#include "runtime/step_runner.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "replicator/base/error.h"

namespace replicator {
StepRunner::StepRunner(Program program, std::shared_ptr<InputIterator::Impl> input, VariableStore& store)
    : program_(std::make_shared<const Program>(std::move(program))),
      input_(std::move(input)),
      store_(store),
      num_replicas_(static_cast<size_t>(program_->num_replicas)) {
  if (program_->num_replicas != store.num_replicas()) {
    throw Error(ErrorCode::kInvalidArgument,
                "the step was built for " + std::to_string(program_->num_replicas) + " replicas, but there are " +
                    std::to_string(store.num_replicas()),
                {program_->where});
  }
  for (const Segment& segment : program_->segments) segments_.emplace_back(segment);
  transfers_.resize(program_->transfers.size());
  for (auto& replicas : transfers_) replicas.resize(num_replicas_);
  BindParameters();
  FindKeys();
  if (program_->repeated != nullptr) repeated_ = std::make_unique<StepRunner>(*program_->repeated, input_, store);
}

void StepRunner::BindParameters() {
  const auto add = [&](VariableStore::Slot* slot) {
    if (std::find(variables_.begin(), variables_.end(), slot) == variables_.end()) variables_.push_back(slot);
    return slot;
  };
  for (size_t i = 0; i < program_->parameters.size(); ++i) {
    const ProgramParameter& parameter = program_->parameters[i];
    const Shape& shape = program_->graph->node(program_->graph->parameters()[i]).results[0];
    Source& source = sources_.emplace_back();
    if (parameter.kind == ProgramParameter::Kind::kVariable) source.slot = add(&store_.At(parameter.variable));
    if (parameter.kind == ProgramParameter::Kind::kInput) source.component = ComponentOf(parameter, shape);
    source.batch = static_cast<size_t>(parameter.batch);
  }
  for (const auto& def : program_->updates) updates_.push_back(add(&store_.At(def)));
}

void StepRunner::FindKeys() {
  for (const Segment& segment : program_->segments) {
    for (const SegmentParameter& parameter : segment.parameters) {
      if (parameter.value.segment >= 0) continue;
      const auto kind = program_->parameters[static_cast<size_t>(parameter.value.index)].kind;
      if (kind == ProgramParameter::Kind::kStepKey) KeyOn(segment.logical_device);
    }
  }
}

StepRunner::KeyOnDevice& StepRunner::KeyOn(int logical_device) {
  const auto found = std::find_if(keys_.begin(), keys_.end(),
                                  [&](const KeyOnDevice& key) { return key.logical_device == logical_device; });
  if (found != keys_.end()) return *found;
  keys_.push_back({logical_device, std::vector<pjrt::Buffer>(num_replicas_)});
  return keys_.back();
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
  for (size_t s = 0; s < segments_.size(); ++s) {
    const std::string prefix = segments_.size() == 1 ? "" : "segment_" + std::to_string(s) + "_";
    segments_[s].Compile(cache, target, store_.grid(), program_->dump_folder, prefix);
  }
  compiled_ = true;
}

std::shared_ptr<Engine::Step> StepRunner::Start(int64_t launch, Keys keys, Batches batches) {
  for (const VariableStore::Slot* slot : variables_) VariableStore::CheckNotLost(*slot);
  try {
    StartSegments(keys, batches);
  } catch (const Error& error) {
    MarkDonatedLost(launch);
    DropIntermediates();
    throw Error(error.code(), NextName() + " failed: " + error.message(), {program_->where});
  }
  const int64_t first = executions_ + 1;
  executions_ += program_->executions;
  pjrt::Buffer flags_on_device;
  if (program_->has_guard) flags_on_device = TakeResult(program_->results.size() - 1, 0);
  std::vector<std::vector<pjrt::Buffer>> outputs = TakeOutputs();
  for (VariableStore::Slot* slot : updates_) slot->computed_by = launch;
  std::optional<pjrt::HostCopy> flags;
  if (program_->has_guard) flags.emplace(flags_on_device.ToLiteralAsync());
  completion_ = std::make_shared<Completion>(program_, first, launch, TakeEvents(), std::move(flags));
  DropIntermediates();
  return std::make_shared<Engine::Step>(std::move(outputs), completion_);
}

void StepRunner::StartSegments(Keys keys, Batches batches) {
  PutKeys(keys);
  StartTransfers(-1, batches);
  for (size_t s = 0; s < segments_.size(); ++s) {
    Fill(segments_[s], batches);
    segments_[s].Start(non_donatable_);
    StartTransfers(static_cast<int>(s), batches);
  }
}

void StepRunner::PutKeys(Keys keys) {
  const Shape shape{DType::kU32, program_->executions == 1 ? Dims{2} : Dims{program_->executions, 2}};
  for (KeyOnDevice& on_device : keys_) {
    for (size_t r = 0; r < num_replicas_; ++r) {
      const pjrt::Device& device = store_.grid().At(static_cast<int>(r), on_device.logical_device);
      on_device.replicas[r] = store_.grid().client()->PutCopy(shape, keys.data(), device);
    }
  }
}

pjrt::Buffer* StepRunner::BufferOf(ProgramValue value, size_t replica, int logical_device, Batches batches) {
  const auto index = static_cast<size_t>(value.index);
  if (value.segment >= 0) return &segments_[static_cast<size_t>(value.segment)].launch().outputs[replica][index];
  const Source& source = sources_[index];
  if (source.slot != nullptr) return &source.slot->values[replica];
  if (program_->parameters[index].kind == ProgramParameter::Kind::kStepKey) {
    return &KeyOn(logical_device).replicas[replica];
  }
  return &batches[source.batch].replicas[replica][source.component];
}

void StepRunner::Fill(SegmentRunner& segment, Batches batches) {
  non_donatable_.clear();
  const auto& parameters = segment.segment().parameters;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const SegmentParameter& parameter = parameters[i];
    VariableStore::Slot* slot =
        parameter.value.segment < 0 ? sources_[static_cast<size_t>(parameter.value.index)].slot : nullptr;
    if (slot != nullptr && parameter.alias >= 0 && slot->being_read())
      non_donatable_.push_back(static_cast<int64_t>(i));
    // The buffers of a slot keep their addresses, so the first execution binds them for all.
    if (slot != nullptr && parameter.transfer < 0 && segment.IsBound(i)) continue;
    for (size_t r = 0; r < num_replicas_; ++r) {
      segment.Bind(i, r,
                   parameter.transfer >= 0 ? &transfers_[static_cast<size_t>(parameter.transfer)][r]
                                           : BufferOf(parameter.value, r, segment.segment().logical_device, batches));
    }
  }
}

void StepRunner::StartTransfers(int segment, Batches batches) {
  for (size_t t = 0; t < transfers_.size(); ++t) {
    const Transfer& transfer = program_->transfers[t];
    if (transfer.value.segment != segment) continue;
    for (size_t r = 0; r < num_replicas_; ++r) {
      const pjrt::Device& device = store_.grid().At(static_cast<int>(r), transfer.logical_device);
      transfers_[t][r] = BufferOf(transfer.value, r, transfer.logical_device, batches)->CopyTo(device);
    }
  }
}

std::string StepRunner::NextName() const {
  return ExecutionName(executions_ + 1, program_->where, program_->executions);
}

void StepRunner::MarkDonatedLost(int64_t launch) {
  for (VariableStore::Slot* slot : updates_) {
    const bool lost =
        std::any_of(slot->values.begin(), slot->values.end(), [](const pjrt::Buffer& b) { return b.known_deleted(); });
    if (!lost) continue;
    slot->computed_by = launch;
    VariableStore::MarkLost(*slot, launch, NextName());
  }
}

pjrt::Buffer StepRunner::TakeResult(size_t result, size_t replica) {
  const ProgramValue& value = program_->results[result];
  auto& outputs = segments_[static_cast<size_t>(value.segment)].launch().outputs;
  return std::move(outputs[replica][static_cast<size_t>(value.index)]);
}

// The step's results go to its reader, the variables' new values into the store; what those replace is released.
std::vector<std::vector<pjrt::Buffer>> StepRunner::TakeOutputs() {
  std::vector<std::vector<pjrt::Buffer>> outputs(program_->outputs.size());
  for (size_t i = 0; i < outputs.size(); ++i) {
    const bool replicated = program_->outputs[i].typing == Typing::kReplicated;
    const size_t kept = replicated ? 1 : num_replicas_;
    outputs[i].reserve(kept);
    for (size_t r = 0; r < kept; ++r) outputs[i].push_back(TakeResult(i, r));
  }
  for (size_t u = 0; u < updates_.size(); ++u) {
    for (size_t r = 0; r < num_replicas_; ++r) {
      pjrt::Buffer value = TakeResult(outputs.size() + u, r);
      VariableStore::Replace(*updates_[u], static_cast<int>(r), value);
    }
  }
  return outputs;
}

std::vector<pjrt::Event> StepRunner::TakeEvents() {
  if (segments_.size() == 1) return std::move(segments_[0].launch().done);
  std::vector<pjrt::Event> events;
  for (SegmentRunner& segment : segments_) {
    std::move(segment.launch().done.begin(), segment.launch().done.end(), std::back_inserter(events));
    segment.launch().done.clear();
  }
  return events;
}

void StepRunner::DropIntermediates() {
  for (SegmentRunner& segment : segments_) {
    for (auto& outputs : segment.launch().outputs) outputs.clear();
  }
  for (auto& replicas : transfers_) {
    for (pjrt::Buffer& buffer : replicas) buffer = pjrt::Buffer();
  }
}

}  // namespace replicator
