// Random programs through the public interface.
#pragma once

#include <vector>

#include "random_program.h"
#include "replicator/replicator.h"

namespace replicator::testing {

// What the step function does: assigns the variable, and returns the outputs.
std::vector<Tensor> BuildStep(const RandomProgram& program, const Tensor& input, const Variable& variable);

}  // namespace replicator::testing
