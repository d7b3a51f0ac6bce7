// A program over several logical devices as a picture.
#pragma once

#include "replicate/picture.h"
#include "replicate/program.h"

namespace replicator {

// One box per segment, in the order in which they run, with its graph inside; arrows are what one passes to another.
Lane DrawSegments(const Program& program, const std::vector<std::string>& class_titles);

}  // namespace replicator
