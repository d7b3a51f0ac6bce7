// The results of one execution of a step.
#pragma once

#include <memory>
#include <mutex>
#include <variant>
#include <vector>

#include "pjrt/buffer.h"
#include "runtime/completion.h"
#include "runtime/engine.h"

namespace replicator {

// Thread-safe. Independent of the engine's life.
class Engine::Step {
 public:
  // The stacked results of several executions of one step, in order.
  explicit Step(std::vector<std::shared_ptr<Step>> executions) : executions_(std::move(executions)) {}
  // `outputs`: [output][replica], of a replicated output only replica 0's.
  Step(std::vector<std::vector<pjrt::Buffer>> outputs, std::shared_ptr<Completion> completion);

  // Wait, then throw as Completion::Check.
  void Wait();
  Literal Output(int output, int replica);

 private:
  // On a device until it is read.
  using Slot = std::variant<pjrt::Buffer, Literal>;

  Literal Stacked(int output, int replica);

  const std::vector<std::shared_ptr<Step>> executions_;  // if not empty, there is nothing else
  const std::shared_ptr<Completion> completion_;
  std::mutex mutex_;
  std::vector<std::vector<Slot>> outputs_;  // guarded by mutex_
};

}  // namespace replicator
