#include "replicate/replica_step.h"

#include <algorithm>

#include "graph/placement.h"
#include "graph/region.h"

namespace replicator {
namespace {

ReplicaStep BuildOne(const StepFunction& step_fn, VariableTable& variables, const StepOptions& options, int replica,
                     std::vector<MergedCall>& merged_calls) {
  BuildContext build({.replica_index = replica,
                      .num_replicas = options.num_replicas,
                      .mode = options.mode,
                      .variables = &variables,
                      .merged_calls = &merged_calls,
                      .asynchronous = options.asynchronous});
  const BuildContext::Scope scope(build);
  const PlacementScope placement(0);
  std::map<std::string, Tensor> inputs;
  for (const auto& [name, shape] : options.inputs) inputs.emplace(name, build.Input(name, shape, options.where));

  std::vector<Value> outputs;
  for (const Tensor& result : step_fn(inputs)) {
    if (!result.defined() || result.graph() != build.graph()) {
      std::vector<SourceLocation> lines = {options.where};
      if (result.defined()) lines.push_back(result.location());
      throw Error(ErrorCode::kInvalidArgument,
                  result.defined() ? "the step function returned a Tensor of another graph, made at " +
                                         ToString(result.location()) + "; return what this call has built"
                                   : "the step function returned an undefined Tensor",
                  lines);
    }
    outputs.push_back(result.value());
  }
  ReplicaStep step{build.graph(), build.variable_uses(), {}, replica};
  step.graph->SetOutputs(std::move(outputs));
  step.graph->Freeze();
  for (size_t id = 0; id < step.graph->nodes().size(); ++id) {
    if (FindCollective(step.graph->nodes()[id]) != nullptr) step.placeholders.push_back(static_cast<int>(id));
  }
  return step;
}

bool SameStep(const ReplicaStep& a, const ReplicaStep& b) {
  return SameStructure(*a.graph, *b.graph) &&
         std::equal(a.uses.begin(), a.uses.end(), b.uses.begin(), b.uses.end(), [](const auto& x, const auto& y) {
           return x.def == y.def && x.read == y.read && x.current == y.current && x.assigned == y.assigned;
         });
}

}  // namespace

ReplicaSteps BuildReplicaSteps(const StepFunction& step_fn, VariableTable& variables, const StepOptions& options) {
  ReplicaSteps steps;
  std::vector<MergedCall> merged_calls;
  for (int replica = 0; replica < options.num_replicas; ++replica) {
    ReplicaStep step = BuildOne(step_fn, variables, options, replica, merged_calls);
    const auto same = std::find_if(steps.classes.begin(), steps.classes.end(),
                                   [&](const ReplicaStep& earlier) { return SameStep(earlier, step); });
    steps.class_of_replica.push_back(static_cast<int>(same - steps.classes.begin()));
    if (same == steps.classes.end()) steps.classes.push_back(std::move(step));
  }
  return steps;
}

}  // namespace replicator
