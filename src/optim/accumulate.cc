#include "replicator/optim/accumulate.h"

#include <string>

#include "graph/placement.h"
#include "optim/optimizer_state.h"
#include "replicator/ops/elementwise.h"
#include "replicator/ops/shape.h"

namespace replicator::optim {

Optimizer Accumulate(const Optimizer& optimizer, int steps, std::optional<GradientReduction> combination,
                     SourceLocation where) {
  return optimizer.WithAccumulation(steps, combination, where);
}

Optimizer Optimizer::WithAccumulation(int steps, std::optional<GradientReduction> combination,
                                      SourceLocation where) const {
  if (steps < 1) {
    throw Error(ErrorCode::kInvalidArgument, "Accumulate: steps = " + std::to_string(steps) + "; it must be at least 1",
                {where});
  }
  if (accumulated_steps_ > 1) {
    throw Error(ErrorCode::kFailedPrecondition,
                "the optimizer '" + name() + "' accumulates already, over " + std::to_string(accumulated_steps_) +
                    " steps; say the whole number of steps once",
                {where});
  }
  Optimizer accumulating = *this;
  accumulating.accumulated_steps_ = steps;
  accumulating.combination_ = combination;
  return accumulating;
}

Variable Optimizer::micro_steps(SourceLocation where) const {
  if (accumulated_steps_ == 1) return iterations(where);
  if (!state_->micro_steps.defined()) state_->micro_steps = DeclareCounter(name() + "/micro_steps", where);
  return state_->micro_steps;
}

Variable Optimizer::AccumulatorOf(const Variable& variable, SourceLocation where) const {
  Variable& accumulator = state_->accumulators[variable.name()];
  if (!accumulator.defined()) {
    accumulator = DeclareCompanion(name(), variable, "accumulated_gradient", where);
  }
  return accumulator;
}

Tensor Optimizer::AddMicroStep(std::span<const GradientAndVariable> pairs, std::vector<Tensor>& gradients,
                               SourceLocation where) const {
  const bool is_sum = combination_.value_or(reduction_.value_or(GradientReduction::kMean)) == GradientReduction::kSum;
  const Variable count = micro_steps(where);
  const Tensor steps = count.Read(where) + 1;
  const Tensor due = Equal(Remainder({steps, where}, accumulated_steps_), 0);
  count.Assign({steps, where});
  for (size_t i = 0; i < pairs.size(); ++i) {
    const PlacementScope placement(pairs[i].variable.logical_device());
    const Variable accumulator = AccumulatorOf(pairs[i].variable, where);
    const Tensor sum = Operand(accumulator, where) + gradients[i];
    accumulator.Assign({Select({due, where}, 0, sum), where});
    gradients[i] = is_sum ? sum : sum / accumulated_steps_;
  }
  return due;
}

}  // namespace replicator::optim
