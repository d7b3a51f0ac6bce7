// Losses. Each gives one value per example, so that the reduction is always visible at the call:
// ReduceMean(SoftmaxCrossEntropy(logits, labels)). f16 and bf16 are computed, and returned, in f32.
// All throw GraphError.
#pragma once

#include "replicator/graph/tensor.h"

namespace replicator::nn {

struct SoftmaxCrossEntropyOptions {
  double label_smoothing = 0;  // a, in [0, 1): the target is (1 - a) * label + a / K for each of the K classes
};

// -sum_k target_k * log softmax(logits)_k. Logits: floating [..., K], K >= 1. Labels: integers [...], class numbers, or
// floating [..., K] of the logits' dtype, probabilities. Result: [...]. Stable for logits of any size, as their maximum
// is subtracted first. A class number outside [0, K) gives NaN, which a mask or the NaN guard will see, rather than a
// wrong value.
Tensor SoftmaxCrossEntropy(const Operand& logits, const Operand& labels,
                           const SoftmaxCrossEntropyOptions& options = {});

// The mean of -(label * log p + (1 - label) * log(1 - p)), p = logistic(logit), over all axes but the first, in the
// form max(z, 0) - z * label + log(1 + exp(-|z|)), which neither overflows nor cancels. Logits: floating [N, ...].
// Labels: the same extents, bool, integers or floating, in [0, 1]. Result: [N].
Tensor BinaryCrossEntropy(const Operand& logits, const Operand& labels);

// The mean of (prediction - target)^2 over all axes but the first. Both floating [N, ...], of the same dtype and
// extents: nothing is broadcast. Result: [N].
Tensor MeanSquaredError(const Operand& predictions, const Operand& targets);

}  // namespace replicator::nn
