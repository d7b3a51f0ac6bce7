// Groups of replicas that train the same variables without waiting for one another.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "replicator/graph/device_scope.h"
#include "replicator/replicators/replicator.h"
#include "replicator/store/policy.h"
#include "replicator/store/staleness.h"

namespace replicator {

struct MultiWorkerAsyncReplicatorOptions {
  std::string platform = "cpu";
  int num_sync_groups = 1;       // each with devices of its own
  int num_replicas_in_sync = 1;  // of each group; they step together
  uint64_t seed = 0;
  Consistency consistency = Consistency::kSnapshot;
  AsyncPolicy policy = AsyncPolicy::Unbounded();
  // Updates of the variables since the beginning, those before a resume included; exact. 0: no limit. A step that would
  // exceed it throws OutOfRange, like one at the end of its input.
  int64_t max_steps = 0;
  // Files: the order of reads and updates is recorded in the one, or forced to be that of the other, so that equal
  // programs give equal variables bit for bit. kSnapshot only.
  std::string record_order = {};
  std::string replay_order = {};
  // For experiments: seconds by which the gradient of a group's step (counted from 0) comes later than it would.
  std::function<double(int sync_group, int64_t step)> simulated_delay = nullptr;
  std::string plugin_path = {};  // as LocalReplicatorOptions
  std::string cache_dir = {};
};

struct RunGroupsOptions {
  // Called after each step of a group, in its thread.
  std::function<void(int sync_group, const Fetched& result)> on_step = nullptr;
};

// The step function is that of any other replicator; it is called once for each replica in sync. A step computes on the
// variables as its group has read them; what it gives to an optimizer, to Variable::AssignAdd, or to batch norm's
// moving statistics is pushed to the shared store, which computes the new values from its own present ones
// (docs/semantics.md, "Asynchronous groups").
//
// Session::Run returns when the step's update has been applied. It may be called from any number of threads: the i-th
// one belongs to group i mod num_sync_groups, unless a DeviceScope says otherwise. With the unbounded policy several
// threads may share a group, as in `num_sync_groups = 1` and N threads.
class MultiWorkerAsyncReplicator : public Replicator {
 public:
  // Throws as LocalReplicator; Error(kInvalidArgument) for a policy that needs more groups than there are.
  explicit MultiWorkerAsyncReplicator(const MultiWorkerAsyncReplicatorOptions& options);

  int num_sync_groups() const;
  int num_replicas_in_sync() const { return num_replicas(); }

  // Runs `fetch` in one thread for each group until the group's input ends, max_steps is reached, or (where `session`
  // is a MonitoredSession) it should stop; returns when all have. A group whose input ends does not stop the others.
  // An Error in one thread ends all, and is thrown. Returns statistics().
  AsyncStatistics RunGroups(Session& session, const Fetch& fetch, const RunGroupsOptions& options = {});

  AsyncStatistics statistics() const;
};

}  // namespace replicator
