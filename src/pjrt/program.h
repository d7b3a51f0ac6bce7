// A module in the form of the C API.
#pragma once

#include <pjrt_c_api.h>

#include <string_view>

namespace replicator::pjrt {

// Points at `mlir` (text or bytecode), which must outlive the result.
inline PJRT_Program MlirProgram(std::string_view mlir) {
  static constexpr std::string_view kFormat = "mlir";
  PJRT_Program program{};
  program.struct_size = PJRT_Program_STRUCT_SIZE;
  program.code = const_cast<char*>(mlir.data());
  program.code_size = mlir.size();
  program.format = kFormat.data();
  program.format_size = kFormat.size();
  return program;
}

}  // namespace replicator::pjrt
