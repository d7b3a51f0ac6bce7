#include "replicator/runtime/session.h"

#include <algorithm>
#include <utility>

#include "replicator/base/error.h"
#include "runtime/engine.h"
#include "runtime/fetched_state.h"

namespace replicator {

std::shared_ptr<Engine> Session::engine() const {
  const std::lock_guard lock(mutex_);
  return engine_;
}

std::shared_ptr<Engine> Session::Attached() const {
  const std::lock_guard lock(mutex_);
  if (engine_ != nullptr) return engine_;
  throw Error(ErrorCode::kFailedPrecondition, detached_
                                                  ? "the session was released by Shutdown; Init it again to use it"
                                                  : "the session has no replicator yet; call replicator.Init(session)");
}

void Session::Attach(std::shared_ptr<Engine> engine) {
  {
    const std::lock_guard lock(mutex_);
    if (engine_ != nullptr && engine_ != engine) {
      throw Error(ErrorCode::kFailedPrecondition,
                  "the session belongs to another replicator; Shutdown that one first, or use a session for each");
    }
  }
  engine->Initialise();
  const std::lock_guard lock(mutex_);
  engine_ = std::move(engine);
}

void Session::Detach() {
  std::shared_ptr<Engine> engine;
  {
    const std::lock_guard lock(mutex_);
    if (engine_ == nullptr) return;
    engine = std::exchange(engine_, nullptr);
    detached_ = true;
  }
  engine->Wait();
}

std::vector<Fetched> Session::Run(const std::vector<Fetch>& fetches) {
  const std::shared_ptr<Engine> engine = Attached();
  std::vector<int> steps;
  for (const Fetch& fetch : fetches) {
    const FetchNode* node = fetch.node().get();
    if (node == nullptr) {
      throw Error(ErrorCode::kInvalidArgument, "a fetch is undefined; Replicator::Run and Reduce return defined ones");
    }
    if (node->engine.lock() != engine) {
      throw Error(ErrorCode::kInvalidArgument, "a fetch belongs to a step of another replicator");
    }
    steps.push_back(node->step);
  }
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  const auto results = engine->Execute(steps);
  std::vector<Fetched> fetched;
  fetched.reserve(fetches.size());
  for (const Fetch& fetch : fetches) {
    fetched.emplace_back(std::make_shared<Fetched::State>(fetch.node(), results.at(fetch.node()->step)));
  }
  return fetched;
}

void Session::Wait() { Attached()->Wait(); }

Literal Session::Read(const Variable& variable) { return Attached()->ReadAggregate(variable.def()); }

Literal Session::ReadReplica(const Variable& variable, int replica) {
  return Attached()->ReadVariable(variable.def(), replica);
}

void Session::Write(const Variable& variable, const Literal& value) {
  Attached()->WriteVariable(variable.def(), value);
}

}  // namespace replicator
