// What a recorded order demands next.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "store/order.h"

namespace replicator::store {

// Not thread-safe.
class Replay {
 public:
  using GroupStep = std::pair<int, int64_t>;

  explicit Replay(const Order& order) : updates_(order.updates) {
    for (const auto& members : order.updates) {
      for (const OrderedStep& member : members) Expect(member);
    }
    for (const OrderedStep& step : order.dropped) {
      Expect(step);
      dropped_.insert({step.group, step.step});
    }
  }

  // The version that the step reads; none where the recording has ended before it.
  std::optional<int64_t> ReadsVersion(GroupStep step) const {
    const auto found = reads_.find(step);
    return found == reads_.end() ? std::nullopt : std::optional(found->second);
  }
  void NoteRead(int64_t version) { --readers_left_[version]; }
  bool IsDropped(GroupStep step) const { return dropped_.contains(step); }
  // The members of the update that makes `version` the next one, once everybody who is to read `version` has; else
  // null.
  const std::vector<OrderedStep>* NextUpdate(int64_t version) const {
    if (version >= static_cast<int64_t>(updates_.size())) return nullptr;
    const auto left = readers_left_.find(version);
    return left != readers_left_.end() && left->second > 0 ? nullptr : &updates_[static_cast<size_t>(version)];
  }
  // A step of the group, from number `next` on, that the recording still expects.
  std::optional<int64_t> Expects(int group, int64_t next) const {
    const auto found = reads_.lower_bound({group, next});
    return found != reads_.end() && found->first.first == group ? std::optional(found->first.second) : std::nullopt;
  }

 private:
  void Expect(const OrderedStep& step) {
    reads_[{step.group, step.step}] = step.read;
    ++readers_left_[step.read];
  }

  const std::vector<std::vector<OrderedStep>> updates_;
  std::map<GroupStep, int64_t> reads_;
  std::map<int64_t, int64_t> readers_left_;  // by version
  std::set<GroupStep> dropped_;
};

}  // namespace replicator::store
