#include "runtime/device_grid.h"

#include <utility>

#include "replicator/base/error.h"

namespace replicator {

DeviceGrid::DeviceGrid(std::shared_ptr<pjrt::Client> client, int num_replicas, int num_logical_devices)
    : client_(std::move(client)), num_replicas_(num_replicas), num_logical_devices_(num_logical_devices) {
  const auto available = static_cast<int64_t>(client_->devices().size());
  const int64_t needed = int64_t{num_replicas} * num_logical_devices;
  if (num_replicas >= 1 && num_logical_devices >= 1 && needed <= available) return;
  std::string asked = std::to_string(num_replicas) + " replicas";
  if (num_logical_devices != 1) asked += " of " + std::to_string(num_logical_devices) + " logical devices";
  throw Error(ErrorCode::kInvalidArgument, asked + " were asked for, but " + client_->platform_name() + " has " +
                                               std::to_string(available) + " devices; ask for 1 to " +
                                               std::to_string(available) + " in all");
}

std::vector<int> DeviceGrid::Assignment(int logical_device, int num_replicas) const {
  std::vector<int> ids;
  if (num_logical_devices_ == 1) return ids;
  for (int r = 0; r < num_replicas; ++r) ids.push_back(At(r, logical_device).id());
  return ids;
}

}  // namespace replicator
