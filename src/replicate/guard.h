// The guard against updates that are not finite.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "graph/build_context.h"

namespace replicator {

// Whether there is anything to guard: a floating variable.
bool CanGuard(std::span<const std::shared_ptr<const VariableDef>> updates);

// Replaces the new values by the old ones where any new value is not finite, in the graph of `build`; returns
// bool[updates], true where finite. `updates` are by logical device.
Tensor AddGuard(const std::vector<std::shared_ptr<const VariableDef>>& updates, BuildContext& build,
                const std::vector<Value>& old_values, std::vector<Value>& new_values, SourceLocation where);

}  // namespace replicator
