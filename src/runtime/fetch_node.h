// What a Fetch refers to: an output of a step, and how the replicas' values become one.
#pragma once

#include <memory>

#include "replicate/program.h"
#include "replicator/runtime/fetch.h"

namespace replicator {

class FetchNode {
 public:
  enum class Combine { kNone, kOverReplicas, kSumOverEverything, kMeanOverEverything };

  std::weak_ptr<Engine> engine;  // to recognise it; a result can be read when it is gone
  int step = 0;
  int output = -1;  // -1: the step itself
  ProgramOutput result;
  int num_replicas = 1;
  Combine combine = Combine::kNone;
  ReduceOp op = ReduceOp::kSum;  // for kOverReplicas
  int source = -1;               // the replica whose value stands for all; -1: each has its own
};

// Result number `output` of a step that has been added to the engine; -1 stands for the step itself.
PerReplica MakePerReplica(const std::shared_ptr<Engine>& engine, int step, int output);

}  // namespace replicator
