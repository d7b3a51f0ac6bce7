#include "replicator/replicators/local_replicator.h"

#include "runtime/engine.h"

namespace replicator {
namespace {

int NumReplicas(const MultiGpuReplicatorOptions& options) {
  const int per_replica = options.num_gpus_per_replica;
  if (per_replica >= 1 && options.num_gpus % per_replica == 0) return options.num_gpus / per_replica;
  throw Error(ErrorCode::kInvalidArgument, "num_gpus is " + std::to_string(options.num_gpus) +
                                               " and num_gpus_per_replica " + std::to_string(per_replica) +
                                               "; the GPUs must divide into replicas");
}

}  // namespace

LocalReplicator::LocalReplicator(const LocalReplicatorOptions& options)
    : Replicator(Engine::Create({.platform = options.platform,
                                 .plugin_path = options.plugin_path,
                                 .num_replicas = options.num_replicas,
                                 .num_logical_devices_per_replica = options.num_logical_devices_per_replica,
                                 .seed = options.seed,
                                 .cache_dir = options.cache_dir})) {}

MultiGpuReplicator::MultiGpuReplicator(const MultiGpuReplicatorOptions& options)
    : LocalReplicator({.platform = "cuda",
                       .num_replicas = NumReplicas(options),
                       .seed = options.seed,
                       .num_logical_devices_per_replica = options.num_gpus_per_replica}) {}

}  // namespace replicator
