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

}  // namespace replicator
