#include "replicator/data/queue.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <list>
#include <mutex>
#include <string>
#include <utility>

#include "data/node.h"
#include "replicator/base/error.h"

namespace replicator::data {
namespace {

using Clock = std::chrono::steady_clock;

// Those who wait at one end, in the order of their arrival. Guarded by the queue's mutex.
struct Line {
  std::list<bool> waiting;
  std::condition_variable_any changed;
};

// None: for ever. Throws Error(kInvalidArgument) for what is not a time.
std::optional<Clock::time_point> Deadline(double timeout_seconds) {
  constexpr double kLong = 1e9;  // what a clock can certainly hold
  if (timeout_seconds >= kLong) return std::nullopt;
  if (timeout_seconds >= 0) {
    return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(timeout_seconds));
  }
  throw Error(ErrorCode::kInvalidArgument, "a timeout must be at least 0 seconds, but is " +
                                               std::to_string(timeout_seconds) + "; Queue::kForever waits without end");
}

std::string Seconds(double seconds) {
  std::string text = std::to_string(seconds);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text + " s";
}

std::string Counted(int64_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

// Elements of a stack of them. Throws Error(kInvalidArgument) unless it agrees with the spec.
int64_t CountStacked(const Components& elements, const ElementSpec& spec, int64_t index, SourceLocation where) {
  const auto first = elements.find(spec.begin()->first);
  const int64_t count = first != elements.end() && !first->second.dims().empty() ? first->second.dims()[0] : 0;
  ElementSpec stacked = spec;
  for (auto& [name, shape] : stacked) shape.dims.insert(shape.dims.begin(), count);
  internal::CheckAgrees(elements, stacked, "PushBatch", index, where);
  return count;
}

Components Row(const Components& elements, const ElementSpec& spec, int64_t row) {
  Components element = internal::Allocate(spec);
  for (auto& [name, literal] : element) {
    const size_t size = literal.byte_size();
    std::memcpy(literal.mutable_bytes(), elements.at(name).bytes() + static_cast<size_t>(row) * size, size);
  }
  return element;
}

}  // namespace

struct Queue::State {
  // In line, waits until `ready`, which is asked only of the first in line, or until the queue is closed. False where
  // the deadline passes or stop is requested before that. Requires `lock`.
  template <typename Ready>
  bool Await(std::unique_lock<std::mutex>& lock, Line& line, const std::optional<Clock::time_point>& deadline,
             const std::stop_token& stop, Ready ready) {
    const auto self = line.waiting.insert(line.waiting.end(), true);
    const auto done = [&] { return closed || (line.waiting.begin() == self && ready()); };
    const bool served = deadline.has_value() ? line.changed.wait_until(lock, stop, *deadline, done)
                                             : line.changed.wait(lock, stop, done);
    line.waiting.erase(self);
    if (!line.waiting.empty()) line.changed.notify_all();
    return served;
  }

  bool Put(std::vector<Components> added, double timeout_seconds, SourceLocation pushed_at);
  void End(std::exception_ptr error);
  std::string Name() const { return "the queue made at " + replicator::ToString(where); }

  const ElementSpec spec;
  const int64_t capacity;
  const SourceLocation where;
  std::atomic<int64_t> pushed{0};

