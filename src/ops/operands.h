// What the wrappers of every family do with their operands before a node is made.
#pragma once

#include <optional>
#include <vector>

#include "graph/build_context.h"
#include "graph/op_def.h"
#include "replicator/graph/tensor.h"

namespace replicator {

// The operand as a tensor; a number becomes a scalar constant of `dtype`. Throws GraphError for `op` if the number
// cannot be represented in it.
Tensor AsTensor(const OpDef& op, const Operand& operand, DType dtype);

// The extents that both broadcast to, or nothing if they do not.
std::optional<Dims> BroadcastDims(const Dims& a, const Dims& b);

// Brings operands to one set of extents: numbers take the dtype of the first tensor among them, then everything
// broadcasts. Operands that cannot be reconciled are returned as they are, for the operation's own rule to refuse.
// Throws GraphError if there is no tensor among them.
std::vector<Tensor> Harmonise(const OpDef& op, const std::vector<Operand>& operands);

// Harmonises and appends.
Tensor AddElementwise(const OpDef& op, const std::vector<Operand>& operands, Attributes attributes = {});

}  // namespace replicator
