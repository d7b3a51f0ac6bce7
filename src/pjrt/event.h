// The completion of asynchronous work of a plugin.
#pragma once

#include <exception>
#include <functional>
#include <utility>

struct PJRT_Api;
struct PJRT_Event;

namespace replicator::pjrt {

// Owns one event; movable. An event may be awaited or asked from one thread at a time. It may outlive the client.
class Event {
 public:
  // Already complete, without an error.
  Event() = default;
  // Takes ownership.
  Event(const PJRT_Api* api, PJRT_Event* event) : api_(api), event_(event) {}
  Event(Event&& other) noexcept : api_(other.api_), event_(std::exchange(other.event_, nullptr)) {}
  Event& operator=(Event&& other) noexcept {
    std::swap(api_, other.api_);
    std::swap(event_, other.event_);
    return *this;
  }
  ~Event() {
    if (event_ != nullptr) Destroy();
  }

  // Complete, successfully or not.
  bool IsReady() const;
  // Waits; throws the Error with which the work failed. May be called again, with the same outcome.
  void Await() const;
  // Calls `callback` once, with the Error or null: at once if complete, else from a thread of the plugin, where it must
  // neither block nor throw. The event itself may be destroyed before.
  void OnReady(std::function<void(std::exception_ptr)> callback) const;

 private:
  void Destroy() noexcept;

  const PJRT_Api* api_ = nullptr;
  PJRT_Event* event_ = nullptr;
};

}  // namespace replicator::pjrt
