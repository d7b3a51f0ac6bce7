// Communication between replicas. Each call leaves a placeholder in the graph of its replica. When all replicas' graphs
// are complete the k-th placeholders of all replicas are compared (operation, dtype, shape, source) and rewritten into
// one cross-replica operation; any difference is an error that names the replicas and the lines, before anything runs.
// So every replica must call the same collectives in the same order.
//
// Results are replicated. Reducing a value that is already replicated is an error: it would be aggregated twice.
// Gradients flow through all of them, as derivatives of the sum (or mean) of all replicas' losses (docs/semantics.md,
// 8).
#pragma once

#include "replicator/graph/tensor.h"

namespace replicator {

// Numbers of any type but bool.
Tensor AllSum(const Operand& x);
Tensor AllMean(const Operand& x);  // floating types
Tensor AllMin(const Operand& x);
Tensor AllMax(const Operand& x);
// A new leading axis of extent R: element r is replica r's x. Any type.
Tensor AllGather(const Operand& x);
// The x of replica `source`. Any type. Throws GraphError unless 0 <= source < R.
Tensor Broadcast(const Operand& x, int source = 0);

}  // namespace replicator
