#include "runtime/initial_values.h"

#include <vector>

#include "base/hash.h"
#include "graph/placement.h"
#include "lower/lower.h"
#include "runtime/step_key.h"

namespace replicator {

std::shared_ptr<const Graph> BuildInitialValues(std::span<const std::shared_ptr<const VariableDef>> variables) {
  BuildContext context({});
  const BuildContext::Scope building(context);
  const PlacementScope placement(0);
  std::vector<Value> values;
  for (const auto& def : variables) {
    const VariableOptions& options = def->options;
    const NameScope scope = NameScope::Absolute(options.name);
    const CallSite site(def->where.front());
    const Tensor value = options.initializer(options.shape);
    if (!value.defined() || value.graph() != context.graph()) {
      throw GraphError("initializer", {},
                       "the initializer of the variable '" + options.name +
                           "' must return a tensor that it has built when it was called",
                       def->where);
    }
    if (value.shape() != options.shape) {
      throw GraphError("initializer", {value.shape()},
                       "the variable '" + options.name + "' is " + ToString(options.shape) +
                           ", but its initializer returned " + ToString(value.shape()),
                       def->where);
    }
    values.push_back(value.value());
  }
  context.graph()->SetOutputs(std::move(values));
  context.graph()->Freeze();
  return context.graph();
}

std::vector<pjrt::Buffer> ComputeInitialValues(std::span<const std::shared_ptr<const VariableDef>> variables,
                                               uint64_t seed, const pjrt::Device& device, pjrt::Client& client,
                                               ExecutableCache& cache, const CompileTarget& target) {
  const std::shared_ptr<const Graph> graph = BuildInitialValues(variables);
  const std::string mlir = LowerToStableHlo(*graph, {.target = target.lowering, .module_name = "initial_values"});
  pjrt::CompileOptions options{.overrides = target.overrides};
  if (&device != &client.devices()[0]) options.device_assignment = {device.id()};
  const std::shared_ptr<pjrt::Executable> executable = cache.Get(mlir, options);
  const StepKey key = ToStepKey(HashCombine(HashString("initial values"), seed));
  pjrt::Buffer key_on_device = client.PutCopy(Shape{DType::kU32, {2}}, key.data(), device);
  std::vector<pjrt::Buffer*> arguments(graph->parameters().size(), &key_on_device);
  pjrt::Launch launch = executable->Execute({arguments});
  launch.Await();
  return std::move(launch.outputs[0]);
}

}  // namespace replicator
