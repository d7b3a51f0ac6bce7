#include "runtime/step_counter.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

#include "replicator/base/error.h"
#include "runtime/engine_state.h"

namespace replicator {
namespace {

constexpr const char* kStepKey = "session.step";
constexpr const char* kCountedStepKey = "session.counted_step";

std::optional<int64_t> NumberIn(const EngineState& state, const char* key) {
  const auto found = state.metadata.find(key);
  if (found == state.metadata.end()) return std::nullopt;
  const std::string& text = found->second;
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0) {
    throw Error(ErrorCode::kInvalidArgument,
                std::string("the metadata '") + key + "' is '" + text + "'; it should be a number >= 0");
  }
  return number;
}

}  // namespace

StepCounter::StepCounter(Variable variable) : variable_(std::move(variable)) {
  if (!variable_.defined()) return;
  if (!IsInteger(variable_.dtype()) || variable_.shape().rank() != 0) {
    throw Error(ErrorCode::kInvalidArgument, "step_counter is the variable '" + variable_.name() + "', " +
                                                 ToString(variable_.shape()) +
                                                 "; it must be an integer scalar, as Optimizer::iterations() is");
  }
}

void StepCounter::Begin(Engine& engine, const EngineState* restored) {
  base_ = 0;
  counted_step_.reset();
  executions_at_base_.clear();
  if (variable_.defined()) {
    base_ = engine.ReadAggregate(variable_.def()).Item<int64_t>();
  } else if (restored != nullptr) {
    base_ = NumberIn(*restored, kStepKey).value_or(0);
    if (const auto step = NumberIn(*restored, kCountedStepKey)) counted_step_ = static_cast<int>(*step);
  }
}

bool StepCounter::Counts(const Engine& engine, int step) const {
  if (!variable_.defined()) return step == counted_step_;
  const auto& updates = engine.program(step).updates;
  return std::any_of(updates.begin(), updates.end(), [&](const auto& def) { return def == variable_.shared_def(); });
}

void StepCounter::BeforeRun(const Engine& engine, std::span<const int> steps) {
  for (const int step : steps) {
    if (!variable_.defined() && !counted_step_.has_value() && engine.program(step).mode == Mode::kTrain) {
      counted_step_ = step;
    }
    if (!Counts(engine, step)) continue;
    counted_step_ = step;
    executions_at_base_.emplace(step, engine.executions(step));
  }
}

int64_t StepCounter::value(const Engine& engine) const {
  int64_t value = base_;
  for (const auto& [step, before] : executions_at_base_) value += engine.executions(step) - before;
  return value;
}

void StepCounter::SaveTo(const Engine& engine, EngineState& state) {
  if (variable_.defined()) {
    const auto found = state.tensors.find(variable_.name());
    if (found != state.tensors.end()) base_ = found->second.Item<int64_t>();
  } else {
    base_ = value(engine);
    if (counted_step_.has_value()) state.metadata[kCountedStepKey] = std::to_string(*counted_step_);
  }
  // Those in the state: an asynchronous engine may have executed more of them meanwhile.
  for (auto& [step, before] : executions_at_base_)
    before = FindExecutions(state, step).value_or(engine.executions(step));
  state.metadata[kStepKey] = std::to_string(base_);
}

}  // namespace replicator
