// One cell of a store: its present version, and who holds it.
#pragma once

#include <atomic>
#include <memory>
#include <utility>

#include "store/parameter_store.h"

namespace replicator::store {

// Not thread-safe, but for the references that it lends: those may be dropped in any thread.
class Cell {
 public:
  explicit Cell(StateRef state) { Set(std::move(state)); }

  int64_t version() const { return version_; }
  // For a reader.
  StateRef Lend() const {
    lent_->fetch_add(1, std::memory_order_relaxed);
    // The last copy of this reference gives it back; what the reader has done with the state happens before that.
    return {state_.get(), [state = state_, lent = lent_](const State*) mutable {
              state.reset();
              lent->fetch_sub(1, std::memory_order_acq_rel);
            }};
  }
  // The next version, made of this one by `apply(state, exclusive)`.
  template <typename Apply>
  void Advance(const Apply& apply) {
    const bool exclusive = lent_->load(std::memory_order_acquire) == 0;
    Set(apply(std::move(state_), exclusive));
    ++version_;
  }
  void Replace(StateRef state, int64_t version) {
    Set(std::move(state));
    version_ = version;
  }

 private:
  void Set(StateRef state) {
    state_ = std::move(state);
    lent_ = std::make_shared<std::atomic<int>>(0);
  }

  StateRef state_;
  std::shared_ptr<std::atomic<int>> lent_;  // references to this version
  int64_t version_ = 0;
};

}  // namespace replicator::store
