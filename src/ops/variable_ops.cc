// The parts of Variable that are made of operations.
#include "graph/placement.h"
#include "ops/operands.h"
#include "ops/push.h"
#include "replicator/graph/variable.h"
#include "replicator/ops/elementwise.h"

namespace replicator {

void Variable::Assign(const Operand& value) const {
  def();
  const PlacementScope placement(logical_device());
  const Tensor tensor = value.is_number() ? Convert(value, dtype()) : value.tensor();
  BuildContext::Current(value.where()).Assign(def_, tensor, value.where());
}

void Variable::AssignAdd(const Operand& delta) const {
  const PlacementScope placement(logical_device());
  const Operand pushed =
      delta.is_number() ? delta : Operand(Push(delta.tensor(), ReduceOp::kSum, delta.where()), delta.where());
  Assign(Operand(Add(Operand(*this, delta.where()), pushed), delta.where()));
}

}  // namespace replicator
