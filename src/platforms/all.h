// One function per platform, each in the file of its name.
#pragma once

#include "platforms/platform.h"

namespace replicator::platforms {

const Platform& Cpu();
const Platform& Cuda();
const Platform& Rocm();
const Platform& Tpu();

// The client options that all GPU plugins of XLA share. `xla_name`: XLA's own name of the platform.
pjrt::Options GpuClientOptions(const std::string& xla_name, const DeviceRequest& request);

}  // namespace replicator::platforms
