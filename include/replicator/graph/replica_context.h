// What a step function can ask about the replica it is being called for.
#pragma once

#include "replicator/graph/tensor.h"

namespace replicator {

// Whether a step trains or evaluates; batch norm and dropout read it unless they are told otherwise.
enum class Mode { kTrain, kEval };

// A view of the replica whose graph is being built on this thread.
class ReplicaContext {
 public:
  // Throws Error(kFailedPrecondition) outside a step function.
  static ReplicaContext Current(SourceLocation where = SourceLocation::current());
  static bool InStep();

  // The replica's number as a C++ integer, 0 <= index < num_replicas. Using it to build different graphs makes replicas
  // differ, which is allowed as long as their collectives match.
  int replica_index() const;
  int num_replicas() const;
  // The same number as a varying u32 scalar: the graphs stay equal.
  Tensor replica_id(SourceLocation where = SourceLocation::current()) const;
  Mode mode() const;

 private:
  ReplicaContext() = default;
};

}  // namespace replicator
