// Replicas on the devices of this machine.
#pragma once

#include <cstdint>
#include <string>

#include "replicator/replicators/replicator.h"

namespace replicator {

struct LocalReplicatorOptions {
  std::string platform = "cpu";  // "cpu", "cuda", "rocm", "tpu"
  int num_replicas = 1;          // synchronous
  uint64_t seed = 0;             // of initial values and random draws
  std::string plugin_path = {};  // empty: found by name (docs/errors.md tells where)
  std::string cache_dir = {};    // of compiled executables; empty: $REPLICATOR_CACHE_DIR, or none
  // Model parallelism (replicator/graph/logical_device.h): with L of them, replica r owns the devices r*L to r*L + L-1.
  int num_logical_devices_per_replica = 1;
};

// Throws Error: kNotFound for a missing plugin, kInvalidArgument for an unknown platform, or where the machine has too
// few devices. (The CPU has as many as are asked for.)
class LocalReplicator : public Replicator {
 public:
  explicit LocalReplicator(const LocalReplicatorOptions& options);
};

struct MultiGpuReplicatorOptions {
  int num_gpus = 1;
  uint64_t seed = 0;
  int num_gpus_per_replica = 1;  // logical devices; divides num_gpus
};

// LocalReplicator on NVIDIA GPUs. Throws Error(kInvalidArgument) also for GPUs that do not divide into replicas.
class MultiGpuReplicator : public LocalReplicator {
 public:
  explicit MultiGpuReplicator(const MultiGpuReplicatorOptions& options);
};

}  // namespace replicator
