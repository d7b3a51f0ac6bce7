// Reductions within one replica. (Over replicas: ops/collectives.h.)
#pragma once

#include <optional>
#include <vector>

#include "replicator/graph/tensor.h"

namespace replicator {

struct ReduceOptions {
  std::optional<std::vector<int>> axes;  // all if not given; distinct; negative ones count from the end
  bool keep_dims = false;                // keep a reduced axis with extent 1
};

// The sum, over no elements 0. f16 and bf16 accumulate in f32. Bool is refused: convert it first.
Tensor ReduceSum(const Operand& x, const ReduceOptions& options = {});
// Floating types; over no elements NaN.
Tensor ReduceMean(const Operand& x, const ReduceOptions& options = {});
// NaN if any element is; over no elements the lowest (highest) value. Equal extrema share the gradient equally.
Tensor ReduceMax(const Operand& x, const ReduceOptions& options = {});
Tensor ReduceMin(const Operand& x, const ReduceOptions& options = {});
// bool; over no elements true (false).
Tensor ReduceAll(const Operand& x, const ReduceOptions& options = {});
Tensor ReduceAny(const Operand& x, const ReduceOptions& options = {});
// The i32 index of the first maximum along `axis`, which is dropped. NaN counts as the maximum.
Tensor ArgMax(const Operand& x, int axis = -1);

}  // namespace replicator
