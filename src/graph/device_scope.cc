#include "replicator/graph/device_scope.h"

namespace replicator {
namespace {

thread_local std::optional<int> current_group;

}  // namespace

DeviceScope::DeviceScope(int sync_group) : outer_(current_group) { current_group = sync_group; }
DeviceScope::~DeviceScope() { current_group = outer_; }
std::optional<int> DeviceScope::Current() { return current_group; }

}  // namespace replicator
