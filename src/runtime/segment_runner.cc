#include "runtime/segment_runner.h"

#include "lower/lower.h"
#include "runtime/dump_compiled.h"

namespace replicator {

void SegmentRunner::Compile(ExecutableCache& cache, const CompileTarget& target, const DeviceGrid& grid,
                            const std::string& dump_folder, const std::string& dump_prefix) {
  LowerOptions options{.target = target.lowering, .num_replicas = grid.num_replicas()};
  for (const SegmentParameter& parameter : segment_->parameters) options.aliases.push_back(parameter.alias);
  const std::string mlir = LowerToStableHlo(*segment_->graph, options);
  executable_ = cache.Get(mlir, {.num_replicas = grid.num_replicas(),
                                 .device_assignment = grid.Assignment(segment_->logical_device, grid.num_replicas()),
                                 .overrides = target.overrides});
  DumpCompiled(dump_folder, dump_prefix, mlir, executable_->unloaded());
  arguments_.assign(static_cast<size_t>(grid.num_replicas()),
                    std::vector<pjrt::Buffer*>(segment_->parameters.size(), nullptr));
}

}  // namespace replicator
