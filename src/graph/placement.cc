#include "graph/placement.h"

#include <string>
#include <utility>

#include "graph/build_context.h"
#include "replicator/graph/logical_device.h"

namespace replicator {
namespace {

thread_local int device_of_operations = 0;
thread_local std::optional<int> device_of_variables;

int Checked(int index, const char* scope, SourceLocation where) {
  const int count = ReplicatorContext::Current(where).variables().num_logical_devices();
  if (index >= 0 && index < count) return index;
  throw Error(ErrorCode::kInvalidArgument,
              std::string(scope) + "(" + std::to_string(index) + "): a replica has " + std::to_string(count) +
                  " logical device" + (count == 1 ? "" : "s") + ", numbered from 0; give the replicator more with " +
                  "num_logical_devices_per_replica",
              CallSite::Chain(where));
}

int CheckedInStep(int index, SourceLocation where) {
  if (BuildContext::CurrentOrNull() == nullptr) {
    throw Error(ErrorCode::kFailedPrecondition,
                "LogicalDevice places operations, which exist only inside a step function; outside, use "
                "LogicalDeviceForVariables",
                CallSite::Chain(where));
  }
  return Checked(index, "LogicalDevice", where);
}

}  // namespace

PlacementScope::PlacementScope(int logical_device) : outer_(std::exchange(device_of_operations, logical_device)) {}
PlacementScope::~PlacementScope() { device_of_operations = outer_; }

VariablePlacementScope::VariablePlacementScope(int logical_device)
    : outer_(std::exchange(device_of_variables, logical_device)) {}
VariablePlacementScope::~VariablePlacementScope() { device_of_variables = outer_; }

LogicalDevice::LogicalDevice(int index, SourceLocation where)
    : outer_(std::exchange(device_of_operations, CheckedInStep(index, where))) {}
LogicalDevice::~LogicalDevice() { device_of_operations = outer_; }
int LogicalDevice::Current() { return device_of_operations; }

LogicalDeviceForVariables::LogicalDeviceForVariables(int index, SourceLocation where)
    : outer_(std::exchange(device_of_variables, Checked(index, "LogicalDeviceForVariables", where))) {}
LogicalDeviceForVariables::~LogicalDeviceForVariables() { device_of_variables = outer_; }
int LogicalDeviceForVariables::Current() { return device_of_variables.value_or(device_of_operations); }

}  // namespace replicator
