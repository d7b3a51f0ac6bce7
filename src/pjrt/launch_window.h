// Bounds the launches in flight on each device of a client, and keeps gangs whole.
#pragma once

#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace replicator::pjrt {

// XLA:CPU deadlocks when more than about 32 launches of a collective program are in flight on a device: a further one
// blocks the pool thread on which a peer replica of an earlier one has yet to run. So each launch first takes one slot
// on all of its devices at once (a gang that held some and waited for others could wait for ever), and gives them back
// when it has completed. Waiters that share a device proceed in the order of their arrival; others pass them by.
// Thread-safe. Release never blocks for long and may be called from a thread of a plugin.
class LaunchWindow {
 public:
  static constexpr int kMaxInFlight = 16;

  explicit LaunchWindow(int num_devices) : in_flight_(static_cast<size_t>(num_devices), 0) {}

  // Waits until each device (by index) has fewer than kMaxInFlight launches in flight, then counts one more on each.
  void Acquire(std::span<const int> devices);
  void Release(std::span<const int> devices);
  // Waits until nothing is in flight.
  void Drain();
  // Launches in flight on a device.
  int in_flight(int device) const;
  // Launches that wait for slots.
  int num_waiting() const;

  // Held by a multi-device launch while it is enqueued, so that every device sees the gangs in the same order. Nothing
  // waits while holding it: Acquire comes first.
  std::mutex& gang_mutex() { return gang_mutex_; }

 private:
  using Waiters = std::list<std::span<const int>>;
  // Both require mutex_.
  bool HasSlots(std::span<const int> devices) const;
  bool IsBehind(std::span<const int> devices, Waiters::const_iterator self) const;

  std::mutex gang_mutex_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<int> in_flight_;  // guarded by mutex_
  Waiters waiters_;             // guarded by mutex_; in the order of arrival
  int drainers_ = 0;            // guarded by mutex_
};

}  // namespace replicator::pjrt
