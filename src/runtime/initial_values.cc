#include "runtime/initial_values.h"

#include <vector>

#include "graph/placement.h"

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

}  // namespace replicator
