// Items made in a background thread, ahead of whoever takes them.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

namespace replicator {

// Ends at any moment: the destructor requests stop of the token that `open` was given and waits for the item in the
// making. Take is called from one thread at a time, and not during destruction.
template <typename T>
class Prefetcher {
 public:
  // The next item; nullopt at the end. Where it throws, it is called again for the same item.
  using Pull = std::function<std::optional<T>()>;
  // Called in the background thread, again where it throws.
  using Open = std::function<Pull(std::stop_token)>;

  // Keeps up to `depth` >= 1 items ready.
  Prefetcher(size_t depth, Open open)
      : depth_(depth), open_(std::move(open)), thread_([this](std::stop_token stop) { Work(stop); }) {}
  Prefetcher(const Prefetcher&) = delete;
  Prefetcher& operator=(const Prefetcher&) = delete;

  // Waits for the next item; nullopt at the end and from then on. What the pull threw is thrown at its turn; the next
  // call makes it try again.
  std::optional<T> Take() {
    std::unique_lock lock(mutex_);
    if (made_.empty() && failed_) {
      failed_ = false;
      room_.notify_one();
    }
    ready_.wait(lock, [&] { return !made_.empty(); });
    if (!made_.front().value.has_value() && made_.front().error == nullptr) return std::nullopt;  // the end stays
    Made made = std::move(made_.front());
    made_.pop_front();
    lock.unlock();
    room_.notify_one();
    if (made.error != nullptr) std::rethrow_exception(std::move(made.error));
    return std::move(made.value);
  }

 private:
  struct Made {
    std::optional<T> value;  // none, without an error: the end
    std::exception_ptr error;
  };

  void Work(const std::stop_token& stop) {
    Pull pull;
    while (true) {
      {
        std::unique_lock lock(mutex_);
        const bool room = room_.wait(lock, stop, [&] { return !failed_ && made_.size() < depth_; });
        if (!room || stop.stop_requested()) return;
      }
      Made made;
      try {
        if (pull == nullptr) pull = open_(stop);
        made.value = pull();
      } catch (...) {
        made.error = std::current_exception();
      }
      const bool end = !made.value.has_value() && made.error == nullptr;
      {
        const std::lock_guard lock(mutex_);
        failed_ = made.error != nullptr;
        made_.push_back(std::move(made));
      }
      ready_.notify_one();
      if (end) return;
    }
  }

  const size_t depth_;
  const Open open_;

  std::mutex mutex_;
  std::condition_variable_any room_;
  std::condition_variable ready_;
  std::deque<Made> made_;  // guarded by mutex_
  bool failed_ = false;    // guarded by mutex_: the last pull threw, and nobody has asked again

  std::jthread thread_;  // last: it uses everything above
};

}  // namespace replicator
