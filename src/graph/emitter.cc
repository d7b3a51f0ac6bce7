#include "graph/emitter.h"

#include <algorithm>

namespace replicator {

std::string MlirType(const Shape& shape) {
  std::string text = "tensor<";
  for (int64_t extent : shape.dims) text += std::to_string(extent) + "x";
  if (shape.dtype == DType::kBool) return text + "i1>";
  if (IsUnsigned(shape.dtype)) return text + "ui" + std::to_string(8 * ByteSize(shape.dtype)) + ">";
  return text + std::string(ToString(shape.dtype)) + ">";
}

std::string MlirArray(std::span<const int64_t> values) {
  std::string text = "array<i64";
  for (size_t i = 0; i < values.size(); ++i) text += (i == 0 ? ": " : ", ") + std::to_string(values[i]);
  return text + ">";
}

SsaValue Emitter::Splat(double value, const Shape& shape) {
  Literal scalar{Shape{shape.dtype, {}}};
  VisitDType(shape.dtype, [&]<typename T>() { scalar.mutable_data<T>()[0] = ConvertElement<T>(value); });
  SsaValue constant = Constant(scalar);
  if (shape.dims.empty()) return constant;
  return Emit("stablehlo.broadcast_in_dim", {constant}, "broadcast_dimensions = array<i64>", shape);
}

SsaValue Emitter::Reduce(std::string_view op, const SsaValue& operand, double init, const Dims& axes) {
  return Reduce(op, operand, Splat(init, Shape{operand.shape.dtype, {}}), axes);
}

SsaValue Emitter::Reduce(std::string_view op, const SsaValue& operand, const SsaValue& init, const Dims& axes) {
  const Shape scalar{operand.shape.dtype, {}};
  Shape result{operand.shape.dtype, {}};
  for (int axis = 0; axis < operand.shape.rank(); ++axis) {
    if (std::find(axes.begin(), axes.end(), axis) == axes.end()) {
      result.dims.push_back(operand.shape.dims[static_cast<size_t>(axis)]);
    }
  }
  const std::vector<Shape> arguments = {scalar, scalar};
  std::string region = Region(arguments, [&](std::span<const SsaValue> args) -> std::vector<SsaValue> {
    return {Emit(op, {args[0], args[1]}, "", scalar)};
  });
  return Emit("stablehlo.reduce", {operand, init}, "dimensions = " + MlirArray(axes), result, {std::move(region)});
}

}  // namespace replicator
