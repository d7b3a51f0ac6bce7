// Comparing the placeholders of all replicas.
#pragma once

#include "replicate/replica_step.h"

namespace replicator {

// Checks that the k-th placeholders of all replicas are the same operation on the same dtype, shape and attributes, and
// that all replicas return the same number of results of the same shapes. Throws Error(kInvalidArgument) that names the
// replicas, describes both sides and gives the user's two lines.
void MatchPlaceholders(const ReplicaSteps& steps, SourceLocation where);

}  // namespace replicator
