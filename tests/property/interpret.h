// Random programs on the host, for all replicas at once, in double precision.
#pragma once

#include <vector>

#include "random_program.h"

namespace replicator::testing {

struct HostTensor {
  Dims dims;
  std::vector<double> data;
};
using HostValue = std::vector<HostTensor>;  // by replica

// What is done wrong on purpose, to see that it is noticed.
enum class Fault { kNone, kMeanForSum, kNeighbourForPermute, kFirstBlockForAll, kOneIterationLess, kCarryIsInit };

struct HostResults {
  std::vector<HostValue> outputs;
  HostTensor variable;  // its new value
};

// One step. `input` is each replica's batch, `variable` the variable's value before.
HostResults Interpret(const RandomProgram& program, const HostValue& input, const HostTensor& variable,
                      Fault fault = Fault::kNone);

}  // namespace replicator::testing
