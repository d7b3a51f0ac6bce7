// Builds a graph, runs it and returns what it computed: for tests.
//
//   const Literal y = Evaluate([](const std::vector<Tensor>& x) -> std::vector<Tensor> { return {Exp(x[0])}; },
//   {x})[0];
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "graph/build_context.h"
#include "support/backend.h"

namespace replicator::testing {

struct EvaluateOptions {
  std::string backend = "c1";
  Mode mode = Mode::kTrain;
  // The value of BuildContext::StepKey.
  std::array<uint32_t, 2> step_key = {0, 0};
};

// Takes one tensor (an input, typed varying) per literal, and returns the results.
using BuildFn = std::function<std::vector<Tensor>(const std::vector<Tensor>& inputs)>;

// The StableHLO text of `build` for inputs of the given shapes.
std::string LowerToText(const BuildFn& build, const std::vector<Shape>& inputs, int num_replicas = 1,
                        LoweringTarget target = LoweringTarget::kCpu);
// On inputs.size() replicas, all of which run the graph built for replica 0.
PerReplica EvaluateReplicas(const BuildFn& build, const PerReplica& inputs, const EvaluateOptions& options = {});
// On one replica.
std::vector<Literal> Evaluate(const BuildFn& build, const std::vector<Literal>& inputs = {},
                              const EvaluateOptions& options = {});

}  // namespace replicator::testing
