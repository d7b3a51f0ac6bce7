// What programs are lowered and compiled for.
#pragma once

#include "graph/emitter.h"
#include "pjrt/options.h"

namespace replicator {

struct CompileTarget {
  LoweringTarget lowering = LoweringTarget::kCpu;
  pjrt::Options overrides = {};  // of XLA's options
};

}  // namespace replicator