  mutable std::mutex mutex;
  std::deque<Components> elements;  // guarded by mutex, as are the following
  bool closed = false;
  std::exception_ptr failure;
  Line producers, consumers;
};

bool Queue::State::Put(std::vector<Components> added, double timeout_seconds, SourceLocation pushed_at) {
  const auto deadline = Deadline(timeout_seconds);
  const auto count = static_cast<int64_t>(added.size());
  std::unique_lock lock(mutex);
  const bool served =
      Await(lock, producers, deadline, {}, [&] { return static_cast<int64_t>(elements.size()) + count <= capacity; });
  if (closed) return false;
  if (!served) {
    throw Error(ErrorCode::kDeadlineExceeded,
                Name() + " had no room for " + Counted(count, "element") + " within " + Seconds(timeout_seconds) +
                    ": it holds " + std::to_string(elements.size()) + " of at most " + std::to_string(capacity) +
                    "; its consumer is slower than its producers, or has ended without closing it",
                {pushed_at, where});
  }
  for (Components& element : added) elements.push_back(std::move(element));
  pushed += count;
  consumers.changed.notify_all();
  return true;
}

void Queue::State::End(std::exception_ptr error) {
  const std::lock_guard lock(mutex);
  if (std::exchange(closed, true)) return;
  failure = std::move(error);
  producers.changed.notify_all();
  consumers.changed.notify_all();
}

Queue::Queue(ElementSpec spec, QueueOptions options, SourceLocation where) {
  internal::CheckSpec(spec, where);
  if (options.capacity < 1) {
    throw Error(ErrorCode::kInvalidArgument,
                "a queue must hold at least one element, but its capacity is " + std::to_string(options.capacity),
                {where});
  }
  state_ = std::make_shared<State>(std::move(spec), options.capacity, where);
}

bool Queue::Push(Components element, double timeout_seconds, SourceLocation where) {
  internal::CheckAgrees(element, spec(), "Push", state_->pushed, where);
  std::vector<Components> elements;
  elements.push_back(std::move(element));
  return state_->Put(std::move(elements), timeout_seconds, where);
}

bool Queue::PushBatch(const Components& elements, double timeout_seconds, SourceLocation where) {
  const int64_t count = CountStacked(elements, spec(), state_->pushed, where);
  if (count > capacity()) {
    throw Error(ErrorCode::kInvalidArgument,
                Counted(count, "element") + " cannot go together into " + state_->Name() + ", whose capacity is " +
                    std::to_string(capacity()),
                {where, state_->where});
  }
  std::vector<Components> rows;
  for (int64_t row = 0; row < count; ++row) rows.push_back(Row(elements, spec(), row));
  return state_->Put(std::move(rows), timeout_seconds, where);
}

std::optional<Components> Queue::Pop(double timeout_seconds) {
  std::vector<Components> taken = PopBatch(1, timeout_seconds);
  if (taken.empty()) return std::nullopt;
  return std::move(taken.front());
}

std::vector<Components> Queue::PopBatch(int64_t count, double timeout_seconds, const std::stop_token& stop) {
  State& state = *state_;
  if (count < 1 || count > state.capacity) {
    throw Error(ErrorCode::kInvalidArgument,
                Counted(count, "element") + " at once were asked of " + state.Name() + "; ask for 1 to " +
                    std::to_string(state.capacity) + ", its capacity",
                {state.where});
  }
  const auto deadline = Deadline(timeout_seconds);
  std::unique_lock lock(state.mutex);
  const bool served = state.Await(lock, state.consumers, deadline, stop,
                                  [&] { return static_cast<int64_t>(state.elements.size()) >= count; });
  if (!served && stop.stop_requested()) throw Error(ErrorCode::kCancelled, "a wait for " + state.Name() + " was ended");
  if (!served) {
    throw Error(ErrorCode::kDeadlineExceeded,
                state.Name() + " did not have " + Counted(count, "element") + " within " + Seconds(timeout_seconds) +
                    ": it has " + std::to_string(state.elements.size()) +
                    "; its producers are slower than its consumer, or have ended without closing it",
                {state.where});
  }
  if (state.elements.empty() && state.failure != nullptr) std::rethrow_exception(state.failure);
  std::vector<Components> taken;
  while (static_cast<int64_t>(taken.size()) < count && !state.elements.empty()) {
    taken.push_back(std::move(state.elements.front()));
    state.elements.pop_front();
  }
  state.producers.changed.notify_all();
  return taken;
}

void Queue::Close() { state_->End(nullptr); }
void Queue::Fail(std::exception_ptr error) { state_->End(std::move(error)); }

bool Queue::closed() const {
  const std::lock_guard lock(state_->mutex);
  return state_->closed;
}

int64_t Queue::size() const {
  const std::lock_guard lock(state_->mutex);
  return static_cast<int64_t>(state_->elements.size());
}

int64_t Queue::capacity() const { return state_->capacity; }
const ElementSpec& Queue::spec() const { return state_->spec; }
SourceLocation Queue::where() const { return state_->where; }

}  // namespace replicator::data
