#include "runtime/device_applier.h"

#include <algorithm>
#include <utility>

#include "pjrt/client.h"
#include "replicator/base/error.h"

namespace replicator {
namespace {

const DeviceUpdate& Of(const store::UpdateRef& update) { return static_cast<const DeviceUpdate&>(*update); }

// Groups may run steps of their own (towers), as long as these send the same to the same variables.
void CheckAlike(std::span<const store::UpdateRef> updates) {
  const AsyncStep& first = *Of(updates[0]).step;
  for (const store::UpdateRef& update : updates) {
    const AsyncStep& other = *Of(update).step;
    const auto alike = [](const PushedValue& a, const PushedValue& b) {
      return a.combine == b.combine && a.shape == b.shape;
    };
    const auto &a = first.split().pushed(), &b = other.split().pushed();
    if (&first == &other || (first.split().updates() == other.split().updates() &&
                             std::equal(a.begin(), a.end(), b.begin(), b.end(), alike)))
      continue;
    throw Error(
        ErrorCode::kInvalidArgument,
        "a policy that aggregates the groups' gradients needs one step, or steps that update alike; those built "
        "at " +
            ToString(first.program().where) + " and " + ToString(other.program().where) + " differ",
        {first.program().where, other.program().where});
  }
}

}  // namespace

std::shared_ptr<DeviceState> DeviceApplier::NextVersion(const DeviceState& state, int cell,
                                                        std::span<const store::UpdateRef> updates) const {
  auto next = std::make_shared<DeviceState>();
  next->values = state.values;
  if (static_cast<size_t>(cell) + 1 != cells_.size()) return next;
  next->progress = state.progress;
  ++next->progress.updates;
  ++next->progress.applied[Of(updates[0]).step->index()];
  for (const store::UpdateRef& ref : updates) {
    const DeviceUpdate& update = Of(ref);
    const int step = update.step->index();
    int64_t& executions = next->progress.executions[{step, update.group}];
    executions = std::max(executions, update.execution + 1);
    if (update.input >= 0) next->progress.input_position[{update.input, update.group}] = update.position;
  }
  return next;
}

store::StateRef DeviceApplier::Apply(int cell, store::StateRef state, bool exclusive,
                                     std::span<const store::UpdateRef> updates, double rate_scale) {
  CheckAlike(updates);
  const auto& variables = cells_[static_cast<size_t>(cell)];
  const auto place_of = [](const auto& list, const std::shared_ptr<const VariableDef>& def) {
    return static_cast<size_t>(std::find(list.begin(), list.end(), def) - list.begin());
  };
  const DeviceUpdate& first = Of(updates[0]);
  const std::vector<std::shared_ptr<const VariableDef>>& all = first.step->split().updates();
  std::vector<size_t> numbers;  // of the step's updates, those of this cell
  for (size_t u = 0; u < all.size(); ++u) {
    if (place_of(variables, all[u]) < variables.size()) numbers.push_back(u);
  }
  const auto& present = static_cast<const DeviceState&>(*state);
  std::shared_ptr<DeviceState> next = NextVersion(present, cell, updates);
  if (numbers.empty()) return next;

  const AsyncStep::Application& application = first.step->Apply(cell, numbers, static_cast<int>(updates.size()));
  const Program& program = *application.program;
  const pjrt::Device& device = client_->devices()[0];
  const auto scale = static_cast<float>(rate_scale);
  pjrt::Buffer scale_on_device;
  std::vector<std::vector<pjrt::Buffer*>> arguments(1);
  std::vector<int64_t> non_donatable;
  for (size_t p = 0; p < program.parameters.size(); ++p) {
    const ProgramParameter& parameter = program.parameters[p];
    if (parameter.kind == ProgramParameter::Kind::kVariable) {
      const size_t place = place_of(variables, parameter.variable);
      const bool here = place < variables.size();
      const auto& value =
          here ? present.values[place] : first.counters->values[place_of(cells_.back(), parameter.variable)];
      // `next` shares it too, until it gets the new one.
      if (parameter.update >= 0 && !(exclusive && value.use_count() == 2))
        non_donatable.push_back(static_cast<int64_t>(p));
      arguments[0].push_back(value.get());
    } else if (application.pushed[p] >= 0) {
      const DeviceUpdate& member = Of(updates[static_cast<size_t>(parameter.batch)]);
      arguments[0].push_back(&member.pushed[static_cast<size_t>(application.pushed[p])]);
    } else {
      scale_on_device = client_->PutCopy(Shape{DType::kF32, {}}, &scale, device);
      arguments[0].push_back(&scale_on_device);
    }
  }
  pjrt::Launch launch = application.executable->Execute(arguments, {.non_donatable = non_donatable});
  for (size_t i = 0; i < numbers.size(); ++i) {
    next->values[place_of(variables, all[numbers[i]])] =
        std::make_shared<pjrt::Buffer>(std::move(launch.outputs[0][i]));
  }
  std::optional<pjrt::HostCopy> flags;
  if (program.has_guard) flags.emplace(launch.outputs[0][numbers.size()].ToLiteralAsync());
  watch_(std::make_shared<Completion>(application.program, first.execution + 1, ++launches_, std::move(launch.done),
                                      std::move(flags)));
  return next;
}

}  // namespace replicator
