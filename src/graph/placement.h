// Where the library itself puts what it builds: like the public scopes, without their checks.
#pragma once

#include <optional>

namespace replicator {

// While it lives, operations built on this thread are on `logical_device`, and so are variables unless a
// LogicalDeviceForVariables says otherwise.
class [[nodiscard]] PlacementScope {
 public:
  explicit PlacementScope(int logical_device);
  ~PlacementScope();
  PlacementScope(const PlacementScope&) = delete;
  PlacementScope& operator=(const PlacementScope&) = delete;

 private:
  int outer_;
};

// The same for the variables, whatever the operations around them are on.
class [[nodiscard]] VariablePlacementScope {
 public:
  explicit VariablePlacementScope(int logical_device);
  ~VariablePlacementScope();
  VariablePlacementScope(const VariablePlacementScope&) = delete;
  VariablePlacementScope& operator=(const VariablePlacementScope&) = delete;

 private:
  std::optional<int> outer_;
};

}  // namespace replicator
