// Which devices the replicas own.
#pragma once

#include <memory>
#include <vector>

#include "pjrt/client.h"

namespace replicator {

// With L logical devices, replica r owns the devices r*L to r*L + L-1 of the client. Immutable.
class DeviceGrid {
 public:
  // Throws Error(kInvalidArgument) for counts below 1, or where the client has fewer devices.
  DeviceGrid(std::shared_ptr<pjrt::Client> client, int num_replicas, int num_logical_devices = 1);

  int num_replicas() const { return num_replicas_; }
  int num_logical_devices() const { return num_logical_devices_; }
  const std::shared_ptr<pjrt::Client>& client() const { return client_; }
  const pjrt::Device& At(int replica, int logical_device) const {
    return client_->devices()[static_cast<size_t>(replica * num_logical_devices_ + logical_device)];
  }

  // For pjrt::CompileOptions: the first `num_replicas` replicas' devices of that number. Empty where the plugin's own
  // assignment is the same.
  std::vector<int> Assignment(int logical_device, int num_replicas) const;

 private:
  std::shared_ptr<pjrt::Client> client_;
  int num_replicas_;
  int num_logical_devices_;
};

}  // namespace replicator
