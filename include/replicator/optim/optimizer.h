// Optimizers: gradients of a loss, and what they do to variables.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "replicator/graph/variable.h"
#include "replicator/optim/schedule.h"
#include "replicator/optim/update_rule.h"

namespace replicator::optim {

// How the replicas' losses make the one loss whose gradient is meant.
enum class GradientReduction {
  kMean,  // the mean of the replicas' losses: for a loss that is a mean over the replica's examples
  kSum,   // their sum: for a loss that is a sum over the replica's examples
};

struct GradientAndVariable {
  Tensor gradient;  // of the variable's dtype and shape
  Variable variable;
};

struct OptimizerOptions {
  LearningRate learning_rate;
  // Scales all gradients by clip_norm / max(clip_norm, norm), where norm is the square root of the sum of squares of
  // all gradients after aggregation over replicas: Pascanu et al., "On the difficulty of training recurrent neural
  // networks", ICML 2013, algorithm 1. Not finite gradients stay so. > 0; not clipped if not given.
  std::optional<double> clip_norm = std::nullopt;
  std::string name = {};  // that of the rule if empty
};

struct MinimizeOptions {
  // The trainable variables on which the loss depends, if not given.
  std::optional<std::vector<Variable>> var_list = std::nullopt;
};

// A shared handle: copies, and the result of WithReduction, are the same optimizer with the same state. State is
// declared as variables at the first use, in replica 0: "<name>/iterations", i64, the number of updates, and
// "<name>/<variable's name>/<slot>". All of it is saved and restored with the model. Two optimizers of one name in a
// replicator are an error that names both lines: give one of them another .name.
//
// With several replicas, mirrored variables accept only values that are equal everywhere, so the optimizer must
// aggregate its gradients: wrap it with Replicator::WrapOptimizer. A variable that is per-replica by declaration gets
// its own replica's gradient, and slots that are per-replica too.
class Optimizer {
 public:
  // Throws Error(kInvalidArgument) for a null rule or a clip_norm that is not positive and finite.
  Optimizer(std::shared_ptr<const UpdateRule> rule, OptimizerOptions options,
            SourceLocation where = SourceLocation::current());

  // ApplyGradients(ComputeGradients(loss, variables)).
  void Minimize(const Tensor& loss, const MinimizeOptions& options = {},
                SourceLocation where = SourceLocation::current()) const;
  // The gradients of the loss, a floating scalar; of all replicas' losses, aggregated, for an optimizer with a
  // reduction. Throws GraphError for another loss, for no variables, and for kSum with a loss that is equal on all
  // replicas: its gradient would be too large by the number of replicas.
  std::vector<GradientAndVariable> ComputeGradients(const Tensor& loss, const MinimizeOptions& options = {},
                                                    SourceLocation where = SourceLocation::current()) const;
  // One update of each variable, and of iterations. Gradients must have been aggregated. Throws GraphError where dtype
  // or shape differ from the variable's, where a variable is named twice or is not floating, and where a mirrored
  // variable would get a gradient that differs between replicas.
  void ApplyGradients(std::span<const GradientAndVariable> gradients,
                      SourceLocation where = SourceLocation::current()) const;

  const std::string& name() const;
  // The number of updates so far; declares it if need be.
  Variable iterations(SourceLocation where = SourceLocation::current()) const;
  // The number of calls of ApplyGradients so far: iterations(), but for an optimizer that accumulates, where it is
  // "<name>/micro_steps", i64.
  Variable micro_steps(SourceLocation where = SourceLocation::current()) const;
  // The learning rate of the next update, a scalar, in the graph being built.
  Tensor learning_rate(DType dtype = DType::kF32, SourceLocation where = SourceLocation::current()) const;

  const std::optional<GradientReduction>& reduction() const { return reduction_; }
  // The same optimizer, aggregating gradients. Throws Error(kFailedPrecondition) if it does already.
  Optimizer WithReduction(GradientReduction reduction, SourceLocation where = SourceLocation::current()) const;
  // The same optimizer, accumulating gradients: see Accumulate in accumulate.h.
  Optimizer WithAccumulation(int steps, std::optional<GradientReduction> combination,
                             SourceLocation where = SourceLocation::current()) const;

 private:
  struct State;

  std::vector<Variable> SlotsOf(const Variable& variable, SourceLocation where) const;
  Variable AccumulatorOf(const Variable& variable, SourceLocation where) const;
  // Adds this micro-step's gradients to the accumulators and puts what those held in their place. Returns whether the
  // update is due, a replicated bool.
  Tensor AddMicroStep(std::span<const GradientAndVariable> pairs, std::vector<Tensor>& gradients,
                      SourceLocation where) const;

  std::shared_ptr<State> state_;
  std::optional<GradientReduction> reduction_;
  int accumulated_steps_ = 1;
  std::optional<GradientReduction> combination_;  // of micro-steps; as reduction_ if there is none
};

// The square root of the sum of squares of all elements, in f32, or f64 if one of them is. 0 for none.
Tensor GlobalNorm(std::span<const Tensor> tensors, SourceLocation where = SourceLocation::current());

}  // namespace replicator::optim
