// Replicas on the devices of this machine.
#pragma once

#include <cstdint>
#include <string>

#include "replicator/replicators/replicator.h"

namespace replicator {

struct LocalReplicatorOptions {
  std::string platform = "cpu";  // "cpu", "cuda", "rocm", "tpu"
  int num_replicas = 1;          // one per device, synchronous
  uint64_t seed = 0;             // of initial values and random draws
  std::string plugin_path = {};  // empty: found by name (docs/errors.md tells where)
  std::string cache_dir = {};    // of compiled executables; empty: $REPLICATOR_CACHE_DIR, or none
};

// Throws Error: kNotFound for a missing plugin, kInvalidArgument for an unknown platform, or for more replicas than the
// machine has devices. (The CPU has as many as are asked for.)
class LocalReplicator : public Replicator {
 public:
  explicit LocalReplicator(const LocalReplicatorOptions& options);
};

struct MultiGpuReplicatorOptions {
  int num_gpus = 1;
  uint64_t seed = 0;
};

// LocalReplicator on NVIDIA GPUs.
class MultiGpuReplicator : public LocalReplicator {
 public:
  explicit MultiGpuReplicator(const MultiGpuReplicatorOptions& options);
};

}  // namespace replicator
