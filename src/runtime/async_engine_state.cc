// Reading, writing, saving and restoring an asynchronous engine's variables.
#include <charconv>

#include "base/logging.h"
#include "lower/lower.h"
#include "replicator/base/error.h"
#include "runtime/async_engine.h"
#include "runtime/dump_compiled.h"
#include "runtime/engine_state.h"

namespace replicator {
namespace {

constexpr const char* kUpdatesKey = "async.updates";
constexpr const char* kGroupsKey = "async.sync_groups";

std::string OfGroup(const std::string& key, int group) { return key + "@group" + std::to_string(group); }

std::optional<int64_t> TakeNumber(EngineState& state, const std::string& key) {
  const auto found = state.metadata.find(key);
  if (found == state.metadata.end()) return std::nullopt;
  const std::string text = found->second;
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0) {
    throw Error(ErrorCode::kInvalidArgument,
                "the state's entry '" + key + "' is '" + text + "', but must be a number >= 0");
  }
  state.metadata.erase(found);
  return number;
}

}  // namespace

std::shared_ptr<pjrt::Buffer> AsyncEngine::ValueOf(const VariableDef& def) {
  Ready();
  const std::lock_guard lock(setup_mutex_);
  const std::vector<store::StateRef> states = store_->Peek();
  for (size_t c = 0; c < states.size(); ++c) {
    const auto& cell = applier_->cells()[c];
    for (size_t i = 0; i < cell.size(); ++i) {
      if (cell[i].get() != &def) continue;
      // Lives as long as the version, which is not donated while it is held.
      const auto& state = static_cast<const DeviceState&>(*states[c]);
      return {state.values[i].get(), [held = states[c]](pjrt::Buffer*) {}};
    }
  }
  throw Error(ErrorCode::kInvalidArgument, "the variable '" + def.options.name + "' belongs to another replicator",
              def.where);
}

Literal AsyncEngine::ReadVariable(const VariableDef& def, int replica) {
  if (replica < 0 || replica >= num_replicas()) {
    throw Error(ErrorCode::kInvalidArgument, "there is no replica " + std::to_string(replica) + "; there are " +
                                                 std::to_string(num_replicas()) + ", from 0");
  }
  return ValueOf(def)->ToLiteral();
}

std::vector<Literal> AsyncEngine::ReadReplicas(const VariableDef& def) {
  return std::vector<Literal>(static_cast<size_t>(num_replicas()), ReadVariable(def, 0));
}

void AsyncEngine::WriteVariable(const VariableDef& def, const Literal& value) {
  if (value.shape() != def.options.shape) {
    throw GraphError("write", {value.shape()},
                     "the variable '" + def.options.name + "' is " + ToString(def.options.shape) +
                         "; a value of the same dtype and shape is needed",
                     def.where);
  }
  ValueOf(def);
  const std::lock_guard lock(setup_mutex_);
  AsyncProgress progress;
  Values values = PresentLocked(progress);
  values[def.index] = std::make_shared<pjrt::Buffer>(grid_.client()->Put(value, grid_.At(0, 0)));
  ArrangeLocked(std::move(values), progress, store_->updates());
}

CompiledCallable AsyncEngine::AddCallable(const Program& program, int replica) {
  std::vector<int> devices;
  for (int r = 0; r < program.num_replicas; ++r) devices.push_back(program.num_replicas == 1 ? replica : r);
  const std::shared_ptr<pjrt::Executable> executable = Compile(program, devices);
  const std::lock_guard lock(setup_mutex_);
  return {executable, callables_++};
}

VariableSnapshot AsyncEngine::TakeSnapshot(std::span<const std::shared_ptr<const VariableDef>> variables,
                                           std::span<const int> replicas) {
  Ready();
  VariableSnapshot snapshot;
  snapshot.values.resize(replicas.size());
  const std::lock_guard lock(setup_mutex_);
  const std::vector<store::StateRef> states = store_->Peek();
  for (const Def& def : variables) {
    for (size_t c = 0; c < states.size(); ++c) {
      const auto& cell = applier_->cells()[c];
      for (size_t i = 0; i < cell.size(); ++i) {
        if (cell[i] != def) continue;
        const pjrt::Buffer& value = *static_cast<const DeviceState&>(*states[c]).values[i];
        for (size_t r = 0; r < replicas.size(); ++r) {
          const pjrt::Device& device = grid_.At(replicas[r], 0);
          snapshot.values[r].push_back(&value.device() == &device ? value.Borrowed() : value.CopyTo(device));
        }
      }
    }
  }
  snapshot.versions.assign(states.begin(), states.end());
  return snapshot;
}

int64_t AsyncEngine::executions(int step) const {
  StepAt(step);
  const std::lock_guard lock(setup_mutex_);
  AsyncProgress progress;
  if (store_ != nullptr) progress = static_cast<const DeviceState&>(*store_->Peek().back()).progress;
  return progress.applied[step];
}

