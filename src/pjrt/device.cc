#include "pjrt/device.h"

#include "pjrt/c_api.h"
#include "pjrt/named_values.h"
#include "replicator/base/error.h"

namespace replicator::pjrt {
namespace {

PJRT_DeviceDescription* GetDescription(const PJRT_Api* api, PJRT_Device* device) {
  REPLICATOR_PJRT_ARGS(PJRT_Device_GetDescription, args);
  args.device = device;
  REPLICATOR_PJRT_CALL(api, PJRT_Device_GetDescription, args);
  return args.device_description;
}

std::optional<int64_t> If(bool is_set, int64_t value) { return is_set ? std::optional(value) : std::nullopt; }

}  // namespace

DeviceDescription Describe(const PJRT_Api* api, PJRT_DeviceDescription* description) {
  DeviceDescription result;
  REPLICATOR_PJRT_ARGS(PJRT_DeviceDescription_Id, id);
  id.device_description = description;
  REPLICATOR_PJRT_CALL(api, PJRT_DeviceDescription_Id, id);
  result.id = id.id;
  REPLICATOR_PJRT_ARGS(PJRT_DeviceDescription_ProcessIndex, process);
  process.device_description = description;
  REPLICATOR_PJRT_CALL(api, PJRT_DeviceDescription_ProcessIndex, process);
  result.process_index = process.process_index;
  REPLICATOR_PJRT_ARGS(PJRT_DeviceDescription_Kind, kind);
  kind.device_description = description;
  REPLICATOR_PJRT_CALL(api, PJRT_DeviceDescription_Kind, kind);
  result.kind.assign(kind.device_kind, kind.device_kind_size);
  REPLICATOR_PJRT_ARGS(PJRT_DeviceDescription_ToString, name);
  name.device_description = description;
  REPLICATOR_PJRT_CALL(api, PJRT_DeviceDescription_ToString, name);
  result.name.assign(name.to_string, name.to_string_size);
  REPLICATOR_PJRT_ARGS(PJRT_DeviceDescription_Attributes, attributes);
  attributes.device_description = description;
  REPLICATOR_PJRT_CALL(api, PJRT_DeviceDescription_Attributes, attributes);
  result.attributes = FromNamedValues({attributes.attributes, attributes.num_attributes});
  return result;
}

Device::Device(const PJRT_Api* api, PJRT_Device* device, int index)
    : api_(api), device_(device), index_(index), description_(Describe(api, GetDescription(api, device))) {}

std::optional<DeviceMemoryStats> Device::MemoryStats() const {
  REPLICATOR_PJRT_ARGS(PJRT_Device_MemoryStats, args);
  args.device = device_;
  try {
    REPLICATOR_PJRT_CALL(api_, PJRT_Device_MemoryStats, args);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kUnimplemented) return std::nullopt;
    throw;
  }
  return DeviceMemoryStats{.bytes_in_use = args.bytes_in_use,
                           .peak_bytes_in_use = If(args.peak_bytes_in_use_is_set, args.peak_bytes_in_use),
                           .bytes_limit = If(args.bytes_limit_is_set, args.bytes_limit)};
}

}  // namespace replicator::pjrt
