// Saving and restoring.
#include <algorithm>

#include "base/logging.h"
#include "replicator/base/error.h"
#include "runtime/engine_state.h"
#include "runtime/host_reduce.h"
#include "runtime/local_engine.h"

namespace replicator {
namespace {

// The entry `name` of the state; null if there is none. Throws unless it is like the variable.
const Literal* FindTensor(const EngineState& state, const std::string& name, const VariableDef& def) {
  const auto found = state.tensors.find(name);
  if (found == state.tensors.end()) return nullptr;
  if (found->second.shape() == def.options.shape) return &found->second;
  throw Error(ErrorCode::kInvalidArgument,
              "the state holds '" + name + "' as " + ToString(found->second.shape()) + ", but the variable is " +
                  ToString(def.options.shape),
              def.where);
}

void AddTensor(EngineState& state, const std::string& name, Literal value) {
  if (state.tensors.emplace(name, std::move(value)).second) return;
  throw Error(ErrorCode::kInvalidArgument,
              "two values would be saved as '" + name +
                  "': a variable must not be called like another one's value on a replica; rename it");
}

}  // namespace

EngineState LocalEngine::Save() {
  Wait();
  EngineState state;
  std::unique_lock lock(mutex_);
  std::vector<std::pair<Slot*, int>> what;
  for (const auto& def : table_.all()) {
    const int copies = def->options.aggregation == Aggregation::kNone ? 1 : num_replicas();
    for (int r = 0; r < copies; ++r) what.emplace_back(&store_.At(def), r);
  }
  Reading reading = BeginReadLocked(std::move(what));
  state.metadata[kSeedKey] = std::to_string(options_.seed);
  for (size_t i = 0; i < runners_.size(); ++i) {
    state.metadata[ExecutionsKey(static_cast<int>(i))] = std::to_string(runners_[i]->executions());
  }
  for (size_t i = 0; i < inputs_.size(); ++i) {
    state.metadata[PositionKey(static_cast<int>(i))] = data::ToString(inputs_[i]->position());
  }
  lock.unlock();

  const std::vector<std::pair<Slot*, int>> read = reading.what;
  const std::vector<Literal> values = FinishRead(std::move(reading));
  for (size_t i = 0; i < read.size(); ++i) {
    const VariableOptions& variable = read[i].first->def->options;
    if (variable.aggregation == Aggregation::kNone) {
      AddTensor(state, variable.name, values[i]);
      continue;
    }
    if (read[i].second == 0) {
      const std::span<const Literal> replicas(&values[i], static_cast<size_t>(num_replicas()));
      AddTensor(state, variable.name, ReduceOverReplicas(replicas, AggregateOp(variable.aggregation)));
    }
    AddTensor(state, ReplicaKey(variable.name, read[i].second), values[i]);
  }
  return state;
}

std::vector<Literal> LocalEngine::ValuesIn(const EngineState& state, const VariableDef& def) const {
  const VariableOptions& variable = def.options;
  const auto replicas = static_cast<size_t>(num_replicas());
  if (variable.aggregation != Aggregation::kNone) {
    std::vector<Literal> exact;
    while (const Literal* value = FindTensor(state, ReplicaKey(variable.name, static_cast<int>(exact.size())), def)) {
      exact.push_back(*value);
    }
    if (exact.size() == replicas) return exact;
  }
  const Literal* aggregate = FindTensor(state, variable.name, def);
  if (aggregate == nullptr) return {};
  std::vector<Literal> values(replicas, *aggregate);
  // The replicas' values must add up to what was saved.
  if (variable.aggregation == Aggregation::kSum) std::fill(values.begin() + 1, values.end(), Literal(variable.shape));
  return values;
}

std::vector<LocalEngine::RestoredVariable> LocalEngine::MatchVariables(const EngineState& state,
                                                                       bool allow_missing) const {
  std::vector<RestoredVariable> matched;
  std::string missing;
  for (const auto& def : table_.all()) {
    RestoredVariable variable{def, ValuesIn(state, *def)};
    if (variable.values.empty())
      missing += (missing.empty() ? "'" : ", '") + def->options.name + "'";
    else
      matched.push_back(std::move(variable));
  }
  if (missing.empty() || allow_missing) return matched;
  throw Error(ErrorCode::kNotFound, "the state lacks the variables " + missing +
                                        "; it was saved by another program, or by an earlier version of this one");
}

void LocalEngine::Restore(const EngineState& state, bool allow_missing) {
  std::vector<std::shared_ptr<InputIterator::Impl>> inputs;
  {
    const std::lock_guard lock(mutex_);
    inputs = inputs_;
  }
  std::vector<InputIterator::Impl*> to_lock;
  for (const auto& input : inputs) to_lock.push_back(input.get());
  const auto input_locks = LockInputs(std::move(to_lock));
  const std::lock_guard lock(mutex_);

  // First everything that may throw.
  const std::vector<RestoredVariable> variables = MatchVariables(state, allow_missing);
  EngineState rest = state;
  std::vector<std::optional<int64_t>> executions;
  for (size_t i = 0; i < runners_.size(); ++i) executions.push_back(TakeExecutions(rest, static_cast<int>(i)));
  std::vector<std::optional<data::Position>> positions;
  for (size_t i = 0; i < inputs.size(); ++i) {
    positions.push_back(TakePosition(rest, static_cast<int>(i)));
    if (positions[i].has_value()) inputs[i]->CheckPosition(*positions[i]);
  }

  DropPendingLocked();
  for (const RestoredVariable& variable : variables) {
    store_.Set(store_.At(variable.def), variable.values);
    const std::string& name = variable.def->options.name;
    rest.tensors.erase(name);
    for (int r = 0; rest.tensors.erase(ReplicaKey(name, r)) > 0; ++r) {
    }
  }
  for (size_t i = 0; i < runners_.size(); ++i) {
    if (executions[i].has_value()) runners_[i]->set_executions(*executions[i]);
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (positions[i].has_value()) inputs[i]->Seek(*positions[i]);
  }
  const auto seed = state.metadata.find(kSeedKey);
  if (seed != state.metadata.end() && seed->second != std::to_string(options_.seed)) {
    LogWarning("the state was saved with seed " + seed->second + ", but the seed is now " +
               std::to_string(options_.seed) + ": random draws will differ from those of an unbroken run");
  }
  restored_ = std::move(rest);
}

}  // namespace replicator
