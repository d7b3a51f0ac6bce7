// Cutting a program over several logical devices into modules of one device each: docs/impl.md, "Segments".
#pragma once

#include "replicate/program.h"

namespace replicator {

// Fills `segments`, `transfers` and `results` from the rest of the program. A program whose operations and variables
// are all on logical device 0 becomes one segment of the program's own graph. Otherwise
//
// - a node belongs to a segment of its logical device, except for what depends on no parameter and no collective: that
//   is computed anew in each segment that uses it;
// - a segment takes all nodes of its device that are ready, beginning with the device of the longest chain of devices
//   still to come; so segments are few, and run in order;
// - each value is copied at most once to each device that uses it;
// - a variable's memory may be taken over by its new value in the last segment that reads it.
void CutIntoSegments(Program& program);

}  // namespace replicator
