#include "runtime/async_engine.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "lower/lower.h"
#include "replicator/base/error.h"
#include "replicator/graph/device_scope.h"
#include "runtime/dump_compiled.h"
#include "runtime/initial_values.h"
#include "runtime/step.h"
#include "runtime/step_key.h"

namespace replicator {
namespace {

const DeviceState& Of(const store::StateRef& state) { return static_cast<const DeviceState&>(*state); }

int64_t NextEngine() {
  static std::atomic<int64_t> next{0};
  return next++;
}

}  // namespace

AsyncEngine::AsyncEngine(EngineOptions options, std::shared_ptr<pjrt::Client> client, CompileTarget target)
    : id_(NextEngine()),
      options_(std::move(options)),
      grid_(std::move(client), options_.num_replicas * options_.async.num_sync_groups, 1),
      target_(std::move(target)),
      cache_(grid_.client(), options_.cache_dir),
      applier_(std::make_shared<DeviceApplier>(grid_.client(),
                                               [this](std::shared_ptr<Completion> completion) {
                                                 const std::lock_guard lock(pending_mutex_);
                                                 pending_.push_back(std::move(completion));
                                               })),
      ended_(static_cast<size_t>(options_.async.num_sync_groups), false) {
  if (options_.num_logical_devices_per_replica != 1) {
    throw Error(ErrorCode::kInvalidArgument, "asynchronous groups have one device per replica, not " +
                                                 std::to_string(options_.num_logical_devices_per_replica));
  }
}

AsyncEngine::~AsyncEngine() {
  for (const auto& completion : pending_) completion->Await();
}

std::vector<int> AsyncEngine::DevicesOf(int group) const {
  std::vector<int> devices;
  for (int r = 0; r < num_replicas(); ++r) devices.push_back(group * num_replicas() + r);
  return devices;
}

std::shared_ptr<pjrt::Executable> AsyncEngine::Compile(const Program& program, const std::vector<int>& devices) {
  LowerOptions lower{.target = target_.lowering, .num_replicas = program.num_replicas};
  for (const ProgramParameter& parameter : program.parameters) lower.aliases.push_back(parameter.update);
  const std::string mlir = LowerToStableHlo(*program.graph, lower);
  pjrt::CompileOptions options{.num_replicas = program.num_replicas, .overrides = target_.overrides};
  if (devices[0] != 0) {
    for (int device : devices) options.device_assignment.push_back(grid_.At(device, 0).id());
  }
  const std::lock_guard lock(compile_mutex_);
  const std::shared_ptr<pjrt::Executable> executable = cache_.Get(mlir, options);
  DumpCompiled(program.dump_folder, "", mlir, executable->unloaded());
  return executable;
}

int AsyncEngine::AddStep(Program program, InputIterator input) {
  const int groups = options_.async.num_sync_groups;
  const std::optional<int> pinned = DeviceScope::Current();
  if (pinned.has_value() && (*pinned < 0 || *pinned >= groups)) {
    throw Error(ErrorCode::kInvalidArgument,
                "the step is in the scope of sync group " + std::to_string(*pinned) + ", but there are " +
                    std::to_string(groups) + ", from 0",
                {program.where});
  }
  if (program.executions_per_run > 0) {
    throw Error(ErrorCode::kInvalidArgument,
                "RunSteps needs a synchronous replicator; asynchronous groups run one step at a time", {program.where});
  }
  for (int g = 0; g < static_cast<int>(input.groups().size()); ++g) {
    input.groups()[static_cast<size_t>(g)]->Bind(grid_.client(), [this, g](const Literal& value, int replica) {
      return grid_.client()->Put(value, grid_.At(g * num_replicas() + replica, 0));
    });
  }
  if (input.defined() && static_cast<int>(input.groups().size()) != groups) {
    throw Error(ErrorCode::kInvalidArgument, "the input belongs to another replicator", {program.where});
  }
  SplitStep split(std::move(program));
  const std::lock_guard lock(setup_mutex_);
  const auto index = static_cast<int>(steps_.size());
  if (input.defined() && std::find(inputs_.begin(), inputs_.end(), input.impl()) == inputs_.end()) {
    inputs_.push_back(input.impl());
    input_groups_.push_back(input.groups());
  }
  steps_.push_back(std::make_unique<AsyncStep>(
      index, std::move(split), std::move(input), pinned.value_or(-1), groups,
      [this](const Program& compiled, const std::vector<int>& devices) { return Compile(compiled, devices); }));
  return index;
}

AsyncStep& AsyncEngine::StepAt(int step) const {
  const std::lock_guard lock(setup_mutex_);
  if (step >= 0 && step < static_cast<int>(steps_.size())) return *steps_[static_cast<size_t>(step)];
  throw Error(ErrorCode::kInvalidArgument,
              "there is no step " + std::to_string(step) + "; " + std::to_string(steps_.size()) + " have been built");
}

const Program& AsyncEngine::program(int step) const { return StepAt(step).program(); }

int AsyncEngine::ThreadNumber() {
  static thread_local std::map<int64_t, int> numbers;  // by engine
  const auto [found, first_time] = numbers.try_emplace(id_, 0);
  if (first_time) found->second = next_thread_++;
  return found->second;
}

int AsyncEngine::GroupOf(const AsyncStep& step) {
  if (step.sync_group() >= 0) return step.sync_group();
  const int groups = options_.async.num_sync_groups;
  const std::optional<int> pinned = DeviceScope::Current();
  if (!pinned.has_value()) return ThreadNumber() % groups;
  if (*pinned >= 0 && *pinned < groups) return *pinned;
  throw Error(ErrorCode::kInvalidArgument, "this thread is in the scope of sync group " + std::to_string(*pinned) +
                                               ", but there are " + std::to_string(groups) + ", from 0");
}

void AsyncEngine::Initialise() { Ready(); }

store::ParameterStore& AsyncEngine::Ready() {
  const std::lock_guard lock(setup_mutex_);
  if (store_ != nullptr && arranged_variables_ == table_.all().size() && arranged_steps_ == steps_.size())
    return *store_;
  AsyncProgress progress;
  Values values = PresentLocked(progress);
  FillLocked(values);
  ArrangeLocked(std::move(values), progress, store_ != nullptr ? store_->updates() : 0);
  return *store_;
}

AsyncEngine::Values AsyncEngine::PresentLocked(AsyncProgress& progress) const {
  Values values;
  if (store_ == nullptr) return values;
  const std::vector<store::StateRef> states = store_->Peek();
  for (size_t c = 0; c < states.size(); ++c) {
    const auto& cell = applier_->cells()[c];
    for (size_t i = 0; i < cell.size(); ++i) values[cell[i]->index] = Of(states[c]).values[i];
  }
  progress = Of(states.back()).progress;
  return values;
}

void AsyncEngine::FillLocked(Values& values) {
  std::vector<Def> missing;
  for (const Def& def : table_.all()) {
    if (values.contains(def->index)) continue;
    const auto saved = restored_.tensors.find(def->options.name);
    if (saved != restored_.tensors.end() && saved->second.shape() == def->options.shape) {
      values[def->index] = std::make_shared<pjrt::Buffer>(grid_.client()->Put(saved->second, grid_.At(0, 0)));
    } else {
      missing.push_back(def);
    }
  }
  if (missing.empty()) return;
  const std::lock_guard lock(compile_mutex_);
  std::vector<pjrt::Buffer> computed =
      ComputeInitialValues(missing, options_.seed, grid_.At(0, 0), *grid_.client(), cache_, target_);
  for (size_t i = 0; i < missing.size(); ++i)
    values[missing[i]->index] = std::make_shared<pjrt::Buffer>(std::move(computed[i]));
}

void AsyncEngine::ArrangeLocked(Values values, const AsyncProgress& progress, int64_t updates) {
  DeviceApplier::Cells cells;
  if (options_.async.consistency == Consistency::kPerVariable) {
    std::vector<const SplitStep*> splits;
    for (const auto& step : steps_) splits.push_back(&step->split());
    cells = VariableCells(splits);
  }
  // What no cell updates is in the last one, as everything is in a snapshot.
  if (cells.empty()) cells.emplace_back();
  for (const Def& def : table_.all()) {
    const bool placed = std::any_of(cells.begin(), cells.end(), [&](const auto& cell) {
      return std::find(cell.begin(), cell.end(), def) != cell.end();
    });
    if (!placed) cells.back().push_back(def);
  }
  std::vector<store::StateRef> states;
  for (const auto& cell : cells) {
    auto state = std::make_shared<DeviceState>();
    for (const Def& def : cell) state->values.push_back(values.at(def->index));
    if (states.size() + 1 == cells.size()) state->progress = progress;
    states.push_back(std::move(state));
  }
  values.clear();
  if (store_ == nullptr) {
    applier_->SetCells(std::move(cells));
    store_ = std::make_unique<store::ParameterStore>(store::StoreOptions{.num_groups = options_.async.num_sync_groups,
                                                                         .policy = options_.async.policy,
                                                                         .max_updates = options_.async.max_steps,
                                                                         .record_order = options_.async.record_order,
                                                                         .replay_order = options_.async.replay_order},
                                                     std::move(states), applier_);
  } else {
    store_->Replace(std::move(states), updates);  // throws while a step is in flight
    applier_->SetCells(std::move(cells));
    for (const auto& step : steps_) step->ForgetApplications();
  }
  arranged_variables_ = table_.all().size();
  arranged_steps_ = steps_.size();
}

std::map<int, std::shared_ptr<Engine::Step>> AsyncEngine::Execute(const std::vector<int>& steps) {
  Ready();
  ReportEnded();
  std::map<int, std::shared_ptr<Step>> results;
  for (int index : steps) {
    AsyncStep& step = StepAt(index);
    results.emplace(index, Run(step, GroupOf(step)));
  }
  return results;
}

std::shared_ptr<Engine::Step> AsyncEngine::Run(AsyncStep& step, int group) {
  InputIterator::Impl* input = step.input(group);
  const auto end = [&] {
    const std::lock_guard lock(setup_mutex_);
    ended_[static_cast<size_t>(group)] = true;
  };
  DeviceBatches batches;
  if (input != nullptr) {
    try {
      const std::lock_guard lock(input->run_mutex());
      batches = input->Take();
    } catch (const OutOfRange&) {
      if (step.updates()) {
        store_->Leave(group);
        end();
      }
      throw;
    } catch (...) {
      if (step.updates()) store_->Stop(std::current_exception());
      throw;
    }
  }
  const auto put_back = [&] {
    if (input == nullptr) return;
    const std::lock_guard lock(input->run_mutex());
    input->PutBack(std::move(batches));
  };
  const auto commit = [&] {
    if (input == nullptr) return;
    const std::lock_guard lock(input->run_mutex());
    input->Commit(batches);
  };
  const int64_t execution = step.NextExecution(group);
  const auto result = [&](std::vector<std::vector<pjrt::Buffer>> outputs) {
    const std::vector<ProgramOutput>& described = step.program().outputs;
    std::vector<std::vector<pjrt::Buffer>> by_output(described.size());
    for (size_t i = 0; i < described.size(); ++i) {
      const bool replicated = described[i].typing == Typing::kReplicated;
      for (size_t r = 0; r < (replicated ? 1 : outputs.size()); ++r) by_output[i].push_back(std::move(outputs[r][i]));
    }
    const auto program = std::make_shared<const Program>(step.split().group());
    return std::make_shared<Step>(
        std::move(by_output),
        std::make_shared<Completion>(program, execution + 1, 0, std::vector<pjrt::Event>(), std::nullopt));
  };
  if (!step.updates()) {
    auto outputs = Compute(step, group, execution, store_->Peek(), batches);
    commit();
    return result(std::move(outputs));
  }

  std::optional<store::Reading> reading;
  try {
    reading = store_->Read(group);
  } catch (...) {
    put_back();
    throw;
  }
  if (!reading.has_value()) {
    put_back();
    end();
    throw OutOfRange("training has reached its last step, number " + std::to_string(store_->updates()),
                     {step.program().where});
  }
  std::vector<std::vector<pjrt::Buffer>> outputs;
  auto update = std::make_shared<DeviceUpdate>();
  try {
    outputs = Compute(step, group, execution, reading->states, batches);
    if (options_.async.simulated_delay != nullptr) {
      const double seconds = options_.async.simulated_delay(group, reading->step);
      std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    }
    const pjrt::Device& home = grid_.At(0, 0);
    for (size_t i = step.program().outputs.size(); i < outputs[0].size(); ++i) {
      pjrt::Buffer& value = outputs[0][i];
      update->pushed.push_back(&value.device() == &home ? std::move(value) : value.CopyTo(home));
    }
  } catch (...) {
    store_->Abandon(*reading);
    store_->Stop(std::current_exception());
    put_back();
    throw;
  }
  update->step = &step;
  update->group = group;
  update->execution = execution;
  if (input != nullptr) {
    const std::lock_guard lock(setup_mutex_);
    update->input = static_cast<int>(std::find(inputs_.begin(), inputs_.end(), step.first_input()) - inputs_.begin());
    update->position = batches.position;
  }
  if (reading->states.size() > 1)
    update->counters = std::static_pointer_cast<const DeviceState>(reading->states.back());
  const store::Pushed pushed = store_->Push(std::move(*reading), std::move(update));
  if (pushed.outcome == store::Pushed::Outcome::kTooLate) {
    put_back();
    end();
    throw OutOfRange("training has reached its last step, number " + std::to_string(store_->updates()),
                     {step.program().where});
  }
  commit();
  return result(std::move(outputs));
}

std::vector<std::vector<pjrt::Buffer>> AsyncEngine::Compute(AsyncStep& step, int group, int64_t execution,
                                                            const std::vector<store::StateRef>& states,
                                                            const DeviceBatches& batches) {
  const std::vector<int> devices = DevicesOf(group);
  const std::shared_ptr<pjrt::Executable> executable = step.Executable(group, devices);
  const Program& program = step.split().group();
  const StepKey key = KeyOf(options_.seed, step.index(), execution, group);
  std::vector<std::vector<pjrt::Buffer*>> arguments(devices.size());
  std::deque<pjrt::Buffer> put;  // keys and copies of variables; its elements never move
  for (size_t r = 0; r < devices.size(); ++r) {
    const pjrt::Device& device = grid_.At(devices[r], 0);
    for (size_t p = 0; p < program.parameters.size(); ++p) {
      const ProgramParameter& parameter = program.parameters[p];
      switch (parameter.kind) {
        case ProgramParameter::Kind::kInput:
          arguments[r].push_back(const_cast<pjrt::Buffer*>(&batches.replicas[r][step.components()[p]]));
          break;
        case ProgramParameter::Kind::kStepKey:
          put.push_back(grid_.client()->PutCopy(Shape{DType::kU32, {2}}, key.data(), device));
          arguments[r].push_back(&put.back());
          break;
        case ProgramParameter::Kind::kVariable: {
          pjrt::Buffer* value = nullptr;
          for (size_t c = 0; c < states.size() && value == nullptr; ++c) {
            const auto& cell = applier_->cells()[c];
            const auto place = std::find(cell.begin(), cell.end(), parameter.variable);
            if (place != cell.end()) value = Of(states[c]).values[static_cast<size_t>(place - cell.begin())].get();
          }
          if (&value->device() != &device) {
            put.push_back(value->CopyTo(device));
            value = &put.back();
          }
          arguments[r].push_back(value);
          break;
        }
      }
    }
  }
  pjrt::Launch launch = executable->Execute(arguments);
  try {
    launch.Await();
  } catch (const Error& error) {
    throw Error(error.code(),
                ExecutionName(execution + 1, program.where) + " failed in sync group " + std::to_string(group) + ": " +
                    error.message(),
                {program.where});
  }
  return std::move(launch.outputs);
}

void AsyncEngine::ReportEnded() {
  std::exception_ptr report;
  {
    const std::lock_guard lock(pending_mutex_);
    while (report == nullptr && !pending_.empty() && pending_.front()->Poll()) {
      report = pending_.front()->TakeReport();
      pending_.pop_front();
    }
  }
  if (report == nullptr) return;
  store_->Stop(report);
  std::rethrow_exception(report);
}

void AsyncEngine::Wait() {
  std::deque<std::shared_ptr<Completion>> pending;
  {
    const std::lock_guard lock(pending_mutex_);
    pending = pending_;
  }
  for (const auto& completion : pending) completion->Await();
  if (!pending.empty()) ReportEnded();
}

std::optional<AsyncStatistics> AsyncEngine::async_statistics() const {
  const std::lock_guard lock(setup_mutex_);
  return store_ != nullptr ? store_->statistics() : AsyncStatistics();
}

bool AsyncEngine::all_groups_ended() const {
  const std::lock_guard lock(setup_mutex_);
  return std::all_of(ended_.begin(), ended_.end(), [](bool ended) { return ended; });
}

void AsyncEngine::Stop(std::exception_ptr error) { Ready().Stop(std::move(error)); }
void AsyncEngine::Leave(int group) { Ready().Leave(group); }

}  // namespace replicator
