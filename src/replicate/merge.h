// Merging the steps of replicas that may differ into one SPMD graph.
#pragma once

#include <vector>

#include "graph/build_context.h"
#include "replicate/value_numbering.h"

namespace replicator {

// The name scope of the class of the replica that runs, which selects the branches of the cases made here.
inline constexpr char kReplicaClassScope[] = "replica_class";

// A value that every class computes in its own way: numbered, by class.
using Slot = std::vector<Value>;

// Appends to the graph of `merged` everything that `slots` and the placeholders need, and returns where the slots are.
// What all classes compute alike stands once, at the top; what they do not becomes branches of one case per stage,
// where stage k lies between the placeholders k - 1 and k: collectives never stand inside a branch. (With several
// logical devices there are several, each on one device.) A value that only some classes have, and need in a later
// case, leaves its branch through a result that is zero for the others.
std::vector<Value> MergeClasses(const ReplicaSteps& steps, const ValueNumbering& numbering,
                                const std::vector<Slot>& slots, BuildContext& merged);

}  // namespace replicator
