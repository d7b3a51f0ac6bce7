// What all handles on one optimizer share, and how its variables are declared.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "replicator/optim/optimizer.h"
#include "replicator/optim/update_rule.h"

namespace replicator::optim {

struct Optimizer::State {
  std::shared_ptr<const UpdateRule> rule;
  OptimizerOptions options;
  Variable iterations;
  Variable micro_steps;                                // declared when it is first asked for
  std::map<std::string, std::vector<Variable>> slots;  // by the variable's name, as accumulators
  std::map<std::string, Variable> accumulators;
};

// What a parameter is updated in: f32 where it is stored in less, so that small changes are not lost on the way.
inline DType Wide(DType dtype) { return dtype == DType::kF64 ? DType::kF64 : DType::kF32; }

// An i64 scalar, 0 at first.
Variable DeclareCounter(const std::string& name, SourceLocation where);
// "<optimizer>/<variable's name>/<suffix>": of the variable's extents and aggregation, wide, zero at first.
Variable DeclareCompanion(const std::string& optimizer, const Variable& variable, const std::string& suffix,
                          SourceLocation where);

}  // namespace replicator::optim
