// What a Fetched shares: the results it reads and the expression it computes from them.
#pragma once

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

  const FetchNode& node() const { return *node_; }
  // One value for all replicas.
  bool single() const {
    return node_->combine != FetchNode::Combine::kNone || node_->result.typing == Typing::kReplicated ||
           node_->num_replicas == 1;
  }
  void Wait() { step_->Wait(); }
  // Waits. 0 <= replica < num_replicas.
  Literal Value(int replica);

 private:
  const std::shared_ptr<const FetchNode> node_;
  const std::shared_ptr<Engine::Step> step_;
  std::mutex mutex_;
  std::optional<Literal> combined_;  // guarded by mutex_
};

}  // namespace replicator
