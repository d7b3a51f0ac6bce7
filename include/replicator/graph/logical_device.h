// Model parallelism: a replica that owns several devices, and which of them computes and holds what.
#pragma once

#include <optional>

#include "replicator/base/source_location.h"

namespace replicator {

// Inside a step function: operations built on this thread while it lives run on the replica's `index`-th device,
// 0 <= index < num_logical_devices_per_replica. Scopes nest; the innermost counts, and outside of all it is device 0.
// A value that is used on another device is copied there. The rules: docs/semantics.md, "Logical devices".
//
//   Tensor h;
//   {
//     LogicalDevice scope(0);
//     h = encoder(batch["x"]);
//   }
//   LogicalDevice scope(1);
//   const Tensor y = decoder(h);  // the decoder's variables live on device 1 too
//
// Throws Error: kFailedPrecondition outside a step function, kInvalidArgument for an index that the replicator does not
// have.
class [[nodiscard]] LogicalDevice {
 public:
  explicit LogicalDevice(int index, SourceLocation where = SourceLocation::current());
  ~LogicalDevice();
  LogicalDevice(const LogicalDevice&) = delete;
  LogicalDevice& operator=(const LogicalDevice&) = delete;

  // That of the operations built here.
  static int Current();

 private:
  int outer_;
};

// In a replicator's context, inside or outside a step function: variables declared on this thread while it lives are on
// the replica's `index`-th device, whatever device the operations around their declaration are on. Without one, a
// variable is on the device of the operations around its declaration. Throws Error: kFailedPrecondition outside a
// context, kInvalidArgument for an index that the replicator does not have.
class [[nodiscard]] LogicalDeviceForVariables {
 public:
  explicit LogicalDeviceForVariables(int index, SourceLocation where = SourceLocation::current());
  ~LogicalDeviceForVariables();
  LogicalDeviceForVariables(const LogicalDeviceForVariables&) = delete;
  LogicalDeviceForVariables& operator=(const LogicalDeviceForVariables&) = delete;

  // That of the variables declared here.
  static int Current();

 private:
  std::optional<int> outer_;
};

}  // namespace replicator
