#include "runtime/engine.h"

#include <algorithm>
#include <cstdlib>

#include "platforms/platform.h"
#include "replicator/base/error.h"
#include "runtime/async_engine.h"
#include "runtime/local_engine.h"

namespace replicator {
namespace {

LoweringTarget TargetOf(const platforms::Platform& platform) {
  if (platform.legalisation == "gpu") return LoweringTarget::kGpu;
  if (platform.legalisation == "tpu") return LoweringTarget::kTpu;
  return LoweringTarget::kCpu;
}

std::shared_ptr<pjrt::Client> CreateClient(const EngineOptions& options) {
  try {
    return platforms::CreateClient({.platform = options.platform,
                                    .plugin_path = options.plugin_path,
                                    .num_devices = options.num_replicas * options.num_logical_devices_per_replica *
                                                   std::max(1, options.async.num_sync_groups)});
  } catch (const Error& error) {
    // kOutOfRange is the end of the input, everywhere in this room.
    if (error.code() != ErrorCode::kOutOfRange) throw;
    throw Error(ErrorCode::kInvalidArgument,
                error.message() + "; " +
                    (options.num_logical_devices_per_replica == 1
                         ? "each replica needs one"
                         : "each of the " + std::to_string(options.num_replicas) + " replicas needs " +
                               std::to_string(options.num_logical_devices_per_replica)),
                error.where());
  }
}

}  // namespace

std::shared_ptr<Engine> Engine::Create(const EngineOptions& options) {
  EngineOptions chosen = options;
  if (chosen.num_replicas < 1) {
    throw Error(ErrorCode::kInvalidArgument,
                "num_replicas must be at least 1, but is " + std::to_string(chosen.num_replicas));
  }
  constexpr int kMostDevices = 1 << 20;  // of one machine: their product is an int
  if (chosen.num_logical_devices_per_replica < 1 ||
      chosen.num_logical_devices_per_replica > kMostDevices / chosen.num_replicas) {
    throw Error(ErrorCode::kInvalidArgument,
                "num_logical_devices_per_replica must be at least 1 and suit a machine's devices, but is " +
                    std::to_string(chosen.num_logical_devices_per_replica));
  }
  if (const char* directory = std::getenv("REPLICATOR_CACHE_DIR"); directory != nullptr && chosen.cache_dir.empty()) {
    chosen.cache_dir = directory;
  }
  const platforms::Platform& platform = platforms::FindPlatform(chosen.platform);
  chosen.fast_loops = platform.fast_loops;
  const CompileTarget target{.lowering = TargetOf(platform), .overrides = platform.compile_overrides};
  if (chosen.async.num_sync_groups == 0) return std::make_shared<LocalEngine>(chosen, CreateClient(chosen), target);
  if (chosen.async.num_sync_groups < 0 || chosen.async.num_sync_groups > kMostDevices / chosen.num_replicas) {
    throw Error(ErrorCode::kInvalidArgument,
                "num_sync_groups must be at least 1 and suit a machine's devices, but is " +
                    std::to_string(chosen.async.num_sync_groups));
  }
  return std::make_shared<AsyncEngine>(chosen, CreateClient(chosen), target);
}

}  // namespace replicator
