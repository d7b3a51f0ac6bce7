// Dropout: Srivastava et al., "Dropout: a simple way to prevent neural networks from overfitting", JMLR 15 (2014).
#pragma once

#include <optional>

#include "replicator/graph/replica_context.h"
#include "replicator/nn/module.h"

namespace replicator::nn {

struct DropoutOptions {
  double rate = 0.5;  // the probability of zeroing an element, in [0, 1]
  std::string name = {};
};

// While training, each element of x (floating) is 0 with probability `rate`, and otherwise x / (1 - rate); else x
// itself. The leading axis of x holds examples: a draw belongs to an example of the global batch, so that the result
// does not depend on the number of replicas. A replicated x is treated equally on all replicas. Rate 0 gives x, rate 1
// zeros. Constructing it throws Error(kInvalidArgument) for another rate.
class Dropout : public Module {
 public:
  explicit Dropout(DropoutOptions options = {});
  // `mode`: that of the step, unless given.
  Tensor operator()(const Operand& x, std::optional<Mode> mode = std::nullopt) const;

 private:
  double rate_;
};

}  // namespace replicator::nn
