// How sums are emitted. XLA:CPU turns a reduction that is fused with its producer into a scalar loop; two other forms
// of the same sum stay fast (f32, one core of an x86-64 server, with a squared operand):
//   columns of [25088, 64]: 437 us as a reduction, 249 us in steps of 32 rows;
//   rows of [8192, 512]:   2235 us as a reduction, 217 us as a product with ones;
//   all of [8192, 512]:    5915 us as a reduction, 228 us as a product with ones and a reduction.
#include <fmt/format.h>

#include "graph/emitter.h"
#include "ops/axes.h"
#include "ops/reduce_ops.h"

namespace replicator {
namespace {

constexpr int64_t kWorthwhile = 4096;  // elements from which the other forms pay
constexpr int64_t kWindow = 32;        // rows summed in one step
constexpr int64_t kShortestRow = 16, kLongestRow = 1024;

SsaValue Reshape(const SsaValue& x, Dims dims, Emitter& emitter) {
  if (x.shape.dims == dims) return x;
  return emitter.Emit("stablehlo.reshape", {x}, "", Shape{x.shape.dtype, std::move(dims)});
}

// [rows, columns] -> [rows].
SsaValue SumOfRows(const SsaValue& x, Emitter& emitter) {
  const SsaValue ones = emitter.Splat(1, Shape{x.shape.dtype, {x.shape.dims[1]}});
  return emitter.Emit("stablehlo.dot_general", {x, ones},
                      "dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], "
                      "rhs_contracting_dimensions = [0]>",
                      Shape{x.shape.dtype, {x.shape.dims[0]}});
}

// [rows, columns] -> [columns].
SsaValue SumOfColumns(const SsaValue& x, Emitter& emitter) {
  const Shape scalar{x.shape.dtype, {}};
  const int64_t rows = x.shape.dims[0], steps = (rows + kWindow - 1) / kWindow;
  const std::vector<Shape> arguments = {scalar, scalar};
  std::string region = emitter.Region(arguments, [&](std::span<const SsaValue> args) -> std::vector<SsaValue> {
    return {emitter.Emit("stablehlo.add", {args[0], args[1]}, "", scalar)};
  });
  const SsaValue stepped = emitter.Emit(
      "stablehlo.reduce_window", {x, emitter.Splat(0, scalar)},
      fmt::format("padding = dense<[[0, {}], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: {}, 1>, "
                  "window_strides = array<i64: {}, 1>",
                  steps * kWindow - rows, kWindow, kWindow),
      Shape{x.shape.dtype, {steps, x.shape.dims[1]}}, {std::move(region)});
  return emitter.Reduce("stablehlo.add", stepped, 0, {0});
}

// The greatest divisor of `count` that is a row of good length, or 0.
int64_t RowOf(int64_t count) {
  for (int64_t length = kLongestRow; length >= kShortestRow; --length) {
    if (count % length == 0) return length;
  }
  return 0;
}

SsaValue EmitSumForCpu(const SsaValue& x, const Dims& axes, Emitter& emitter) {
  const int rank = x.shape.rank();
  const Dims kept = Pick(x.shape.dims, Others(axes, rank));
  const int64_t outside = NumElements(kept), inside = NumElements(Pick(x.shape.dims, axes));
  const bool worthwhile = outside > 0 && outside * inside >= kWorthwhile;
  // `axes` increase, so they are a prefix or a suffix if their first or last says so.
  const bool leading = !axes.empty() && axes.back() == static_cast<int64_t>(axes.size()) - 1;
  const bool trailing = !axes.empty() && axes.front() == rank - static_cast<int64_t>(axes.size());
  if (worthwhile && leading && trailing && RowOf(inside) > 0) {
    const int64_t row = RowOf(inside);
    return emitter.Reduce("stablehlo.add", SumOfRows(Reshape(x, {inside / row, row}, emitter), emitter), 0, {0});
  }
  if (worthwhile && trailing && !leading && inside >= kShortestRow) {
    return Reshape(SumOfRows(Reshape(x, {outside, inside}, emitter), emitter), kept, emitter);
  }
  if (worthwhile && leading && !trailing && inside >= kWindow * kWindow) {
    return Reshape(SumOfColumns(Reshape(x, {inside, outside}, emitter), emitter), kept, emitter);
  }
  return emitter.Reduce("stablehlo.add", x, 0, axes);
}

}  // namespace

SsaValue EmitSum(const SsaValue& x, const Dims& axes, Emitter& emitter) {
  const bool floating = IsFloating(x.shape.dtype);
  if (floating && ByteSize(x.shape.dtype) == 2) {
    const SsaValue wide = emitter.Emit("stablehlo.convert", {x}, "", Shape{DType::kF32, x.shape.dims});
    const SsaValue sum = EmitSum(wide, axes, emitter);
    return emitter.Emit("stablehlo.convert", {sum}, "", Shape{x.shape.dtype, sum.shape.dims});
  }
  if (floating && emitter.target() == LoweringTarget::kCpu) return EmitSumForCpu(x, axes, emitter);
  return emitter.Reduce("stablehlo.add", x, 0, axes);
}

}  // namespace replicator
