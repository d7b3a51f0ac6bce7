// Operations that own regions.
#pragma once

#include "graph/op_def.h"

namespace replicator {

// operands: an i32 scalar, then what the regions read; regions: graphs that take the latter as their parameters and
// agree in the shapes of their outputs. The results are the outputs of the region that the index selects (the last one
// for an index out of range, StableHLO's rule).
extern const OpDef kCase;

}  // namespace replicator
