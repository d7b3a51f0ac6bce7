// One segment of a step: its executable, and the arguments of the execution that is being started.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "pjrt/executable.h"
#include "replicate/program.h"
#include "runtime/compile_target.h"
#include "runtime/device_grid.h"
#include "runtime/executable_cache.h"

namespace replicator {

// Not thread-safe.
class SegmentRunner {
 public:
  // `segment` must outlive it.
  explicit SegmentRunner(const Segment& segment) : segment_(&segment) {}

  const Segment& segment() const { return *segment_; }
  bool compiled() const { return executable_ != nullptr; }
  // For the replicas' devices of the segment's number. Dumps into `dump_folder`, as DumpCompiled. Throws as
  // pjrt::Client::Compile.
  void Compile(ExecutableCache& cache, const CompileTarget& target, const DeviceGrid& grid,
               const std::string& dump_folder, const std::string& dump_prefix);

  // Arguments stay as they are set from one execution to the next.
  void Bind(size_t parameter, size_t replica, pjrt::Buffer* buffer) { arguments_[replica][parameter] = buffer; }
  bool IsBound(size_t parameter) const { return arguments_[0][parameter] != nullptr; }
  // Throws as pjrt::Executable::Execute.
  void Start(const std::vector<int64_t>& non_donatable) {
    executable_->Execute(arguments_, {.non_donatable = non_donatable}, launch_);
  }

  // The last execution, whose results the caller takes.
  pjrt::Launch& launch() { return launch_; }

 private:
  const Segment* segment_;
  std::shared_ptr<pjrt::Executable> executable_;
  std::vector<std::vector<pjrt::Buffer*>> arguments_;  // [replica][parameter]
  pjrt::Launch launch_;                                // its vectors are kept, to save allocations
};

}  // namespace replicator
