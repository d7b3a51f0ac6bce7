// Where tests run programs.
#pragma once

#include <string>
#include <vector>

#include "graph/emitter.h"
#include "replicator/base/literal.h"

namespace replicator::testing {

using PerReplica = std::vector<std::vector<Literal>>;  // [replica][i]

class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string name() const = 0;
  virtual LoweringTarget target() const = 0;
  virtual int max_replicas() const = 0;
  // Compiles a module for arguments.size() replicas, runs it once and waits for the results.
  virtual PerReplica Run(const std::string& mlir, const PerReplica& arguments) = 0;
};

// The two CPU plugins against which everything is tested: "c1", the default one (PJRT API 0.81), and "c2", one with a
// newer API (0.115). Up to 8 replicas. Lives until the process ends.
Backend& CpuBackend(const std::string& name);
std::vector<std::string> CpuBackendNames();

}  // namespace replicator::testing
