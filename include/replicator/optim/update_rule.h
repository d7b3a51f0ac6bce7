// How an optimizer changes one variable: what to derive from for an optimizer of one's own.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "replicator/graph/variable.h"

namespace replicator::optim {

// All tensors are of one dtype: f64 for an f64 variable, otherwise f32.
struct UpdateContext {
  Tensor parameter;
  Tensor gradient;       // of the parameter's shape
  Tensor learning_rate;  // a scalar
  Tensor step;           // a scalar: 1 in the first update
  // One per name in slots(), of the parameter's shape, zero at first. The rule assigns their new values.
  std::span<const Variable> slots;
};

// Immutable; one rule may serve several optimizers.
class UpdateRule {
 public:
  virtual ~UpdateRule() = default;
  // The name of an optimizer that is given none: "adam".
  virtual std::string_view name() const = 0;
  virtual std::vector<std::string> slots() const { return {}; }
  // The parameter's new value, of its shape.
  virtual Tensor Update(const UpdateContext& context) const = 0;
};

}  // namespace replicator::optim
