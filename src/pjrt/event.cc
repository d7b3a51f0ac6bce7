#include "pjrt/event.h"

#include <memory>

#include "pjrt/c_api.h"

namespace replicator::pjrt {
namespace {

constexpr char kContext[] = "the asynchronous work";

struct Pending {
  const PJRT_Api* api;
  std::function<void(std::exception_ptr)> callback;
};

std::exception_ptr TakeError(const PJRT_Api* api, PJRT_Error* error) {
  if (error == nullptr) return nullptr;
  try {
    ThrowError(api, error, kContext);
  } catch (...) {
    return std::current_exception();
  }
}

void Notify(PJRT_Error* error, void* argument) {
  const PluginCallbackScope scope;
  const std::unique_ptr<Pending> pending(static_cast<Pending*>(argument));
  pending->callback(TakeError(pending->api, error));
}

}  // namespace

void Event::Destroy() noexcept {
  REPLICATOR_PJRT_ARGS(PJRT_Event_Destroy, args);
  args.event = event_;
  REPLICATOR_PJRT_CALL_QUIETLY(api_, PJRT_Event_Destroy, args);
}

bool Event::IsReady() const {
  if (event_ == nullptr) return true;
  REPLICATOR_PJRT_ARGS(PJRT_Event_IsReady, args);
  args.event = event_;
  REPLICATOR_PJRT_CALL(api_, PJRT_Event_IsReady, args);
  return args.is_ready;
}

void Event::Await() const {
  if (event_ == nullptr) return;
  REPLICATOR_PJRT_ARGS(PJRT_Event_Await, args);
  args.event = event_;
  Call(api_, &PJRT_Api::PJRT_Event_Await, kContext, &args);
}

void Event::OnReady(std::function<void(std::exception_ptr)> callback) const {
  if (event_ == nullptr) {
    callback(nullptr);
    return;
  }
  auto pending = std::make_unique<Pending>(Pending{api_, std::move(callback)});
  REPLICATOR_PJRT_ARGS(PJRT_Event_OnReady, args);
  args.event = event_;
  args.callback = &Notify;
  args.user_arg = pending.get();
  REPLICATOR_PJRT_CALL(api_, PJRT_Event_OnReady, args);
  [[maybe_unused]] Pending* const owned = pending.release();  // by Notify, which has run or will
}

}  // namespace replicator::pjrt
