// Every operation there is. Lists, checks and tests derive from here. Families are joined by hand, not by
// self-registering globals: linkers drop unreferenced objects from static libraries.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "graph/op_def.h"

namespace replicator {

std::span<const OpDef* const> UnaryOps();
std::span<const OpDef* const> BinaryOps();
std::span<const OpDef* const> ShapeOps();
std::span<const OpDef* const> ReduceOps();
std::span<const OpDef* const> DotOps();
std::span<const OpDef* const> RandomOps();
std::span<const OpDef* const> ConvolutionOps();
std::span<const OpDef* const> PoolingOps();
std::span<const OpDef* const> CollectiveOps();
std::span<const OpDef* const> ControlFlowOps();
std::span<const OpDef* const> RematerialiseOps();
std::span<const OpDef* const> PushOps();

// All of the above, in order. Names are distinct.
const std::vector<const OpDef*>& AllOps();
// Null if there is none of that name.
const OpDef* FindOp(std::string_view name);

}  // namespace replicator
