// One device of a client or of a topology.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "pjrt/options.h"

struct PJRT_Api;
struct PJRT_Device;
struct PJRT_DeviceDescription;

namespace replicator::pjrt {

// What is known of a device without having it.
struct DeviceDescription {
  int id = 0;             // unique over all processes of a client
  int process_index = 0;  // the process that can use it
  std::string kind;       // "cpu", "NVIDIA H200", "TPU v3", ...
  std::string name;       // for a person: "CpuDevice(id=0)"
  Options attributes;     // "coords", "core_on_chip", ...
};

DeviceDescription Describe(const PJRT_Api* api, PJRT_DeviceDescription* description);

// Bytes. Absent where the plugin does not say.
struct DeviceMemoryStats {
  int64_t bytes_in_use = 0;
  std::optional<int64_t> peak_bytes_in_use;
  std::optional<int64_t> bytes_limit;
};

// A device that this process can use. Owned by its client; compare by address. Thread-safe.
class Device {
 public:
  Device(const PJRT_Api* api, PJRT_Device* device, int index);

  int id() const { return description_.id; }
  // Position in Client::devices().
  int index() const { return index_; }
  const DeviceDescription& description() const { return description_; }
  // None where the plugin keeps no account, as on CPU.
  std::optional<DeviceMemoryStats> MemoryStats() const;
  PJRT_Device* raw() const { return device_; }

 private:
  const PJRT_Api* api_;
  PJRT_Device* device_;
  int index_;
  DeviceDescription description_;
};

}  // namespace replicator::pjrt
