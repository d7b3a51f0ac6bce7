// Products of tensors.
#pragma once

#include <vector>

#include "replicator/graph/tensor.h"

namespace replicator {

struct DotDimensions {
  std::vector<int> lhs_contracting, rhs_contracting;  // summed over, pairwise of equal extent
  std::vector<int> lhs_batch = {}, rhs_batch = {};    // kept in common, pairwise of equal extent
};

// Result axes: batch, then lhs's free axes, then rhs's free axes, each in order. Same dtype; f16 and bf16 accumulate in
// f32.
Tensor DotGeneral(const Operand& lhs, const Operand& rhs, const DotDimensions& dimensions);
// [..., m, k] x [..., k, n] -> [..., m, n]; leading axes must be equal, or one operand has none.
Tensor MatMul(const Operand& lhs, const Operand& rhs);

}  // namespace replicator
