// From the replicas' steps to one program: docs/impl.md, "Rewriting".
#pragma once

#include "replicate/program.h"
#include "replicate/replica_step.h"

namespace replicator {

// Matches the placeholders, merges the classes into one SPMD graph (where they differ, into branches of a case on the
// replica's class, collectives outside), checks typing over the merged graph, and adds the guard. Throws Error where
// the placeholders do not match, where a replicated value would be reduced again, and where a mirrored variable would
// get a value that differs between replicas.
Program Rewrite(const ReplicaSteps& steps, const StepOptions& options);

}  // namespace replicator
