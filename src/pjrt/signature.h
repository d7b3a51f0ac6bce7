// The parameters of a compiled program. The C API does not tell them, but the optimised program does.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "replicator/base/shape.h"

namespace replicator::pjrt {

struct Signature {
  std::vector<Shape> parameters;
  std::vector<char> donated;  // by position: whether a launch may take the argument's memory for a result
};

// From what UnloadedExecutable::OptimizedProgram gives: `format` "hlo" or "hlo_with_config". None for another format,
// for bytes that do not parse, and for parameters that are not arrays of the library's element types.
std::optional<Signature> ParseSignature(std::string_view format, std::string_view program);

}  // namespace replicator::pjrt
