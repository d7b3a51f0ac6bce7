// What REPLICATOR_DUMP shows of a compiled step.
#pragma once

#include <string>

#include "pjrt/unloaded_executable.h"

namespace replicator {

// step.mlir: the StableHLO that is compiled; statistics.txt: the memory that XLA plans per device, and its estimates of
// cost. Into `folder`, of NextDumpFolder; an empty one: nowhere. The files' names begin with `prefix`, which tells the
// segments of a step apart. Never throws.
void DumpCompiled(const std::string& folder, const std::string& prefix, const std::string& mlir,
                  const pjrt::UnloadedExecutable& executable);

}  // namespace replicator
