#include "runtime/local_engine.h"

#include <algorithm>

#include "replicator/base/error.h"
#include "runtime/engine_state.h"
#include "runtime/host_reduce.h"
#include "runtime/initial_values.h"

namespace replicator {
LocalEngine::LocalEngine(EngineOptions options, std::shared_ptr<pjrt::Client> client, CompileTarget target)
    : options_(std::move(options)),
      grid_(std::move(client), options_.num_replicas, options_.num_logical_devices_per_replica),
      target_(std::move(target)),
      table_(options_.num_logical_devices_per_replica),
      store_(grid_),
      cache_(grid_.client(), options_.cache_dir) {}

int LocalEngine::AddStep(Program program, InputIterator input) {
  const std::shared_ptr<InputIterator::Impl> impl = input.impl();
  if (impl != nullptr) {
    if (impl->num_replicas() != num_replicas()) {
      throw Error(ErrorCode::kInvalidArgument,
                  "the input feeds " + std::to_string(impl->num_replicas()) + " replicas, but the step has " +
                      std::to_string(num_replicas()),
                  {program.where, impl->where()});
    }
    impl->Bind(grid_.client(), [grid = grid_](const Literal& value, int replica) {
      return grid.client()->Put(value, grid.At(replica, /*logical_device=*/0));
    });
  }
  const auto inputs = LockInputs({impl.get()});
  const std::lock_guard lock(mutex_);
  auto runner = std::make_unique<StepRunner>(std::move(program), impl, store_);
  const auto index = static_cast<int>(runners_.size());
  if (const auto executions = TakeExecutions(restored_, index)) runner->set_executions(*executions);
  if (impl != nullptr && std::find(inputs_.begin(), inputs_.end(), impl) == inputs_.end()) {
    if (const auto position = TakePosition(restored_, static_cast<int>(inputs_.size()))) impl->Seek(*position);
    inputs_.push_back(impl);
  }
  runners_.push_back(std::move(runner));
  return index;
}

StepRunner& LocalEngine::RunnerLocked(int step) const {
  if (step >= 0 && step < static_cast<int>(runners_.size())) return *runners_[static_cast<size_t>(step)];
  throw Error(ErrorCode::kInvalidArgument,
              "there is no step " + std::to_string(step) + "; " + std::to_string(runners_.size()) + " have been built");
}

const Program& LocalEngine::program(int step) const {
  const std::lock_guard lock(mutex_);
  return RunnerLocked(step).program();
}

int64_t LocalEngine::executions(int step) const {
  const std::lock_guard lock(mutex_);
  return RunnerLocked(step).executions();
}

ExecutableCache::Counts LocalEngine::cache_counts() const {
  const std::lock_guard lock(mutex_);
  return cache_.counts();
}

std::vector<size_t> LocalEngine::variable_bytes() const {
  const std::lock_guard lock(mutex_);
  std::vector<size_t> bytes(grid_.client()->devices().size(), 0);
  store_.AddBytes(bytes);
  return bytes;
}

VariableStore::Slot& LocalEngine::SlotLocked(const VariableDef& def) {
  if (Slot* slot = store_.Find(def)) return *slot;
  const std::shared_ptr<const VariableDef> declared = table_.Find(def.options.name);
  if (declared.get() == &def) return store_.At(declared);
  throw Error(ErrorCode::kInvalidArgument, "the variable '" + def.options.name + "' belongs to another replicator",
              def.where);
}

void LocalEngine::Initialise() {
  const std::lock_guard lock(mutex_);
  std::vector<Slot*> slots;
  for (const auto& def : table_.all()) slots.push_back(&store_.At(def));
  InitialiseLocked(std::move(slots));
}

void LocalEngine::InitialiseLocked(std::vector<Slot*> slots) {
  std::erase_if(slots, [](const Slot* slot) { return !slot->values.empty(); });
  std::sort(slots.begin(), slots.end(), [](auto* a, auto* b) { return a->def->index < b->def->index; });
  slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
  std::erase_if(slots, [&](Slot* slot) {
    const std::vector<Literal> values = ValuesIn(restored_, *slot->def);
    if (values.empty()) return false;
    store_.Set(*slot, values);
    return true;
  });
  std::stable_sort(slots.begin(), slots.end(),
                   [](auto* a, auto* b) { return a->def->logical_device < b->def->logical_device; });
  for (size_t first = 0, end = 0; first < slots.size(); first = end) {
    const int device = slots[first]->def->logical_device;
    while (end < slots.size() && slots[end]->def->logical_device == device) ++end;
    ComputeInitialValuesLocked(std::span(slots).subspan(first, end - first));
  }
}

void LocalEngine::ComputeInitialValuesLocked(std::span<Slot* const> slots) {
  std::vector<std::shared_ptr<const VariableDef>> defs;
  for (const Slot* slot : slots) defs.push_back(slot->def);
  std::vector<pjrt::Buffer> values = ComputeInitialValues(
      defs, options_.seed, grid_.At(0, slots[0]->def->logical_device), *grid_.client(), cache_, target_);
  for (size_t i = 0; i < slots.size(); ++i) store_.SetFrom(*slots[i], std::move(values[i]));
}

void LocalEngine::FillLocked(const std::vector<Slot*>& slots) {
  if (std::any_of(slots.begin(), slots.end(), [](const Slot* slot) { return slot->values.empty(); })) {
    InitialiseLocked(slots);
  }
}

void LocalEngine::PrepareLocked(StepRunner& runner) {
  FillLocked(runner.variables());
  StepRunner& launched = runner.repeated() != nullptr ? *runner.repeated() : runner;
  if (!launched.compiled()) launched.Compile(cache_, target_);
}

std::shared_ptr<Engine::Step> LocalEngine::StartLocked(int step, TakenInputs& inputs, size_t i) {
  StepRunner& runner = RunnerLocked(step);
  const std::span<DeviceBatches> batches = inputs.batches(i);
  const auto count = runner.input() != nullptr ? batches.size() : static_cast<size_t>(runner.executions_per_run());
  std::vector<StepKey> keys(count);
  for (size_t e = 0; e < count && runner.needs_key(); ++e) {
    keys[e] = KeyOf(options_.seed, step, runner.executions() + static_cast<int64_t>(e));
  }
  StepRunner* repeated = runner.repeated();
  if (repeated != nullptr && count == static_cast<size_t>(runner.executions_per_run())) {
    repeated->set_executions(runner.executions());
    auto result = repeated->Start(++launches_, keys, batches);
    runner.set_executions(repeated->executions());
    inputs.Commit(i, batches.size());
    pending_.push_back(repeated->completion());
    return result;
  }
  if (!runner.compiled()) runner.Compile(cache_, target_);  // the rest of an input
  std::vector<std::shared_ptr<Step>> executions;
  for (size_t e = 0; e < count; ++e) {
    const auto batch = batches.empty() ? batches : batches.subspan(e, 1);
    executions.push_back(runner.Start(++launches_, std::span(keys).subspan(e, 1), batch));
    inputs.Commit(i, 1);
    pending_.push_back(runner.completion());
  }
  const bool stacked = runner.program().executions_per_run > 0;
  return stacked ? std::make_shared<Step>(std::move(executions)) : executions[0];
}

std::map<int, std::shared_ptr<Engine::Step>> LocalEngine::Execute(const std::vector<int>& steps) {
  std::vector<StepRunner*> runners;
  {
    const std::lock_guard lock(mutex_);
    ReportEndedLocked();
    for (int step : steps) {
      runners.push_back(&RunnerLocked(step));
      PrepareLocked(*runners.back());
    }
  }
  TakenInputs inputs(runners);
  const std::lock_guard lock(mutex_);
  ReportEndedLocked();
  std::map<int, std::shared_ptr<Step>> results;
  for (size_t i = 0; i < steps.size(); ++i) {
    results.emplace_hint(results.end(), steps[i], StartLocked(steps[i], inputs, i));
  }
  return results;
}

void LocalEngine::ReportEndedLocked() {
  while (!pending_.empty() && pending_.front()->Poll()) {
    const std::shared_ptr<Completion> ended = std::move(pending_.front());
    pending_.pop_front();
    if (ended->failed()) {
      for (const auto& def : ended->program().updates) {
        VariableStore::MarkLost(store_.At(def), ended->launch(), ended->name());
      }
    }
    if (const std::exception_ptr report = ended->TakeReport()) std::rethrow_exception(report);
  }
}

void LocalEngine::DropPendingLocked() {
  for (const auto& completion : pending_) completion->Await();
  while (!pending_.empty()) {
    try {
      ReportEndedLocked();
    } catch (const Error&) {  // the caller replaces what was lost
    }
  }
}

void LocalEngine::Wait() {
  std::deque<std::shared_ptr<Completion>> pending;
  {
    const std::lock_guard lock(mutex_);
    pending = pending_;
  }
  for (const auto& completion : pending) completion->Await();
  const std::lock_guard lock(mutex_);
  ReportEndedLocked();
}

LocalEngine::Reading LocalEngine::BeginReadLocked(std::vector<std::pair<Slot*, int>> what) {
  std::vector<Slot*> slots;
  for (const auto& [slot, replica] : what) slots.push_back(slot);
  InitialiseLocked(std::move(slots));
  Reading reading{std::move(what), {}, {}};
  for (const auto& [slot, replica] : reading.what) {
    reading.versions.push_back(VariableStore::Hold(*slot));
    reading.copies.push_back(slot->values[static_cast<size_t>(replica)].ToLiteralAsync());
  }
  return reading;
}

std::vector<Literal> LocalEngine::FinishRead(Reading reading) {
  std::vector<Literal> values;
  std::exception_ptr failure;
  try {
    for (pjrt::HostCopy& copy : reading.copies) values.push_back(copy.Get());
  } catch (...) {
    failure = std::current_exception();
  }
  if (failure == nullptr) return values;
  const std::lock_guard lock(mutex_);
  // The execution that was to compute a value has failed: what is known of it says more than the copy's error.
  for (const auto& completion : pending_) completion->Await();
  ReportEndedLocked();
  for (const auto& [slot, replica] : reading.what) VariableStore::CheckNotLost(*slot);
  std::rethrow_exception(failure);
}

Literal LocalEngine::ReadVariable(const VariableDef& def, int replica) {
  if (replica < 0 || replica >= num_replicas()) {
    throw Error(ErrorCode::kInvalidArgument, "there is no replica " + std::to_string(replica) + "; there are " +
                                                 std::to_string(num_replicas()) + ", from 0");
  }
  std::unique_lock lock(mutex_);
  Reading reading = BeginReadLocked({{&SlotLocked(def), replica}});
  lock.unlock();
  return FinishRead(std::move(reading))[0];
}

std::vector<Literal> LocalEngine::ReadReplicas(const VariableDef& def) {
  std::unique_lock lock(mutex_);
  std::vector<std::pair<Slot*, int>> what;
  for (int r = 0; r < num_replicas(); ++r) what.emplace_back(&SlotLocked(def), r);
  Reading reading = BeginReadLocked(std::move(what));
  lock.unlock();
  return FinishRead(std::move(reading));
}

Literal LocalEngine::ReadAggregate(const VariableDef& def) {
  if (def.options.aggregation == Aggregation::kNone) return ReadVariable(def, 0);
  return ReduceOverReplicas(ReadReplicas(def), AggregateOp(def.options.aggregation));
}

void LocalEngine::TEST_WriteReplica(const VariableDef& def, int replica, const Literal& value) {
  std::vector<Literal> values = ReadReplicas(def);
  values.at(static_cast<size_t>(replica)) = value;
  const std::lock_guard lock(mutex_);
  store_.Set(SlotLocked(def), values);
}

void LocalEngine::WriteVariable(const VariableDef& def, const Literal& value) {
  if (value.shape() != def.options.shape) {
    throw GraphError("write", {value.shape()},
                     "the variable '" + def.options.name + "' is " + ToString(def.options.shape) +
                         "; a value of the same dtype and shape is needed",
                     def.where);
  }
  const std::lock_guard lock(mutex_);
  store_.Set(SlotLocked(def), value);
}

}  // namespace replicator
