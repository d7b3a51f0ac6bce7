// What an input function is told about the part of the job that its pipeline feeds.
#pragma once

#include <cstdint>

#include "replicator/base/source_location.h"

namespace replicator::data {

// How many pipelines feed the replicas of one job; the input function is called once for each.
enum class InputReplicationMode {
  kSingle,      // one pipeline feeds every replica
  kPerWorker,   // one pipeline per process feeds its local replicas (the default)
  kPerReplica,  // one pipeline per replica
};

// Pipeline `input_pipeline_id` of `num_input_pipelines` feeds replicas [first_replica, first_replica +
// num_replicas_in_pipeline) of the `num_replicas_in_sync` that step together. Together the pipelines feed each replica
// once. The defaults describe one pipeline for one replica.
//
// A job may consist of several groups of replicas, which step at their own pace (asynchronous training): all of these
// numbers count within one group, `sync_group` of `num_sync_groups` groups of equal size. Shard deals over the replicas
// of all groups, so that no two groups read the same examples.
struct InputContext {
  int64_t input_pipeline_id = 0;
  int64_t num_input_pipelines = 1;
  int64_t num_replicas_in_sync = 1;
  int64_t first_replica = 0;
  int64_t num_replicas_in_pipeline = 1;
  int64_t sync_group = 0;
  int64_t num_sync_groups = 1;

  // The context of one pipeline when the replicas are dealt to the pipelines in order and as evenly as possible. Throws
  // Error(kInvalidArgument) unless 0 <= pipeline < num_pipelines <= num_replicas.
  static InputContext ForPipeline(int64_t pipeline, int64_t num_pipelines, int64_t num_replicas,
                                  SourceLocation where = SourceLocation::current());

  // The same pipeline in group `sync_group` of `num_sync_groups`. Throws Error(kInvalidArgument) unless 0 <= sync_group
  // < num_sync_groups.
  InputContext InSyncGroup(int64_t sync_group, int64_t num_sync_groups,
                           SourceLocation where = SourceLocation::current()) const;

  // Examples per replica where one step of one group takes `global_batch_size`. Throws Error(kInvalidArgument), naming
  // the nearest sizes that would do, unless it is positive and divisible by num_replicas_in_sync.
  int64_t PerReplicaBatchSize(int64_t global_batch_size, SourceLocation where = SourceLocation::current()) const;

  // Throws Error(kInvalidArgument) unless the numbers fit together as described above.
  void Validate(SourceLocation where = SourceLocation::current()) const;

  friend bool operator==(const InputContext&, const InputContext&) = default;
};

}  // namespace replicator::data

namespace replicator {
using data::InputContext;
using data::InputReplicationMode;
}  // namespace replicator
