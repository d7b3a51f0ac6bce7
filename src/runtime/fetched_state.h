// What a Fetched shares: the results it reads and the expression it computes from them.
#pragma once

#include <exception>
#include <memory>
#include <mutex>
#include <optional>

#include "runtime/fetch_node.h"
#include "runtime/step.h"

namespace replicator {

// Thread-safe.
class Fetched::State {
 public:
  State(std::shared_ptr<const FetchNode> node, std::shared_ptr<Engine::Step> step)
      : node_(std::move(node)), step_(std::move(step)) {}
  // A result that there is not: reading it throws `failure`.
  State(std::shared_ptr<const FetchNode> node, std::exception_ptr failure)
      : node_(std::move(node)), failure_(std::move(failure)) {}

  const FetchNode& node() const { return *node_; }
  // One value for all replicas.
  bool single() const {
    return node_->combine != FetchNode::Combine::kNone || node_->result.typing == Typing::kReplicated ||
           node_->num_replicas == 1;
  }
  void Wait() {
    if (failure_ != nullptr) std::rethrow_exception(failure_);
    step_->Wait();
  }
  // Waits. 0 <= replica < num_replicas.
  Literal Value(int replica);

 private:
  const std::shared_ptr<const FetchNode> node_;
  const std::shared_ptr<Engine::Step> step_;
  const std::exception_ptr failure_;
  std::mutex mutex_;
  std::optional<Literal> combined_;  // guarded by mutex_
};

}  // namespace replicator