EngineState AsyncEngine::Save() {
  Wait();
  store::ParameterStore& store = Ready();
  std::unique_lock lock(setup_mutex_);
  const std::vector<store::StateRef> states = store.Peek();
  const DeviceApplier::Cells cells = applier_->cells();
  lock.unlock();
  EngineState state;
  std::vector<std::pair<Def, pjrt::HostCopy>> copies;
  for (size_t c = 0; c < states.size(); ++c) {
    const auto& values = static_cast<const DeviceState&>(*states[c]).values;
    for (size_t i = 0; i < cells[c].size(); ++i) copies.emplace_back(cells[c][i], values[i]->ToLiteralAsync());
  }
  for (auto& [def, copy] : copies) state.tensors.emplace(def->options.name, copy.Get());
  const AsyncProgress& progress = static_cast<const DeviceState&>(*states.back()).progress;
  state.metadata[kSeedKey] = std::to_string(options_.seed);
  state.metadata[kGroupsKey] = std::to_string(options_.async.num_sync_groups);
  for (const auto& [step, applied] : progress.applied) state.metadata[ExecutionsKey(step)] = std::to_string(applied);
  for (const auto& [where, next] : progress.executions)
    state.metadata[OfGroup(ExecutionsKey(where.first), where.second)] = std::to_string(next);
  for (const auto& [where, position] : progress.input_position)
    state.metadata[OfGroup(PositionKey(where.first), where.second)] = data::ToString(position);
  state.metadata[kUpdatesKey] = std::to_string(progress.updates);
  return state;
}

void AsyncEngine::Restore(const EngineState& state, bool allow_missing) {
  const std::lock_guard lock(setup_mutex_);
  EngineState rest = state;
  Values values;
  std::string missing;
  for (const Def& def : table_.all()) {
    const auto found = rest.tensors.find(def->options.name);
    if (found == rest.tensors.end()) {
      missing += (missing.empty() ? "'" : ", '") + def->options.name + "'";
      continue;
    }
    if (found->second.shape() != def->options.shape) {
      throw Error(ErrorCode::kInvalidArgument,
                  "the state holds '" + def->options.name + "' as " + ToString(found->second.shape()) +
                      ", but the variable is " + ToString(def->options.shape),
                  def->where);
    }
    values[def->index] = std::make_shared<pjrt::Buffer>(grid_.client()->Put(found->second, grid_.At(0, 0)));
    rest.tensors.erase(found);
  }
  if (!missing.empty() && !allow_missing) {
    throw Error(ErrorCode::kNotFound, "the state lacks the variables " + missing +
                                          "; it was saved by another program, or by an earlier version of this one");
  }
  const int groups = options_.async.num_sync_groups;
  const std::optional<int64_t> saved_groups = TakeNumber(rest, kGroupsKey);
  AsyncProgress progress;
  progress.updates = TakeNumber(rest, kUpdatesKey).value_or(0);
  for (size_t i = 0; i < steps_.size(); ++i) {
    const int step = static_cast<int>(i);
    if (const auto applied = TakeExecutions(rest, step)) progress.applied[step] = *applied;
    for (int g = 0; g < groups; ++g) {
      if (const auto next = TakeNumber(rest, OfGroup(ExecutionsKey(step), g))) progress.executions[{step, g}] = *next;
    }
  }
  if (saved_groups == groups) {
    for (size_t i = 0; i < input_groups_.size(); ++i) {
      for (int g = 0; g < groups; ++g) {
        const auto found = rest.metadata.find(OfGroup(PositionKey(static_cast<int>(i)), g));
        if (found == rest.metadata.end()) continue;
        const data::Position position = data::PositionFromString(found->second);
        input_groups_[i][static_cast<size_t>(g)]->CheckPosition(position);
        progress.input_position[{static_cast<int>(i), g}] = position;
      }
    }
  } else {
    LogWarning("the state was saved " +
               (saved_groups.has_value() ? "by " + std::to_string(*saved_groups) + " sync groups"
                                         : std::string("by synchronous replicas")) +
               ", but there are " + std::to_string(groups) + " now: their input begins anew");
  }
  AsyncProgress before;
  if (store_ != nullptr) {
    for (auto& [index, value] : PresentLocked(before)) values.try_emplace(index, std::move(value));
  }
  restored_ = std::move(rest);
  FillLocked(values);
  const int64_t updates = progress.updates;
  ArrangeLocked(std::move(values), progress, updates);
  for (const auto& [where, next] : progress.executions)
    steps_[static_cast<size_t>(where.first)]->SetNextExecution(where.second, next);
  for (const auto& [where, position] : progress.input_position) {
    InputIterator::Impl& input = *input_groups_[static_cast<size_t>(where.first)][static_cast<size_t>(where.second)];
    const std::lock_guard input_lock(input.run_mutex());
    input.Seek(position);
  }
}

}  // namespace replicator
