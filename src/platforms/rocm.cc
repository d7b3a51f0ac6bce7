#include "platforms/all.h"

namespace replicator::platforms {

const Platform& Rocm() {
  static const Platform platform{
      .name = "rocm",
      .aliases = {"amd"},
      .plugin_files = {"jax_rocm7_pjrt/xla_rocm_plugin.so", "jax_plugins/xla_rocm7/xla_rocm_plugin.so"},
      .legalisation = "gpu",
      .fast_loops = true,
      .compile_overrides = {},
      .prepare = [](Purpose) {},
      .client_options = [](const DeviceRequest& request) { return GpuClientOptions("ROCM", request); },
  };
  return platform;
}

}  // namespace replicator::platforms
