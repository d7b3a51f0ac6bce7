// How a program is compiled.
#pragma once

#include <string>
#include <vector>

#include "pjrt/options.h"

namespace replicator::pjrt {

struct CompileOptions {
  int num_replicas = 1;
  int num_partitions = 1;
  // Device ids, partition fastest: num_replicas x num_partitions of them. Empty: the plugin's own assignment, which
  // takes the devices in order.
  std::vector<int> device_assignment = {};
  // XLA's debug options by name ("xla_dump_to", ...); an unknown name is an Error(kInvalidArgument) of the compilation.
  Options overrides = {};
};

// The serialised CompileOptionsProto of XLA. Deterministic, so it may enter a cache key. Throws Error(kInvalidArgument)
// for counts below 1, an assignment of the wrong length or with a device twice, or an override that is a list.
std::string Encode(const CompileOptions& options);

}  // namespace replicator::pjrt
