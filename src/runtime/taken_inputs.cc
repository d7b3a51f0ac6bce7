#include "runtime/taken_inputs.h"

#include <algorithm>
#include <utility>

namespace replicator {

std::vector<std::unique_lock<std::mutex>> LockInputs(std::vector<InputIterator::Impl*> inputs) {
  std::erase(inputs, nullptr);
  std::sort(inputs.begin(), inputs.end(), [](auto* a, auto* b) { return a->order() < b->order(); });
  inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
  std::vector<std::unique_lock<std::mutex>> locks;
  for (InputIterator::Impl* input : inputs) locks.emplace_back(input->run_mutex());
  return locks;
}

TakenInputs::TakenInputs(std::span<StepRunner* const> steps) : steps_(steps), batches_(steps.size()) {
  std::vector<InputIterator::Impl*> inputs;
  for (const StepRunner* step : steps) inputs.push_back(step->input());
  locks_ = LockInputs(std::move(inputs));
  try {
    for (size_t i = 0; i < steps.size(); ++i) {
      if (steps[i]->input() != nullptr) batches_[i] = steps[i]->input()->Take();
    }
  } catch (...) {
    PutBack();
    throw;
  }
}

TakenInputs::~TakenInputs() { PutBack(); }

void TakenInputs::Commit(size_t i) {
  if (!batches_[i].has_value()) return;
  steps_[i]->input()->Commit(*batches_[i]);
  batches_[i].reset();
}

void TakenInputs::PutBack() {
  for (size_t i = batches_.size(); i-- > 0;) {
    if (batches_[i].has_value()) steps_[i]->input()->PutBack(std::move(*std::exchange(batches_[i], std::nullopt)));
  }
}

}  // namespace replicator
