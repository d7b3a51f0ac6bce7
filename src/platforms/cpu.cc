#include "platforms/all.h"

namespace replicator::platforms {

const Platform& Cpu() {
  static const Platform platform{
      .name = "cpu",
      .aliases = {"host"},
      .plugin_files = {"xla_cpu_pjrt/xla_cpu_pjrt.so"},
      .legalisation = "cpu",
      .compile_overrides = {},
      .prepare = [](Purpose) {},
      .client_options = [](const DeviceRequest& request) -> pjrt::Options {
        return {{"cpu_device_count", int64_t{request.num_devices}}};
      },
  };
  return platform;
}

}  // namespace replicator::platforms
