#include "pjrt/unloaded_executable.h"

#include "pjrt/c_api.h"
#include "pjrt/named_values.h"
#include "replicator/base/error.h"

namespace replicator::pjrt {
namespace {

// Runs `call` and reports whether the plugin implements it.
template <typename Function>
bool IsImplemented(Function&& call) {
  try {
    call();
    return true;
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kUnimplemented) return false;
    throw;
  }
}

}  // namespace

UnloadedExecutable::~UnloadedExecutable() {
  if (executable_ == nullptr) return;
  REPLICATOR_PJRT_ARGS(PJRT_Executable_Destroy, args);
  args.executable = executable_;
  REPLICATOR_PJRT_CALL_QUIETLY(api_, PJRT_Executable_Destroy, args);
}

std::string UnloadedExecutable::Name() const {
  REPLICATOR_PJRT_ARGS(PJRT_Executable_Name, args);
  args.executable = executable_;
  REPLICATOR_PJRT_CALL(api_, PJRT_Executable_Name, args);
  return std::string(args.executable_name, args.executable_name_size);
}

int UnloadedExecutable::NumReplicas() const {
  REPLICATOR_PJRT_ARGS(PJRT_Executable_NumReplicas, args);
  args.executable = executable_;
  REPLICATOR_PJRT_CALL(api_, PJRT_Executable_NumReplicas, args);
  return static_cast<int>(args.num_replicas);
}

int UnloadedExecutable::NumPartitions() const {
  REPLICATOR_PJRT_ARGS(PJRT_Executable_NumPartitions, args);
  args.executable = executable_;
  REPLICATOR_PJRT_CALL(api_, PJRT_Executable_NumPartitions, args);
  return static_cast<int>(args.num_partitions);
}

std::vector<Shape> UnloadedExecutable::OutputShapes() const {
  REPLICATOR_PJRT_ARGS(PJRT_Executable_OutputElementTypes, types);
  types.executable = executable_;
  REPLICATOR_PJRT_CALL(api_, PJRT_Executable_OutputElementTypes, types);
  REPLICATOR_PJRT_ARGS(PJRT_Executable_OutputDimensions, dims);
  dims.executable = executable_;
  REPLICATOR_PJRT_CALL(api_, PJRT_Executable_OutputDimensions, dims);
  std::vector<Shape> shapes;
  const int64_t* extents = dims.dims;
  for (size_t i = 0; i < types.num_output_types; ++i) {
    shapes.push_back({FromPjrt(types.output_types[i]), Dims(extents, extents + dims.dim_sizes[i])});
    extents += dims.dim_sizes[i];
  }
  return shapes;
}

std::optional<std::string> UnloadedExecutable::Fingerprint() const {
  REPLICATOR_PJRT_ARGS(PJRT_Executable_Fingerprint, args);
  args.executable = executable_;
  if (!IsImplemented([&] { REPLICATOR_PJRT_CALL(api_, PJRT_Executable_Fingerprint, args); })) return std::nullopt;
  return std::string(args.executable_fingerprint, args.executable_fingerprint_size);
}

std::optional<CompiledMemoryStats> UnloadedExecutable::MemoryStats() const {
  REPLICATOR_PJRT_ARGS(PJRT_Executable_GetCompiledMemoryStats, args);
  args.executable = executable_;
  if (!IsImplemented([&] { REPLICATOR_PJRT_CALL(api_, PJRT_Executable_GetCompiledMemoryStats, args); })) {
    return std::nullopt;
  }
  return CompiledMemoryStats{.code = args.generated_code_size_in_bytes,
                             .arguments = args.argument_size_in_bytes,
                             .outputs = args.output_size_in_bytes,
                             .aliased = args.alias_size_in_bytes,
                             .temporaries = args.temp_size_in_bytes,
                             .peak = args.peak_memory_in_bytes};
}

std::optional<std::map<std::string, double>> UnloadedExecutable::CostAnalysis() const {
  REPLICATOR_PJRT_ARGS(PJRT_Executable_GetCostAnalysis, args);
  args.executable = executable_;
  if (!IsImplemented([&] { REPLICATOR_PJRT_CALL(api_, PJRT_Executable_GetCostAnalysis, args); })) return std::nullopt;
  std::map<std::string, double> costs;
  for (const auto& [name, value] : FromNamedValues({args.properties, args.num_properties})) {
    if (const auto* real = std::get_if<double>(&value)) costs[name] = *real;
    if (const auto* number = std::get_if<int64_t>(&value)) costs[name] = static_cast<double>(*number);
  }
  return costs;
}

std::string UnloadedExecutable::Serialize() const {
  REPLICATOR_PJRT_ARGS(PJRT_Executable_Serialize, args);
  args.executable = executable_;
  REPLICATOR_PJRT_CALL(api_, PJRT_Executable_Serialize, args);
  std::string bytes(args.serialized_bytes, args.serialized_bytes_size);
  args.serialized_executable_deleter(args.serialized_executable);
  return bytes;
}

std::pair<std::string, std::string> UnloadedExecutable::OptimizedProgram() const {
  PJRT_Program program{};
  program.struct_size = PJRT_Program_STRUCT_SIZE;
  REPLICATOR_PJRT_ARGS(PJRT_Executable_OptimizedProgram, args);
  args.executable = executable_;
  args.program = &program;
  REPLICATOR_PJRT_CALL(api_, PJRT_Executable_OptimizedProgram, args);
  std::string code(program.code_size, '\0');
  program.code = code.data();
  REPLICATOR_PJRT_CALL(api_, PJRT_Executable_OptimizedProgram, args);
  return {std::string(program.format, program.format_size), std::move(code)};
}

}  // namespace replicator::pjrt
