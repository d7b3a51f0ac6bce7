// Convolution and its gradients by their definition, in double precision.
#pragma once

#include "graph/op_def.h"

namespace replicator {

std::vector<Literal> ConvolutionOracle(std::span<const Literal> operands, const Attributes& attributes);
std::vector<Literal> ConvolutionInputGradientOracle(std::span<const Literal> operands, const Attributes& attributes);
std::vector<Literal> ConvolutionFilterGradientOracle(std::span<const Literal> operands, const Attributes& attributes);

}  // namespace replicator
