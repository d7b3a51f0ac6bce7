#include "runtime/taken_inputs.h"

#include <algorithm>
#include <utility>

#include "replicator/base/error.h"

namespace replicator {

std::vector<std::unique_lock<std::mutex>> LockInputs(std::vector<InputIterator::Impl*> inputs) {
  std::erase(inputs, nullptr);
  std::sort(inputs.begin(), inputs.end(), [](auto* a, auto* b) { return a->order() < b->order(); });
  inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
  std::vector<std::unique_lock<std::mutex>> locks;
  for (InputIterator::Impl* input : inputs) locks.emplace_back(input->run_mutex());
  return locks;
}

TakenInputs::TakenInputs(std::span<StepRunner* const> steps)
    : steps_(steps), batches_(steps.size()), consumed_(steps.size(), 0) {
  std::vector<InputIterator::Impl*> inputs;
  for (const StepRunner* step : steps) inputs.push_back(step->input());
  locks_ = LockInputs(std::move(inputs));
  try {
    for (size_t i = 0; i < steps.size(); ++i) {
      if (steps[i]->input() != nullptr) TakeFor(i);
    }
  } catch (...) {
    PutBack();
    throw;
  }
}

TakenInputs::~TakenInputs() { PutBack(); }

void TakenInputs::TakeFor(size_t i) {
  for (int64_t taken = 0; taken < steps_[i]->executions_per_run(); ++taken) {
    try {
      batches_[i].push_back(steps_[i]->input()->Take());
    } catch (const OutOfRange&) {
      if (taken == 0) throw;
      return;
    }
  }
}

void TakenInputs::Commit(size_t i, size_t count) {
  if (batches_[i].empty()) return;
  consumed_[i] += count;
  steps_[i]->input()->Commit(batches_[i][consumed_[i] - 1]);
}

void TakenInputs::PutBack() {
  for (size_t i = batches_.size(); i-- > 0;) {
    for (; batches_[i].size() > consumed_[i]; batches_[i].pop_back()) {
      steps_[i]->input()->PutBack(std::move(batches_[i].back()));
    }
  }
}

}  // namespace replicator
