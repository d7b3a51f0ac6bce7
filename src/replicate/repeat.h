// Several executions of a step in one launch.
#pragma once

#include "replicate/program.h"

namespace replicator {

// `steps` executions of `program`, one after another, as one program: variables are carried through a loop; every input
// and the step key are taken `steps` times, and outputs and the guard's flags have a leading axis of `steps`. What each
// execution computes is what it computes by itself. Only where CanRepeat.
Program RepeatProgram(const Program& program, int64_t steps);

// Whether there is more than one step, and a result or an update; all on one logical device.
bool CanRepeat(const Program& program, int64_t steps);

}  // namespace replicator
