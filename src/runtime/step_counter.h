// What "the step" of a training run is.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>

#include "replicator/graph/variable.h"
#include "runtime/engine.h"

namespace replicator {

// Counts executions of the steps that update a given variable, or of the first training step that is run, from the
// enqueued executions alone: it never waits for a device, except where said.
class StepCounter {
 public:
  // `variable` may be undefined. Throws Error(kInvalidArgument) unless it is an integer scalar.
  explicit StepCounter(Variable variable);

  // Starts from the variable (which waits), or, when there is none, from what SaveTo saved in `restored`, or 0.
  void Begin(Engine& engine, const EngineState* restored);
  // `steps` are about to be run.
  void BeforeRun(const Engine& engine, std::span<const int> steps);
  int64_t value(const Engine& engine) const;
  // Whether it is an execution of this step that counts.
  bool Counts(const Engine& engine, int step) const;
  // One that counts; nothing before any has been run.
  std::optional<int> counted_step() const { return counted_step_; }

  // Adds what Begin needs to a state just saved, and takes the variable's value from it: should a step not have
  // incremented it by one, the count is right again.
  void SaveTo(const Engine& engine, EngineState& state);

 private:
  Variable variable_;
  int64_t base_ = 0;
  std::optional<int> counted_step_;
  std::map<int, int64_t> executions_at_base_;  // by counted step
};

}  // namespace replicator
