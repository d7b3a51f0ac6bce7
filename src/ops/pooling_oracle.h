// Pooling and its gradients by their definition, in double precision.
#pragma once

#include "graph/op_def.h"

namespace replicator {

std::vector<Literal> MaxPoolOracle(std::span<const Literal> operands, const Attributes& attributes);
std::vector<Literal> MaxPoolGradientOracle(std::span<const Literal> operands, const Attributes& attributes);
std::vector<Literal> MaxPoolGatherOracle(std::span<const Literal> operands, const Attributes& attributes);
std::vector<Literal> SumPoolOracle(std::span<const Literal> operands, const Attributes& attributes);
std::vector<Literal> SumPoolGradientOracle(std::span<const Literal> operands, const Attributes& attributes);

}  // namespace replicator
