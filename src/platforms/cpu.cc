#include "platforms/all.h"

namespace replicator::platforms {

const Platform& Cpu() {
  static const Platform platform{
      .name = "cpu",
      .aliases = {"host"},
      .plugin_files = {"xla_cpu_pjrt/xla_cpu_pjrt.so"},
      .legalisation = "cpu",
      // Convolutions and what precedes them are not optimised across the borders of a loop.
      .fast_loops = false,
      // By default XLA:CPU's maximum and minimum drop a NaN that StableHLO's must pass on; and its XNNPACK fusions wait
      // for threads of the pool in which the collectives of other replicas block, which can end in a deadlock
      // (docs/impl.md, "Collectives on XLA:CPU").
      .compile_overrides = {{"xla_cpu_enable_fast_min_max", false}, {"xla_cpu_use_xnnpack", false}},
      .prepare = [](Purpose) {},
      .client_options = [](const DeviceRequest& request) -> pjrt::Options {
        return {{"cpu_device_count", int64_t{request.num_devices}}};
      },
  };
  return platform;
}

}  // namespace replicator::platforms
