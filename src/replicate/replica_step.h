// The step of each replica, built by calling the step function, and the classes of equal ones.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "graph/build_context.h"

namespace replicator {

struct StepOptions {
  int num_replicas = 1;
  Mode mode = Mode::kTrain;
  bool nan_guard = true;
  bool asynchronous = false;            // to be split: replicate/split.h
  std::map<std::string, Shape> inputs;  // components of one replica's batch
  SourceLocation where;                 // the line of Run
};

// The step as one replica has built it: graph->outputs() are what the step function returned.
struct ReplicaStep {
  std::shared_ptr<Graph> graph;
  std::vector<BuildContext::VariableUse> uses;
  std::vector<int> placeholders;  // node ids of the collectives and of what holds some in its regions, in program order
  int replica = 0;
};

// The distinct steps among all replicas. Most programs have one.
struct ReplicaSteps {
  std::vector<ReplicaStep> classes;  // each is the step of the first replica of its class
  std::vector<int> class_of_replica;
};

// What a step function does when its replica's inputs have been made: returns its flattened results.
using StepFunction = std::function<std::vector<Tensor>(const std::map<std::string, Tensor>& inputs)>;

// Calls `step_fn` once per replica, in order, each into a graph of its own. A graph equal to an earlier replica's is
// freed at once, so memory does not grow with the number of replicas. Throws what step_fn throws.
ReplicaSteps BuildReplicaSteps(const StepFunction& step_fn, VariableTable& variables, const StepOptions& options);

}  // namespace replicator
