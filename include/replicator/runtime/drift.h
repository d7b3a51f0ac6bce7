// What the drift guard reports: MonitoredSessionOptions::check_mirrored_every_steps.
#pragma once

#include <cstdint>
#include <string>

#include "replicator/base/error.h"

namespace replicator {

// A mirrored variable is not the same, bit for bit, on all replicas. That cannot come from a step (every value that is
// assigned to one is typed replicated), so its cause is below: hardware, a collective that computes differently on
// different devices, or memory written from outside. Code kInternal.
class ReplicasDiffer : public Error {
 public:
  ReplicasDiffer(std::string message, std::string variable, int replica, uint64_t expected_hash, uint64_t hash,
                 std::vector<SourceLocation> where)
      : Error(ErrorCode::kInternal, std::move(message), std::move(where)),
        variable_(std::move(variable)),
        replica_(replica),
        expected_hash_(expected_hash),
        hash_(hash) {}

  // The first in the order of declaration, and the lowest replica on which it is not what it is on replica 0.
  const std::string& variable() const { return variable_; }
  int replica() const { return replica_; }
  // Of the bytes on replica 0, and on replica().
  uint64_t expected_hash() const { return expected_hash_; }
  uint64_t hash() const { return hash_; }

 private:
  std::string variable_;
  int replica_;
  uint64_t expected_hash_, hash_;
};

}  // namespace replicator
