#include "data/read_ahead.h"

#include "replicator/base/error.h"

namespace replicator::data::internal {

ReadAhead::ReadAhead(int workers, int64_t window, std::stop_token outer,
                     const std::function<Pull(std::stop_token)>& open)
    : forward_(std::move(outer), StopRequest{stop_}),
      window_(static_cast<size_t>(window)),
      pull_(open(stop_.get_token())) {
  for (int i = 0; i < workers; ++i) threads_.emplace_back([this] { Work(); });
}

ReadAhead::~ReadAhead() {
  stop_.request_stop();
  threads_.clear();
}

std::optional<Element> ReadAhead::Next() {
  std::unique_lock lock(mutex_);
  if (!ready_.wait(lock, stop_.get_token(), [&] { return !slots_.empty() && slots_.front().ready; })) {
    throw Error(ErrorCode::kCancelled, "the iterator is being closed");
  }
  Slot slot = std::move(slots_.front());
  slots_.pop_front();
  ++first_ticket_;
  lock.unlock();
  room_.notify_one();
  if (slot.error) std::rethrow_exception(std::move(slot.error));
  return std::move(slot.value);
}

void ReadAhead::Work() {
  const std::stop_token stop = stop_.get_token();
  while (true) {
    std::unique_lock pulling(pull_mutex_);
    int64_t ticket = 0;
    {
      std::unique_lock lock(mutex_);
      const bool room = room_.wait(lock, stop, [&] { return exhausted_ || slots_.size() < window_; });
      if (!room || exhausted_ || stop.stop_requested()) return;
      ticket = first_ticket_ + static_cast<int64_t>(slots_.size());
      slots_.emplace_back();
    }
    Slot result{.ready = true};
    std::optional<Task> task;
    try {
      task = pull_();
    } catch (...) {
      result.error = std::current_exception();
    }
    if (!task.has_value()) {
      const std::lock_guard lock(mutex_);
      exhausted_ = true;
    }
    pulling.unlock();
    if (task.has_value()) {
      try {
        result.value = (*task)();
      } catch (...) {
        result.error = std::current_exception();
      }
    }
    Finish(ticket, std::move(result));
  }
}

void ReadAhead::Finish(int64_t ticket, Slot result) {
  {
    const std::lock_guard lock(mutex_);
    slots_[static_cast<size_t>(ticket - first_ticket_)] = std::move(result);
  }
  ready_.notify_one();
}

}  // namespace replicator::data::internal
