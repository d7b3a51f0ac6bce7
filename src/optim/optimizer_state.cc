#include "optim/optimizer_state.h"

#include "graph/placement.h"
#include "replicator/ops/shape.h"

namespace replicator::optim {

Variable DeclareCounter(const std::string& name, SourceLocation where) {
  const VariablePlacementScope placement(0);
  return Variable({.name = name,
                   .shape = {DType::kI64, {}},
                   .initializer = [](const Shape& shape) { return Zeros(shape); },
                   .trainable = false},
                  where);
}

Variable DeclareCompanion(const std::string& optimizer, const Variable& variable, const std::string& suffix,
                          SourceLocation where) {
  const VariablePlacementScope placement(variable.logical_device());
  return Variable({.name = optimizer + "/" + variable.name() + "/" + suffix,
                   .shape = {Wide(variable.dtype()), variable.shape().dims},
                   .initializer = [](const Shape& shape) { return Zeros(shape); },
                   .trainable = false,
                   .aggregation = variable.aggregation()},
                  where);
}

}  // namespace replicator::optim
