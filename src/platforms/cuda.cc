#include "platforms/all.h"

namespace replicator::platforms {

const Platform& Cuda() {
  static const Platform platform{
      .name = "cuda",
      .aliases = {"gpu", "nvidia"},
      .plugin_files = {"jax_cuda13_pjrt/xla_cuda_plugin.so", "jax_plugins/xla_cuda13/xla_cuda_plugin.so",
                       "jax_cuda12_pjrt/xla_cuda_plugin.so", "jax_plugins/xla_cuda12/xla_cuda_plugin.so"},
      .legalisation = "gpu",
      .fast_loops = true,
      .compile_overrides = {},
      .prepare = [](Purpose) {},
      .client_options = [](const DeviceRequest& request) { return GpuClientOptions("CUDA", request); },
  };
  return platform;
}

}  // namespace replicator::platforms
