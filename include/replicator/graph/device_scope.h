// Which of an asynchronous replicator's sync groups a step belongs to.
#pragma once

#include <optional>

#include "replicator/base/source_location.h"

namespace replicator {

// While it lives, on this thread: steps built with Replicator::Run run on sync group `sync_group` only (a tower of its
// own), and executions of steps that are not pinned in this way run as that group. Scopes nest; the innermost counts.
// Without one, the i-th thread that runs steps of a replicator runs them as its group i mod num_sync_groups.
//
// A number that the replicator does not have is refused where it is used: Error(kInvalidArgument), as is building in a
// scope with a replicator that is synchronous (there LogicalDevice places operations).
class [[nodiscard]] DeviceScope {
 public:
  explicit DeviceScope(int sync_group);
  ~DeviceScope();
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;

  static std::optional<int> Current();

 private:
  std::optional<int> outer_;
};

}  // namespace replicator
