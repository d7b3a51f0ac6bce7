// The end of one execution of a step: whether it failed, and whether its updates were finite.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "pjrt/buffer.h"
#include "pjrt/event.h"
#include "replicate/program.h"

namespace replicator {

// What an execution is called in messages: "step 12 of the step function built at train.cc:40". Steps count from 1.
// For several in one launch, of which `execution` is the first: "steps 12 to 15 of ...".
std::string ExecutionName(int64_t execution, SourceLocation where, int64_t executions = 1);

// Thread-safe. Shared by the engine, which looks at it later, and by whoever reads the results.
class Completion {
 public:
  // `execution` numbers those of the step function from 1 (the launch's first, where it is several), `launch` those of
  // the engine. `flags`: the copy of the guard's bool[updates] (or bool[executions, updates]), for a program that has a
  // guard.
  Completion(std::shared_ptr<const Program> program, int64_t execution, int64_t launch, std::vector<pjrt::Event> done,
             std::optional<pjrt::HostCopy> flags);

  const Program& program() const { return *program_; }
  int64_t launch() const { return launch_; }
  std::string name() const { return ExecutionName(execution_, program_->where, program_->executions); }

  // Whether the outcome is known. Never waits.
  bool Poll();
  // Waits for the outcome.
  void Await();
  // After Await, or Poll() == true: whether the execution failed, so that its results do not exist.
  bool failed();
  // After the same: the Error of the execution or of the guard, unless it has been reported by any means; else null.
  // Counts as reporting it.
  std::exception_ptr TakeReport();
  // For a reader of results: waits; throws if the execution failed, each time; and throws the guard's Error unless that
  // has been reported.
  void Check();

 private:
  void Resolve();  // requires mutex_; waits

  const std::shared_ptr<const Program> program_;
  const int64_t execution_;
  const int64_t launch_;

  std::mutex mutex_;
  bool resolved_ = false;  // guarded by mutex_, as are the following
  bool reported_ = false;
  std::vector<pjrt::Event> done_;        // by device; empty once resolved
  std::optional<pjrt::HostCopy> flags_;  // none once resolved
  std::exception_ptr failure_;
  std::exception_ptr not_finite_;
};

}  // namespace replicator
