#include "ops/collectives_emit.h"

#include <limits>
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
  for (size_t i = 0; i < operands.size(); ++i) {
    if (operands[i].shape.num_elements() > 0) of_dtype[operands[i].shape.dtype].push_back(i);
  }
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

namespace {

// Floating values and signed integers of one order: those of the sign bit are flipped in all other bits. Its own
// inverse.
SsaValue EmitFlipNegative(Emitter& emitter, const SsaValue& bits) {
  Literal all_but_sign{Shape{bits.shape.dtype, {}}};
  if (bits.shape.dtype == DType::kI64) {
    all_but_sign.mutable_data<int64_t>()[0] = std::numeric_limits<int64_t>::max();
  } else {
    all_but_sign.mutable_data<int32_t>()[0] = std::numeric_limits<int32_t>::max();
  }
  const SsaValue mask = EmitBroadcast(emitter, emitter.Constant(all_but_sign), bits.shape.dims, {});
  const SsaValue negative = EmitCompare(emitter, bits, emitter.Splat(0, bits.shape), "LT");
  return EmitSelect(emitter, negative, EmitBinary(emitter, "stablehlo.xor", bits, mask), bits);
}

}  // namespace

std::vector<SsaValue> EmitAllExtremum(Emitter& emitter, Extremum extremum, std::span<const SsaValue> operands) {
  if (emitter.num_replicas() == 1) return {operands.begin(), operands.end()};
  const double winning_nan =
      extremum == Extremum::kMin ? -std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::quiet_NaN();
  std::vector<SsaValue> keys;
  for (const SsaValue& x : operands) {
    if (!IsFloating(x.shape.dtype)) {
      keys.push_back(x);
      continue;
    }
    const bool wide = x.shape.dtype == DType::kF64;
    const SsaValue value = EmitConvert(emitter, x, wide ? DType::kF64 : DType::kF32);
    const SsaValue is_nan = EmitCompare(emitter, value, value, "NE");
    const SsaValue chosen = EmitSelect(emitter, is_nan, emitter.Splat(winning_nan, value.shape), value);
    const Shape bits{wide ? DType::kI64 : DType::kI32, x.shape.dims};
    keys.push_back(EmitFlipNegative(emitter, emitter.Emit("stablehlo.bitcast_convert", {chosen}, "", bits)));
  }
  std::vector<SsaValue> results =
      EmitAllReduce(emitter, extremum == Extremum::kMin ? "stablehlo.minimum" : "stablehlo.maximum", keys);
  for (size_t i = 0; i < results.size(); ++i) {
    const Shape& shape = operands[i].shape;
    if (!IsFloating(shape.dtype)) continue;
    const DType wide = shape.dtype == DType::kF64 ? DType::kF64 : DType::kF32;
    const SsaValue value =
        emitter.Emit("stablehlo.bitcast_convert", {EmitFlipNegative(emitter, results[i])}, "", Shape{wide, shape.dims});
    results[i] = EmitConvert(emitter, value, shape.dtype);
  }
  return results;
}

SsaValue EmitMove(Emitter& emitter, const SsaValue& x, const Shape& result, const Move& move) {
  if (result.num_elements() == 0) return emitter.Splat(0, result);
  const bool as_bits = emitter.target() == LoweringTarget::kCpu && IsFloating(x.shape.dtype) &&
                       ByteSize(x.shape.dtype) == 2 && emitter.num_replicas() > 1;
  return as_bits ? EmitFromBits(emitter, move(EmitToBits(emitter, x)), x.shape.dtype) : move(x);
}

SsaValue EmitAllGather(Emitter& emitter, const SsaValue& x) {
  Shape gathered = x.shape;
  gathered.dims.insert(gathered.dims.begin(), emitter.num_replicas());
  return EmitMove(emitter, x, gathered, [&](const SsaValue& own) {
    Dims row = gathered.dims;
    row[0] = 1;
    SsaValue reshaped = EmitReshape(emitter, own, row);
    if (emitter.num_replicas() == 1) return reshaped;
    return emitter.Emit("stablehlo.all_gather", {reshaped},
                        "all_gather_dim = 0 : i64, " + MlirReplicaGroups(emitter.num_replicas()),
                        Shape{own.shape.dtype, gathered.dims});
  });
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
