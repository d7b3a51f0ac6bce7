#include "runtime/async_step.h"

#include <algorithm>
#include <iterator>

#include "replicator/base/error.h"

namespace replicator {

AsyncStep::AsyncStep(int index, SplitStep split, InputIterator input, int sync_group, int num_groups, Compile compile)
    : index_(index),
      split_(std::move(split)),
      input_(std::move(input)),
      sync_group_(sync_group),
      compile_(std::move(compile)),
      next_execution_(static_cast<size_t>(num_groups)) {
  const Program& group = split_.group();
  for (size_t i = 0; i < group.parameters.size(); ++i) {
    size_t& component = components_.emplace_back(0);
    if (group.parameters[i].kind != ProgramParameter::Kind::kInput) continue;
    const Shape& shape = group.graph->node(group.graph->parameters()[i]).results[0];
    const data::ElementSpec spec = input_.defined() ? input_.Spec() : data::ElementSpec();
    const auto found = spec.find(group.parameters[i].name);
    if (found == spec.end() || found->second != shape) {
      throw Error(ErrorCode::kInvalidArgument,
                  "the step takes the component '" + group.parameters[i].name + "' as " + ToString(shape) +
                      ", but its input gives " + (input_.defined() ? data::ToString(spec) : "nothing"),
                  {group.where});
    }
    component = static_cast<size_t>(std::distance(spec.begin(), found));
  }
}

InputIterator::Impl* AsyncStep::input(int group) const {
  return input_.defined() ? input_.groups()[static_cast<size_t>(group)].get() : nullptr;
}

std::shared_ptr<pjrt::Executable> AsyncStep::Executable(int group, const std::vector<int>& devices) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<pjrt::Executable>& executable = executables_[group];
  if (executable == nullptr) executable = compile_(split_.group(), devices);
  return executable;
}

const AsyncStep::Application& AsyncStep::Apply(int cell, const std::vector<size_t>& updates, int members) {
  const std::lock_guard lock(mutex_);
  Application& application = applications_[{cell, members}];
  if (application.executable != nullptr) return application;
  application.program = std::make_shared<const Program>(split_.Apply(updates, members));
  for (const ProgramParameter& parameter : application.program->parameters) {
    int& pushed = application.pushed.emplace_back(-1);
    if (parameter.kind != ProgramParameter::Kind::kInput || parameter.name == SplitStep::kUpdateScaleName) continue;
    pushed = 0;
    while (SplitStep::PushedName(static_cast<size_t>(pushed)) != parameter.name) ++pushed;
  }
  application.executable = compile_(*application.program, {0});
  return application;
}

void AsyncStep::ForgetApplications() {
  const std::lock_guard lock(mutex_);
  applications_.clear();
}

}  // namespace replicator
