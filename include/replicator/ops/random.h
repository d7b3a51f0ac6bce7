// Random numbers that do not depend on how many replicas draw them.
//
// Threefry-2x32 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011; 20 rounds) from ordinary
// integer operations, never the platform's generator. A draw's key folds (seed, step, name scope, ordinal of the draw
// in that scope). A varying draw is indexed by the global example: with R replicas and a leading axis of b, replica r
// draws rows [r*b, (r+1)*b) of what one replica with a leading axis of R*b would draw. (A varying scalar counts as one
// row.) A replicated draw is equal on all replicas.
#pragma once

#include "replicator/graph/tensor.h"

namespace replicator {

struct RandomOptions {
  Typing typing = Typing::kVarying;
};

// Uniform bits: u32 or u64.
Tensor RandomBits(const Shape& shape, const RandomOptions& options = {},
                  SourceLocation where = SourceLocation::current());
// Uniform in [low, high): floating types. f64 has 53 random bits, f32 24; f16 and bf16 are rounded from f32, and kept
// below `high`. Throws GraphError unless low < high, both finite.
Tensor RandomUniform(const Shape& shape, double low = 0, double high = 1, const RandomOptions& options = {},
                     SourceLocation where = SourceLocation::current());
// Normal, by Box and Muller's transform of two uniforms. Floating types; f16 and bf16 are rounded from f32.
Tensor RandomNormal(const Shape& shape, double mean = 0, double stddev = 1, const RandomOptions& options = {},
                    SourceLocation where = SourceLocation::current());
// bool, true with the given probability, to a multiple of 2^-32.
Tensor RandomBernoulli(const Dims& dims, double probability, const RandomOptions& options = {},
                       SourceLocation where = SourceLocation::current());

}  // namespace replicator
