// The batches of one Execute, from the moment they are taken until the steps that consume them have started.
#pragma once

#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "runtime/step_runner.h"

namespace replicator {

// Locks the run mutexes of all inputs of the steps, in their order, while it lives. What is not committed goes back.
class TakenInputs {
 public:
  // Takes the next batches for each step, in order, as many as one run of it consumes, or fewer where the input ends;
  // may wait for long. Throws as InputIterator::Impl::Take, with nothing taken, where there is none.
  explicit TakenInputs(std::span<StepRunner* const> steps);
  ~TakenInputs();
  TakenInputs(const TakenInputs&) = delete;
  TakenInputs& operator=(const TakenInputs&) = delete;

  // The batches of the i-th step that have not been consumed, in order; none for one without an input.
  std::span<DeviceBatches> batches(size_t i) { return std::span(batches_[i]).subspan(consumed_[i]); }
  // The i-th step has been started on the next `count` of them.
  void Commit(size_t i, size_t count);

 private:
  void TakeFor(size_t i);
  void PutBack();

  const std::span<StepRunner* const> steps_;
  std::vector<std::unique_lock<std::mutex>> locks_;
  std::vector<std::vector<DeviceBatches>> batches_;
  std::vector<size_t> consumed_;
};

// Locks the run mutexes of the inputs, which may repeat or be null, in their order.
std::vector<std::unique_lock<std::mutex>> LockInputs(std::vector<InputIterator::Impl*> inputs);

}  // namespace replicator
