// One step of an asynchronous engine: its programs, for the groups and for the store.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "pjrt/executable.h"
#include "replicate/split.h"
#include "replicator/runtime/input_iterator.h"
#include "runtime/input_iterator_impl.h"

namespace replicator {

// Thread-safe.
class AsyncStep {
 public:
  // Compiles a program for these devices, by number; may be called from several threads.
  using Compile = std::function<std::shared_ptr<pjrt::Executable>(const Program&, const std::vector<int>& devices)>;

  // The store's program for some of the updates.
  struct Application {
    std::shared_ptr<const Program> program;
    std::shared_ptr<pjrt::Executable> executable;
    std::vector<int> pushed;  // by parameter: the number of the pushed value, or -1
  };

  // `sync_group`: the only one that runs it, or -1. Throws Error(kInvalidArgument) when the input does not give what
  // the program takes.
  AsyncStep(int index, SplitStep split, InputIterator input, int sync_group, int num_groups, Compile compile);

  int index() const { return index_; }
  const SplitStep& split() const { return split_; }
  const Program& program() const { return split_.step(); }
  int sync_group() const { return sync_group_; }
  bool updates() const { return !split_.updates().empty(); }

  // Null if there is no input.
  InputIterator::Impl* input(int group) const;
  std::shared_ptr<InputIterator::Impl> first_input() const { return input_.impl(); }
  // By parameter of the group's program: which component of the batch it is; 0 for the others.
  const std::vector<size_t>& components() const { return components_; }

  std::shared_ptr<pjrt::Executable> Executable(int group, const std::vector<int>& devices);
  // For the updates of these numbers, from what `members` groups have pushed.
  const Application& Apply(int cell, const std::vector<size_t>& updates, int members);

  // When the cells have changed; no step may be in flight.
  void ForgetApplications();

  int64_t NextExecution(int group) { return next_execution_[static_cast<size_t>(group)]++; }
  void SetNextExecution(int group, int64_t next) { next_execution_[static_cast<size_t>(group)] = next; }

 private:
  const int index_;
  const SplitStep split_;
  const InputIterator input_;
  const int sync_group_;
  const Compile compile_;
  std::vector<size_t> components_;
  std::vector<std::atomic<int64_t>> next_execution_;

  std::mutex mutex_;
  std::map<int, std::shared_ptr<pjrt::Executable>> executables_;  // guarded by mutex_, by group
  std::map<std::pair<int, int>, Application> applications_;       // guarded by mutex_, by (cell, members)
};

}  // namespace replicator
