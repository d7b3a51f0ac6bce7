// The store's bookkeeping: who may begin, what waits to be applied, and what has been counted.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "store/cell.h"
#include "store/order.h"
#include "store/parameter_store.h"
#include "store/replay.h"

namespace replicator::store {

// Thread-safe. Functions called Locked require mutex_.
class ParameterStore::Impl {
 public:
  Impl(StoreOptions options, std::vector<StateRef> cells, std::shared_ptr<Applier> applier);

  std::optional<Reading> Read(int group);
  Pushed Push(Reading reading, UpdateRef update);
  void Abandon(const Reading& reading);
  void Leave(int group);
  void End();
  void Stop(std::exception_ptr error);
  std::vector<StateRef> Peek() const;
  void Replace(std::vector<StateRef> cells, int64_t updates);
  int64_t updates() const;
  AsyncStatistics statistics() const;

 private:
  using Clock = std::chrono::steady_clock;

  struct Group {
    bool active = true;     // others wait for it
    int64_t clock = 0;      // of the stale-synchronous policy
    int64_t next_step = 0;  // the number of its next one
    int in_flight = 0;
    std::optional<Clock::time_point> first_read, last_push;
    GroupStatistics statistics;
  };
  // A gradient that is to be applied together with others, or in an order that is replayed.
  struct Pending {
    OrderedStep step;
    UpdateRef update;
    std::optional<Pushed> result;
  };
  using PendingRef = std::shared_ptr<Pending>;

  Group& GroupLocked(int group);
  void CheckLocked() const;  // throws the error of Stop
  bool FullLocked() const { return options_.max_updates > 0 && updates_ >= options_.max_updates; }
  // Whether the group must wait before its next step.
  bool MustWaitLocked(const Group& group, int number) const;
  // Waits until `ready`, and counts it as the group's waiting.
  template <typename Ready>
  void WaitLocked(std::unique_lock<std::mutex>& lock, Group& group, const Ready& ready);
  int64_t SlowestLocked() const;  // clock of an active group
  size_t ActiveLocked() const;
  void GiveUpLocked(Group& group);
  void EndStepLocked(const Reading& reading);

  Pushed PushAlone(std::unique_lock<std::mutex>& lock, Reading reading, UpdateRef update);
  Pushed PushTogether(std::unique_lock<std::mutex>& lock, const Reading& reading, UpdateRef update);
  // Applies what is complete, as often as something is.
  void CompleteLocked();
  // Takes the members of the next update, if all are there, from pending_.
  std::vector<PendingRef> NextMembersLocked();
  void ApplyLocked(size_t cell, std::span<const UpdateRef> updates, double rate_scale);
  double RateScale(int64_t staleness) const;
  void CountLocked(int group, int64_t staleness);
  Pushed DropLocked(const OrderedStep& step);

  const StoreOptions options_;
  const std::shared_ptr<Applier> applier_;

  mutable std::mutex mutex_;  // guards the following
  std::condition_variable changed_;
  std::deque<Cell> cells_;
  std::vector<Group> groups_;
  std::vector<PendingRef> pending_;
  int64_t updates_ = 0;
  int64_t first_update_ = 0;  // what Replace has set
  int in_flight_ = 0;
  bool ended_ = false;
  std::exception_ptr error_;
  std::map<int64_t, int64_t> staleness_;
  std::optional<OrderWriter> recorder_;
  std::optional<Replay> replay_;
};

}  // namespace replicator::store
