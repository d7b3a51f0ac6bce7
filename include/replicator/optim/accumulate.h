// A large batch in several steps: gradients are accumulated over micro-steps before they are applied.
#pragma once

#include <optional>

#include "replicator/optim/optimizer.h"

namespace replicator::optim {

// The optimizer, applying its gradients at each `steps`-th step only: what it gets in steps 1, ..., `steps` is combined
// and makes one update, equal to that of one step on a batch `steps` times as large. It is the same optimizer with the
// same state (see Optimizer), and the semantics are those of optax.MultiSteps:
//
// - In between, parameters, slots and iterations keep their values; iterations counts updates, so schedules and Adam's
//   bias correction see what they would see with the large batch. micro_steps() counts the steps.
// - `combination`: whether the micro-steps' losses make the large batch's loss as their mean or as their sum. If not
//   given: as the replicas' losses do, for an optimizer that is wrapped with WrapOptimizer; otherwise their mean.
// - It does not matter which comes first, Accumulate or WrapOptimizer. Gradients are aggregated over the replicas in
//   every micro-step, so accumulators are mirrored, and a checkpoint made between two updates continues on any number
//   of replicas.
// - Clipping acts on the combined gradient.
// - A micro-step that is void because something was not finite (RunOptions::nan_guard) has not happened: the next one
//   takes its place.
//
// The accumulators, "<name>/<variable's name>/accumulated_gradient", cost as much memory as the parameters (in f32
// where those are narrower). One step is the optimizer as it is. Throws Error: kInvalidArgument for steps < 1,
// kFailedPrecondition for an optimizer that accumulates already.
Optimizer Accumulate(const Optimizer& optimizer, int steps, std::optional<GradientReduction> combination = std::nullopt,
                     SourceLocation where = SourceLocation::current());

}  // namespace replicator::optim
