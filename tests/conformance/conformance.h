// What every operation must do on every platform. Walks the registry, so that a new operation is checked without a word
// here.
#pragma once

#include <string>
#include <vector>

#include "graph/op_def.h"
#include "support/backend.h"

namespace replicator::testing {

// What failed, one sentence each; empty when all is well.
using Failures = std::vector<std::string>;

// For each of the operation's samples, on the backend (collectives also on 4 replicas):
//   - the compiled shapes are those of the shape rule;
//   - the results are the oracle's, in double precision, exactly for integers and bool;
//   - f32 agrees with f64;
//   - the gradient along a random direction agrees with central differences, and so does the gradient of the gradient;
//   one
//     said to be zero is zero; one said not to exist is refused with its reason.
Failures CheckOp(const OpDef& op, Backend& backend);
// The same for all operations.
Failures RunAll(Backend& backend);

// The StableHLO text of the samples, each on CPU, GPU and TPU, without those that consist of the same operations as an
// earlier one.
std::string GoldenText(const OpDef& op);

}  // namespace replicator::testing
