// Elements computed in the background, in order.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "data/node.h"

namespace replicator::data::internal {

// `workers` threads take tasks, one at a time and in order, from a Pull, and perform them concurrently; Next hands out
// the results in the order of the tasks. At most `window` results exist that Next has not handed out, those in the
// making included. What a task or the Pull throws is thrown by Next at its turn.
//
// Ends at any moment: the destructor and `outer` request stop of the token that `open` is given, wake everyone who
// waits here, and the destructor waits for the tasks in progress.
class ReadAhead final : public Cursor {
 public:
  using Task = std::function<Element()>;
  using Pull = std::function<std::optional<Task>()>;

  // `open` runs here, in the caller's thread.
  ReadAhead(int workers, int64_t window, std::stop_token outer, const std::function<Pull(std::stop_token)>& open);
  ~ReadAhead() override;

  std::optional<Element> Next() override;

 private:
  struct Slot {
    bool ready = false;
    std::optional<Element> value;  // ready and none, without an error: the end
    std::exception_ptr error;
  };
  struct StopRequest {
    std::stop_source source;
    void operator()() { source.request_stop(); }
  };

  void Work();
  void Finish(int64_t ticket, Slot result);

  std::stop_source stop_;
  std::stop_callback<StopRequest> forward_;
  const size_t window_;

  std::mutex pull_mutex_;  // taken before mutex_; makes tickets and pulls agree in order
  Pull pull_;              // guarded by pull_mutex_

  std::mutex mutex_;
  std::condition_variable_any room_, ready_;
  std::deque<Slot> slots_;    // guarded by mutex_; slot i belongs to ticket first_ticket_ + i
  int64_t first_ticket_ = 0;  // guarded by mutex_
  bool exhausted_ = false;    // guarded by mutex_: the Pull has ended or thrown

  std::vector<std::jthread> threads_;
};

}  // namespace replicator::data::internal
