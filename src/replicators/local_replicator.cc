#include "replicator/replicators/local_replicator.h"

#include "runtime/engine.h"

namespace replicator {

LocalReplicator::LocalReplicator(const LocalReplicatorOptions& options)
    : Replicator(Engine::Create({.platform = options.platform,
                                 .plugin_path = options.plugin_path,
                                 .num_replicas = options.num_replicas,
                                 .seed = options.seed,
                                 .cache_dir = options.cache_dir})) {}

MultiGpuReplicator::MultiGpuReplicator(const MultiGpuReplicatorOptions& options)
    : LocalReplicator({.platform = "cuda", .num_replicas = options.num_gpus, .seed = options.seed}) {}

}  // namespace replicator
