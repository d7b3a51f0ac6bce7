#include "pjrt/launch_window.h"

#include <algorithm>

namespace replicator::pjrt {

void LaunchWindow::Acquire(std::span<const int> devices) {
  std::unique_lock lock(mutex_);
  if (!HasSlots(devices) || IsBehind(devices, waiters_.cend())) {
    const auto self = waiters_.insert(waiters_.end(), devices);
    changed_.wait(lock, [&] { return HasSlots(devices) && !IsBehind(devices, self); });
    waiters_.erase(self);
    if (!waiters_.empty()) changed_.notify_all();
  }
  for (int device : devices) ++in_flight_[static_cast<size_t>(device)];
}

void LaunchWindow::Release(std::span<const int> devices) {
  const std::lock_guard lock(mutex_);
  for (int device : devices) --in_flight_[static_cast<size_t>(device)];
  if (!waiters_.empty() || drainers_ > 0) changed_.notify_all();
}

void LaunchWindow::Drain() {
  std::unique_lock lock(mutex_);
  ++drainers_;
  changed_.wait(lock, [&] { return std::all_of(in_flight_.begin(), in_flight_.end(), [](int n) { return n == 0; }); });
  --drainers_;
}

int LaunchWindow::in_flight(int device) const {
  const std::lock_guard lock(mutex_);
  return in_flight_[static_cast<size_t>(device)];
}

int LaunchWindow::num_waiting() const {
  const std::lock_guard lock(mutex_);
  return static_cast<int>(waiters_.size());
}

bool LaunchWindow::HasSlots(std::span<const int> devices) const {
  return std::all_of(devices.begin(), devices.end(),
                     [&](int device) { return in_flight_[static_cast<size_t>(device)] < kMaxInFlight; });
}

bool LaunchWindow::IsBehind(std::span<const int> devices, Waiters::const_iterator self) const {
  return std::any_of(waiters_.cbegin(), self, [&](std::span<const int> earlier) {
    return std::find_first_of(earlier.begin(), earlier.end(), devices.begin(), devices.end()) != earlier.end();
  });
}

}  // namespace replicator::pjrt
