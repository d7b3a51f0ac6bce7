// Metrics as (sum, weight) pairs: adding both up over batches and replicas and dividing at the end is exact, also where
// batches are padded and masked or of unequal size.
#pragma once

#include <optional>

#include "replicator/graph/tensor.h"

namespace replicator::nn {

struct Metric {
  Tensor sum;     // a scalar, f32 (f64 for f64 values)
  Tensor weight;  // likewise: how many examples were counted. Varying where `sum` is, so that replicas' counts add up
};

// The number of examples whose largest logit (the first of equals) is that of the label. Logits: floating [..., K];
// labels: integers [...]; mask: bool [...], false for padding, which counts in neither sum nor weight.
Metric Accuracy(const Operand& logits, const Operand& labels, const std::optional<Tensor>& mask = std::nullopt);

// The sum of `values` (floating, one per example: a loss) where `mask` (bool, of the same extents) holds. Masked values
// may be NaN.
Metric MeanOf(const Operand& values, const std::optional<Tensor>& mask = std::nullopt);

// The metric of the global batch: sum over replicas of sum / sum over replicas of weight. NaN if nothing was counted.
Tensor GlobalMean(const Metric& metric, SourceLocation where = SourceLocation::current());

}  // namespace replicator::nn
