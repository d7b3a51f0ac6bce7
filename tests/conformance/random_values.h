// Seeded operands for samples.
#pragma once

#include <random>

#include "replicator/base/literal.h"

namespace replicator::testing {

// Values in [low, high], of which floating ones are exact in f32 and at least 0.05 away from integers and halves of
// them where the range allows it, so that kinks are not hit; integers are whole. Bool: either, evenly.
Literal RandomLiteral(const Shape& shape, double low, double high, std::mt19937_64& random);

}  // namespace replicator::testing
