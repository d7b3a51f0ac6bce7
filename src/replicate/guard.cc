#include "replicate/guard.h"

#include <algorithm>
#include <span>

#include "graph/placement.h"
#include "replicator/ops/collectives.h"
#include "replicator/ops/elementwise.h"
#include "replicator/ops/reduce.h"
#include "replicator/ops/shape.h"

namespace replicator {
namespace {

// Which new values of the variables on one logical device are finite, on all replicas: bool[values].
Tensor FiniteFlags(std::span<const Value> new_values, BuildContext& build, SourceLocation where) {
  std::vector<Tensor> finite;
  Typing typing = Typing::kReplicated;
  for (Value value : new_values) {
    const Tensor updated(build.graph(), value);
    const bool checked = IsFloating(updated.dtype());
    finite.push_back(Reshape(checked ? ReduceAll(IsFinite(updated)) : Constant(Literal::Scalar(true)), {1}));
    if (checked) typing = Join(typing, updated.typing());
  }
  const Tensor flags = Concatenate(finite, 0, where);
  return typing == Typing::kVarying ? AllMin(Convert(flags, DType::kI32)) > 0 : flags;
}

}  // namespace

bool CanGuard(std::span<const std::shared_ptr<const VariableDef>> updates) {
  return std::any_of(updates.begin(), updates.end(),
                     [](const auto& def) { return IsFloating(def->options.shape.dtype); });
}

// Each logical device looks at its own variables; device 0 gathers the flags, and its verdict goes to the others.
Tensor AddGuard(const std::vector<std::shared_ptr<const VariableDef>>& updates, BuildContext& build,
                const std::vector<Value>& old_values, std::vector<Value>& new_values, SourceLocation where) {
  const NameScope scope("nan_guard");
  std::vector<Tensor> flags_of_devices;
  for (size_t first = 0, end = 0; first < updates.size(); first = end) {
    const int device = updates[first]->logical_device;
    while (end < updates.size() && updates[end]->logical_device == device) ++end;
    const PlacementScope placement(device);
    flags_of_devices.push_back(FiniteFlags(std::span(new_values).subspan(first, end - first), build, where));
  }
  const PlacementScope verdict(flags_of_devices.size() == 1 ? updates[0]->logical_device : 0);
  const Tensor flags = flags_of_devices.size() == 1 ? flags_of_devices[0] : Concatenate(flags_of_devices, 0, where);
  const Tensor all = ReduceAll(flags);
  for (size_t i = 0; i < updates.size(); ++i) {
    const PlacementScope placement(updates[i]->logical_device);
    const Tensor kept(build.graph(), old_values[i]), updated(build.graph(), new_values[i]);
    new_values[i] = Select(all, updated, kept).value();
  }
  return flags;
}

}  // namespace replicator
