#include "pjrt/compile_options.h"

#include <set>

#include "pjrt/proto_writer.h"
#include "replicator/base/error.h"

namespace replicator::pjrt {
namespace {

void Check(const CompileOptions& options) {
  if (options.num_replicas < 1 || options.num_partitions < 1) {
    throw Error(ErrorCode::kInvalidArgument, "a program needs at least 1 replica and 1 partition, but " +
                                                 std::to_string(options.num_replicas) + " and " +
                                                 std::to_string(options.num_partitions) + " were asked for");
  }
  if (options.device_assignment.empty()) return;
  const auto needed = static_cast<size_t>(options.num_replicas) * static_cast<size_t>(options.num_partitions);
  const std::set<int> distinct(options.device_assignment.begin(), options.device_assignment.end());
  if (options.device_assignment.size() != needed || distinct.size() != needed) {
    throw Error(ErrorCode::kInvalidArgument,
                "a device assignment for " + std::to_string(options.num_replicas) + " replicas of " +
                    std::to_string(options.num_partitions) + " partitions names " + std::to_string(needed) +
                    " different devices, but this one has " + std::to_string(options.device_assignment.size()) +
                    " entries, " + std::to_string(distinct.size()) + " of them different");
  }
}

// DeviceAssignmentProto: 1 replica_count, 2 computation_count, 3 computation_devices { 1 replica_device_ids }.
ProtoWriter EncodeAssignment(const CompileOptions& options) {
  ProtoWriter assignment;
  assignment.Int(1, options.num_replicas).Int(2, options.num_partitions);
  for (int partition = 0; partition < options.num_partitions; ++partition) {
    ProtoWriter ids;
    for (int replica = 0; replica < options.num_replicas; ++replica) {
      ids.Packed(options.device_assignment[static_cast<size_t>(replica * options.num_partitions + partition)]);
    }
    assignment.Message(3, ProtoWriter().Bytes(1, ids.bytes()));
  }
  return assignment;
}

// OptionOverrideProto: one of 1 string, 2 bool, 3 int64, 4 double.
ProtoWriter EncodeOverride(const std::string& name, const OptionValue& value) {
  ProtoWriter out;
  if (const auto* text = std::get_if<std::string>(&value))
    out.Bytes(1, *text);
  else if (const auto* flag = std::get_if<bool>(&value))
    out.Bool(2, *flag);
  else if (const auto* number = std::get_if<int64_t>(&value))
    out.Int(3, *number);
  else if (const auto* real = std::get_if<double>(&value))
    out.Double(4, *real);
  else
    throw Error(ErrorCode::kInvalidArgument, "the compiler override '" + name + "' is a list, which XLA does not take");
  return out;
}

}  // namespace

// CompileOptionsProto: 3 executable_build_options { 1 device_ordinal, 4 num_replicas, 5 num_partitions,
// 6 use_spmd_partitioning, 9 device_assignment }, 7 env_option_overrides (a map: entries { 1 key, 2 value }).
std::string Encode(const CompileOptions& options) {
  Check(options);
  ProtoWriter build;
  build.Int(1, -1).Int(4, options.num_replicas).Int(5, options.num_partitions);
  if (options.num_partitions > 1) build.Bool(6, true);
  if (!options.device_assignment.empty()) build.Message(9, EncodeAssignment(options));
  ProtoWriter all;
  all.Message(3, build);
  for (const auto& [name, value] : options.overrides) {
    all.Message(7, ProtoWriter().Bytes(1, name).Message(2, EncodeOverride(name, value)));
  }
  return all.bytes();
}

}  // namespace replicator::pjrt
