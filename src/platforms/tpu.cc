#include <cstdlib>

#include "platforms/all.h"

namespace replicator::platforms {
namespace {

// Without a TPU, libtpu's initialisation would ask the cloud's metadata server for minutes, and a second process would
// be refused by a lock file. Any topology may be asked for, whatever the accelerator type says. On a machine with TPUs
// the environment is right as it is.
void Prepare(Purpose purpose) {
  if (purpose == Purpose::kRun) return;
  setenv("TPU_SKIP_MDS_QUERY", "1", /*overwrite=*/0);
  setenv("TPU_ACCELERATOR_TYPE", "v3-8", 0);
  setenv("TPU_WORKER_HOSTNAMES", "localhost", 0);
  setenv("TPU_WORKER_ID", "0", 0);
  setenv("ALLOW_MULTIPLE_LIBTPU_LOAD", "1", 0);
}

}  // namespace

const Platform& Tpu() {
  static const Platform platform{
      .name = "tpu",
      .aliases = {},
      .plugin_files = {"libtpu/libtpu.so"},
      .legalisation = "tpu",
      .fast_loops = true,
      .compile_overrides = {},
      .prepare = &Prepare,
      .client_options = [](const DeviceRequest&) -> pjrt::Options { return {}; },
  };
  return platform;
}

}  // namespace replicator::platforms
