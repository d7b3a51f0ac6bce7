#include "replicator/graph/rematerialised.h"

namespace replicator {
namespace {

thread_local std::shared_ptr<const RematerialisedCall> current_call;

}  // namespace

RematerialisedScope::RematerialisedScope() {
  current_call = std::make_shared<const RematerialisedCall>(RematerialisedCall{current_call});
}
RematerialisedScope::~RematerialisedScope() { current_call = current_call->outer; }
const std::shared_ptr<const RematerialisedCall>& RematerialisedScope::Current() { return current_call; }
bool RematerialisedScope::IsOpen(const RematerialisedCall& call) {
  for (const RematerialisedCall* open = current_call.get(); open != nullptr; open = open->outer.get()) {
    if (open == &call) return true;
  }
  return false;
}

}  // namespace replicator
