// Reverse-mode differentiation of a step.
#pragma once

#include <span>
#include <vector>

#include "replicator/graph/tensor.h"
#include "replicator/graph/variable.h"

namespace replicator {

// d(sum of `y`) / dx for every x, in the graph being built, so that it can be differentiated again. `y` is floating; an
// x on which it does not depend gets zeros. Within one replica: a collective on the way is differentiated as if `y`
// were summed over all replicas. Throws GraphError where an operation on the way has no gradient, with its reason and
// line.
std::vector<Tensor> Gradients(const Tensor& y, std::span<const Tensor> xs,
                              SourceLocation where = SourceLocation::current());
// The same, with the gradient of y given (same shape and dtype) instead of ones.
std::vector<Tensor> Gradients(const Tensor& y, std::span<const Tensor> xs, const Tensor& y_cotangent,
                              SourceLocation where = SourceLocation::current());
// With respect to the values that the variables had when y read them (the latest, where y read several).
std::vector<Tensor> Gradients(const Tensor& y, std::span<const Variable> variables,
                              SourceLocation where = SourceLocation::current());
// The trainable variables on which `y` depends, in the order of their declaration.
std::vector<Variable> TrainableVariablesOf(const Tensor& y);

}  // namespace replicator
