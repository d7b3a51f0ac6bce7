// The shared state that asynchronous groups read and update, with versions, and the policies of who waits for whom.
//
// It knows neither what the state is nor where groups run: values are opaque, and a group is a number. What computes
// new values is an Applier. So it works the same for device buffers in this process, for a test's host numbers, and
// behind a service.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "replicator/store/policy.h"
#include "replicator/store/staleness.h"

namespace replicator::store {

// The values of one cell in one version: immutable, shared by everybody who reads it.
class State {
 public:
  virtual ~State() = default;
};
using StateRef = std::shared_ptr<const State>;

// What a group computed in one step.
class Update {
 public:
  virtual ~Update() = default;
};
using UpdateRef = std::shared_ptr<const Update>;

// Makes the next version of a cell. The store calls it for one cell at a time, and for several cells (there is more
// than one with Consistency::kPerVariable) in their order.
class Applier {
 public:
  virtual ~Applier() = default;
  // `updates`: at least one, in the order of their groups; several are to be aggregated. `state` is the present
  // version: if `exclusive`, nobody else holds it or ever will, and its memory may be reused. `rate_scale`: what the
  // learning rate is to be multiplied by. Where it throws, the state counts as lost and the store stops with that
  // error.
  virtual StateRef Apply(int cell, StateRef state, bool exclusive, std::span<const UpdateRef> updates,
                         double rate_scale) = 0;
};

struct StoreOptions {
  int num_groups = 1;
  AsyncPolicy policy = AsyncPolicy::Unbounded();
  int64_t max_updates = 0;  // exact; 0: no limit
  // Files (store/order.h). Recording writes the order of reads and applications; replaying forces it, so that equal
  // updates give equal states bit for bit. Each needs a single cell and, from each group, one step at a time.
  std::string record_order = {};
  std::string replay_order = {};
};

// What a group has read for one step.
struct Reading {
  int group = 0;
  int64_t step = 0;               // the group's, counted from 0
  std::vector<int64_t> versions;  // by cell
  std::vector<StateRef> states;   // by cell
};

struct Pushed {
  enum class Outcome {
    kApplied,  // alone or as a part of an aggregated update
    kDropped,  // too late for a policy with backup workers
    kTooLate,  // max_updates had been reached, or the store had been told to end
  };
  Outcome outcome = Outcome::kApplied;
  int64_t staleness = 0;  // the largest over the cells
  int64_t update = 0;     // the number of the update it is in, counted from 1
};

// Thread-safe.
class ParameterStore {
 public:
  // `cells`: the first version (0) of each. Throws Error(kInvalidArgument) for options that cannot be right (no groups,
  // more backup gradients required than groups, an order with several cells), and what reading or creating the order's
  // file throws.
  ParameterStore(StoreOptions options, std::vector<StateRef> cells, std::shared_ptr<Applier> applier);
  ~ParameterStore();
  ParameterStore(const ParameterStore&) = delete;
  ParameterStore& operator=(const ParameterStore&) = delete;

  // Begins a step of `group`: waits as the policy (or the order that is replayed) demands, and returns the present
  // version. nullopt when max_updates has been reached, or End called; while steps in flight could still reach it, or
  // give their place back, it waits for them. A group may have several steps in flight at once if the policy is
  // unbounded and no order is recorded or replayed; otherwise that throws Error(kFailedPrecondition). Throws the error
  // of Stop.
  std::optional<Reading> Read(int group);
  // Ends it. Waits, with a policy that aggregates, until the update has been applied. Throws the error of Stop.
  Pushed Push(Reading reading, UpdateRef update);
  // The step that was begun will not be pushed: its place is free again.
  void Abandon(const Reading& reading);
  // The group begins no more steps: nobody waits for it any longer, and aggregated updates do without it. A group that
  // reads again has come back.
  void Leave(int group);

  // Read returns nullopt from now on; steps in flight may still push.
  void End();
  // Everybody who waits, and every later Read or Push, throws `error`. The first one counts.
  void Stop(std::exception_ptr error);

  // All cells at one moment, and the number of updates so far.
  std::vector<StateRef> Peek() const;
  // Replaces them: for a restored checkpoint or a variable that the user writes. `updates` is what max_updates counts
  // from. No step may be in flight: throws Error(kFailedPrecondition).
  void Replace(std::vector<StateRef> cells, int64_t updates);
  int64_t updates() const;

  AsyncStatistics statistics() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace replicator::store
