#include "ops/emit.h"

#include <fmt/format.h>

#include "ops/axes.h"

namespace replicator {

SsaValue EmitReshape(Emitter& emitter, const SsaValue& x, Dims dims) {
  if (dims == x.shape.dims) return x;
  return emitter.Emit("stablehlo.reshape", {x}, "", Shape{x.shape.dtype, std::move(dims)});
}

SsaValue EmitTranspose(Emitter& emitter, const SsaValue& x, const Dims& permutation) {
  return emitter.Emit("stablehlo.transpose", {x}, "permutation = " + MlirArray(permutation),
                      Shape{x.shape.dtype, Pick(x.shape.dims, permutation)});
}

SsaValue EmitReverse(Emitter& emitter, const SsaValue& x, const Dims& axes) {
  return emitter.Emit("stablehlo.reverse", {x}, "dimensions = " + MlirArray(axes), x.shape);
}

SsaValue EmitSlice(Emitter& emitter, const SsaValue& x, const Dims& start, const Dims& limit, const Dims& strides) {
  Shape result{x.shape.dtype, {}};
  for (size_t i = 0; i < start.size(); ++i) {
    result.dims.push_back((limit[i] - start[i] + strides[i] - 1) / strides[i]);
  }
  if (result == x.shape) return x;
  return emitter.Emit("stablehlo.slice", {x},
                      "start_indices = " + MlirArray(start) + ", limit_indices = " + MlirArray(limit) +
                          ", strides = " + MlirArray(strides),
                      result);
}

SsaValue EmitPad(Emitter& emitter, const SsaValue& x, double value, const Dims& low, const Dims& high,
                 const Dims& interior) {
  Shape result{x.shape.dtype, {}};
  for (size_t i = 0; i < low.size(); ++i) {
    const int64_t extent = x.shape.dims[i];
    result.dims.push_back(low[i] + extent + std::max<int64_t>(extent - 1, 0) * interior[i] + high[i]);
  }
  if (result == x.shape && low == Dims(low.size(), 0)) return x;
  return emitter.Emit("stablehlo.pad", {x, emitter.Splat(value, Shape{x.shape.dtype, {}})},
                      "edge_padding_low = " + MlirArray(low) + ", edge_padding_high = " + MlirArray(high) +
                          ", interior_padding = " + MlirArray(interior),
                      result);
}

SsaValue EmitBroadcast(Emitter& emitter, const SsaValue& x, const Dims& dims, const Dims& axes) {
  return emitter.Emit("stablehlo.broadcast_in_dim", {x}, "broadcast_dimensions = " + MlirArray(axes),
                      Shape{x.shape.dtype, dims});
}

SsaValue EmitConcatenate(Emitter& emitter, const std::vector<SsaValue>& parts, int64_t axis) {
  if (parts.size() == 1) return parts[0];
  Shape result = parts[0].shape;
  int64_t& extent = result.dims[static_cast<size_t>(axis)];
  extent = 0;
  for (const SsaValue& part : parts) extent += part.shape.dims[static_cast<size_t>(axis)];
  return emitter.Emit("stablehlo.concatenate", parts, fmt::format("dimension = {} : i64", axis), result);
}

SsaValue EmitConvert(Emitter& emitter, const SsaValue& x, DType dtype) {
  if (x.shape.dtype == dtype) return x;
  return emitter.Emit("stablehlo.convert", {x}, "", Shape{dtype, x.shape.dims});
}

SsaValue EmitDot(Emitter& emitter, const SsaValue& a, int64_t a_axis, const SsaValue& b, int64_t b_axis) {
  const Shape result{a.shape.dtype,
                     {a.shape.dims[static_cast<size_t>(1 - a_axis)], b.shape.dims[static_cast<size_t>(1 - b_axis)]}};
  return emitter.Emit("stablehlo.dot_general", {a, b},
                      fmt::format("dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [{}], "
                                  "rhs_contracting_dimensions = [{}]>",
                                  a_axis, b_axis),
                      result);
}

SsaValue EmitBinary(Emitter& emitter, std::string_view op, const SsaValue& a, const SsaValue& b) {
  return emitter.Emit(op, {a, b}, "", a.shape);
}

SsaValue EmitCompare(Emitter& emitter, const SsaValue& a, const SsaValue& b, std::string_view direction) {
  return emitter.Emit("stablehlo.compare", {a, b},
                      fmt::format("comparison_direction = #stablehlo<comparison_direction {}>", direction),
                      Shape{DType::kBool, a.shape.dims});
}

SsaValue EmitSelect(Emitter& emitter, const SsaValue& condition, const SsaValue& a, const SsaValue& b) {
  return emitter.Emit("stablehlo.select", {condition, a, b}, "", a.shape);
}

SsaValue EmitSum(Emitter& emitter, const std::vector<SsaValue>& terms) {
  SsaValue sum = terms[0];
  for (size_t i = 1; i < terms.size(); ++i) sum = EmitBinary(emitter, "stablehlo.add", sum, terms[i]);
  return sum;
}

std::string MlirPairs(const std::vector<std::pair<int64_t, int64_t>>& pairs) {
  std::string text;
  for (const auto& [low, high] : pairs) text += fmt::format("{}[{}, {}]", text.empty() ? "" : ", ", low, high);
  return fmt::format("dense<[{}]> : tensor<{}x2xi64>", text, pairs.size());
}

}  // namespace replicator
