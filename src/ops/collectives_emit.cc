#include "ops/collectives_emit.h"

#include <map>

#include "ops/emit.h"

namespace replicator {

std::string MlirReplicaGroups(int num_replicas) {
  std::string ids;
  for (int r = 0; r < num_replicas; ++r) ids += (r == 0 ? "" : ", ") + std::to_string(r);
  return "replica_groups = dense<[[" + ids + "]]> : tensor<1x" + std::to_string(num_replicas) + "xi64>";
}

SsaValue EmitReplicaId(Emitter& emitter) {
  return emitter.Emit("stablehlo.replica_id", {}, "", Shape{DType::kU32, {}});
}

std::vector<SsaValue> EmitAllReduce(Emitter& emitter, std::string_view op, std::span<const SsaValue> operands) {
  std::vector<SsaValue> results(operands.begin(), operands.end());
  if (emitter.num_replicas() == 1) return results;
  std::map<DType, std::vector<size_t>> of_dtype;
  for (size_t i = 0; i < operands.size(); ++i) of_dtype[operands[i].shape.dtype].push_back(i);
  for (const auto& [dtype, group] : of_dtype) {
    std::vector<SsaValue> inputs;
    std::vector<Shape> shapes;
    for (size_t i : group) {
      inputs.push_back(operands[i]);
      shapes.push_back(operands[i].shape);
    }
    const Shape scalar{dtype, {}};
    const std::vector<Shape> arguments = {scalar, scalar};
    const std::string region = emitter.Region(arguments, [&](std::span<const SsaValue> args) -> std::vector<SsaValue> {
      return {emitter.Emit(op, {args[0], args[1]}, "", scalar)};
    });
    const std::vector<SsaValue> reduced = emitter.EmitMany(
        "stablehlo.all_reduce", inputs, MlirReplicaGroups(emitter.num_replicas()), {&region, 1}, shapes);
    for (size_t k = 0; k < group.size(); ++k) results[group[k]] = reduced[k];
  }
  return results;
}

SsaValue EmitAllGather(Emitter& emitter, const SsaValue& x) {
  Shape gathered = x.shape;
  gathered.dims.insert(gathered.dims.begin(), 1);
  SsaValue row = EmitReshape(emitter, x, gathered.dims);
  if (emitter.num_replicas() == 1) return row;
  gathered.dims[0] = emitter.num_replicas();
  return emitter.Emit("stablehlo.all_gather", {row},
                      "all_gather_dim = 0 : i64, " + MlirReplicaGroups(emitter.num_replicas()), gathered);
}

SsaValue EmitToBits(Emitter& emitter, const SsaValue& x) {
  if (x.shape.dtype == DType::kBool) return EmitConvert(emitter, x, DType::kU8);
  static constexpr DType kBits[] = {DType::kU8, DType::kU16, DType::kU32, DType::kU64};
  const size_t width = ByteSize(x.shape.dtype);
  const DType bits = kBits[width == 1 ? 0 : width == 2 ? 1 : width == 4 ? 2 : 3];
  return emitter.Emit("stablehlo.bitcast_convert", {x}, "", Shape{bits, x.shape.dims});
}

SsaValue EmitFromBits(Emitter& emitter, const SsaValue& bits, DType dtype) {
  if (dtype == DType::kBool) return EmitConvert(emitter, bits, dtype);
  return emitter.Emit("stablehlo.bitcast_convert", {bits}, "", Shape{dtype, bits.shape.dims});
}

}  // namespace replicator
