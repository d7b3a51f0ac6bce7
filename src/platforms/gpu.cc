// What the GPU platforms share.
#include <numeric>

#include "platforms/all.h"
#include "replicator/base/error.h"

namespace replicator::platforms {

pjrt::Options GpuClientOptions(const std::string& xla_name, const DeviceRequest& request) {
  // Only the devices asked for, so that the memory of the others stays free for other programs.
  std::vector<int64_t> visible(static_cast<size_t>(request.num_devices));
  std::iota(visible.begin(), visible.end(), int64_t{0});
  pjrt::Options options = {{"platform_name", xla_name}, {"visible_devices", std::move(visible)}};
  if (request.memory_fraction.has_value()) {
    const double fraction = *request.memory_fraction;
    if (!(fraction > 0 && fraction <= 1)) {
      throw Error(ErrorCode::kInvalidArgument,
                  "memory_fraction is " + std::to_string(fraction) + ", but it must be above 0 and at most 1");
    }
    options["memory_fraction"] = fraction;
  }
  if (request.preallocate.has_value()) options["preallocate"] = *request.preallocate;
  return options;
}

}  // namespace replicator::platforms
