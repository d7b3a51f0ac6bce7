// Reverse mode, for the rules of operations with regions.
#pragma once

#include <span>
#include <vector>

#include "replicator/graph/tensor.h"

namespace replicator {

// d(sum of ys[i] * cotangents[i]) / dx for every x; undefined where no y depends on it. The ys belong to one graph, and
// each x to that or to one that encloses it.
std::vector<Tensor> ReverseMode(std::span<const Tensor> ys, std::span<const Tensor> cotangents,
                                std::span<const Tensor> xs, SourceLocation where);

}  // namespace replicator
