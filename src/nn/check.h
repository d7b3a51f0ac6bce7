// Checks that several layers share.
#pragma once

#include <fmt/format.h>

#include <string>

#include "replicator/graph/graph_error.h"
#include "replicator/graph/tensor.h"

namespace replicator::nn {

// Throws Error(kInvalidArgument) unless `value` >= 1. `what` names it: "Dense units".
inline void CheckAtLeastOne(const char* what, int64_t value) {
  if (value >= 1) return;
  throw Error(ErrorCode::kInvalidArgument, fmt::format("{} = {}; it must be at least 1", what, value));
}

// Throws GraphError unless `holds`; the line of the operand stands for the inner one.
inline void Check(bool holds, const std::string& op, const Operand& x, const std::string& rule) {
  if (!holds) throw GraphError(op, {x.tensor().shape()}, rule, CallSite::Chain(x.where()));
}

}  // namespace replicator::nn
