#include "replicator/ops/reduce.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "graph/build_context.h"
#include "graph/emitter.h"
#include "ops/axes.h"
#include "ops/reduce_ops.h"
#include "ops/registry.h"
#include "ops/tabulate.h"
#include "replicator/graph/graph_error.h"
#include "replicator/ops/elementwise.h"
#include "replicator/ops/shape.h"

namespace replicator {
namespace {

std::vector<Shape> InferReduce(const InferContext& context) {
  const Shape& x = context.operands[0];
  const Dims& axes = context.attributes.Ints("axes");
  RequireAxes(axes, x.rank());
  return {Shape{x.dtype, Pick(x.dims, Others(axes, x.rank()))}};
}

std::vector<Shape> InferNumbers(const InferContext& context) {
  Require(context.operands[0].dtype != DType::kBool,
          "bool has no sum and no order; use Convert first, or ReduceAll or ReduceAny");
  return InferReduce(context);
}

std::vector<Shape> InferTruths(const InferContext& context) {
  Require(context.operands[0].dtype == DType::kBool, [&] {
    return fmt::format("bool is needed, not {}; compare first, for instance NotEqual(x, 0)",
                       ToString(context.operands[0].dtype));
  });
  return InferReduce(context);
}

// `reduced`, a reduction of `x` over `axes`, stretched over x again.
Tensor Restore(const Tensor& reduced, const Tensor& x, const Dims& axes) {
  Dims kept = x.dims();
  for (int64_t axis : axes) kept[static_cast<size_t>(axis)] = 1;
  return BroadcastTo(Reshape(reduced, kept), x.dims());
}

std::vector<Tensor> SumGradient(const GradientContext& context) {
  return {Restore(context.cotangent(), context.operand(0), context.node().attributes.Ints("axes"))};
}

// Where the extremum is NaN no element equals it, and the gradient is 0 / 0: NaN too.
std::vector<Tensor> ExtremumGradient(const GradientContext& context) {
  const Dims& axes = context.node().attributes.Ints("axes");
  const Tensor x = context.operand(0);
  const Tensor chosen = Convert(Equal(x, Restore(context.result(), x, axes)), x.dtype());
  const Tensor count = ReduceSum(chosen, {.axes = std::vector<int>(axes.begin(), axes.end())});
  return {Multiply(chosen, Restore(Divide(context.cotangent(), count), x, axes))};
}

// The value that loses against every other: the lowest for a maximum (sign = 1), the highest for a minimum (-1).
Literal Loser(DType dtype, int sign) {
  Literal loser{Shape{dtype, {}}};
  VisitDType(dtype, [&]<typename T>() {
    T& value = loser.mutable_data<T>()[0];
    if constexpr (std::is_integral_v<T>) {
      value = sign > 0 ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max();
    } else {
      value = ConvertElement<T>(-sign * std::numeric_limits<double>::infinity());
    }
  });
  return loser;
}

std::vector<SsaValue> LowerMax(const Node& node, std::span<const SsaValue> operands, Emitter& emitter) {
  const SsaValue lowest = emitter.Constant(Loser(operands[0].shape.dtype, 1));
  return {emitter.Reduce("stablehlo.maximum", operands[0], lowest, node.attributes.Ints("axes"))};
}

std::vector<SsaValue> LowerMin(const Node& node, std::span<const SsaValue> operands, Emitter& emitter) {
  const SsaValue highest = emitter.Constant(Loser(operands[0].shape.dtype, -1));
  return {emitter.Reduce("stablehlo.minimum", operands[0], highest, node.attributes.Ints("axes"))};
}

std::vector<Sample> SamplesOf(DType dtype) {
  const auto sample = [&](const char* name, Dims dims, Dims axes) {
    return Sample{.name = name, .operands = {{dtype, dims}}, .attributes = {{"axes", axes}}};
  };
  return {sample("all", {3, 5}, {0, 1}),     sample("rows", {4, 7}, {1}),  sample("columns", {5, 3}, {0}),
          sample("middle", {2, 3, 4}, {1}),  sample("none", {3}, {}),      sample("scalar", {}, {}),
          sample("over_empty", {0, 2}, {0}), sample("empty", {0, 2}, {1}), sample("outer", {2, 3, 2}, {0, 2})};
}

// The extremum of nothing is infinite, so that differences there are NaN: f32 is not differentiated.
std::vector<Sample> ExtremumSamples() {
  std::vector<Sample> samples = SamplesOf(DType::kF64);
  for (Sample& sample : samples) {
    if (sample.name == "over_empty") sample.operands[0].dtype = DType::kF32;
  }
  return samples;
}

// Folds the elements along the reduced axes, from `init`.
template <typename Fold>
std::vector<Literal> FoldOracle(std::span<const Literal> operands, const Attributes& attributes, double init,
                                Fold fold) {
  const Dims& dims = operands[0].dims();
  const Dims kept = Others(attributes.Ints("axes"), static_cast<int>(dims.size()));
  const Shape result{operands[0].dtype(), Pick(dims, kept)};
  std::vector<double> folded(static_cast<size_t>(result.num_elements()), init);
  const Elements x(operands[0]);
  ForEachIndex(dims, [&](const Dims& index) {
    double& into = folded[Position(result.dims, Pick(index, kept))];
    into = fold(into, x(index));
  });
  return {Tabulate(result, [&](const Dims& index) { return folded[Position(result.dims, index)]; })};
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Tensor AddReduce(const OpDef& op, const Operand& x, const ReduceOptions& options) {
  const Tensor& from = x.tensor();
  Dims axes = options.axes ? FromFront(*options.axes, from.rank()) : Others({}, from.rank());
  std::sort(axes.begin(), axes.end());
  Tensor reduced = AddOp(op, {{from}}, {{"axes", axes}}, x.where());
  if (!options.keep_dims) return reduced;
  Dims kept = from.dims();
  for (int64_t axis : axes) kept[static_cast<size_t>(axis)] = 1;
  return Reshape({reduced, x.where()}, kept);
}

}  // namespace

const OpDef kReduceSum{
    .name = "reduce_sum",
    .infer = InferNumbers,
    .gradient = Gradient::Rule(SumGradient),
    .lower = +[](const Node& node, std::span<const SsaValue> operands, Emitter& emitter) -> std::vector<SsaValue> {
      return {EmitSum(operands[0], node.attributes.Ints("axes"), emitter)};
    },
    .samples = +[]() -> std::vector<Sample> {
      std::vector<Sample> samples = SamplesOf(DType::kF64);
      // Long enough for each form of EmitSum, with a remainder.
      samples.push_back(
          {.name = "long_image", .operands = {{DType::kF64, {2, 32, 17, 5}}}, .attributes = {{"axes", Dims{0, 1, 2}}}});
      samples.push_back(
          {.name = "long_rows", .operands = {{DType::kF64, {33, 131}}}, .attributes = {{"axes", Dims{1}}}});
      samples.push_back(
          {.name = "long_all", .operands = {{DType::kF64, {13, 17, 19}}}, .attributes = {{"axes", Dims{0, 1, 2}}}});
      samples.push_back({.name = "i64", .operands = {{DType::kI64, {3, 2}}}, .attributes = {{"axes", Dims{0}}}});
      samples.push_back({.name = "bf16", .operands = {{DType::kBF16, {3, 2}}}, .attributes = {{"axes", Dims{0}}}});
      return samples;
    },
    .oracle = +[](std::span<const Literal> operands, const Attributes& attributes) -> std::vector<Literal> {
      return FoldOracle(operands, attributes, 0, [](double a, double b) { return a + b; });
    },
};

const OpDef kReduceMax{
    .name = "reduce_max",
    .infer = InferNumbers,
    .gradient = Gradient::Rule(ExtremumGradient),
    .lower = LowerMax,
    .samples = +[]() -> std::vector<Sample> {
      std::vector<Sample> samples = ExtremumSamples();
      samples.push_back({.name = "i32", .operands = {{DType::kI32, {3, 2}}}, .attributes = {{"axes", Dims{0}}}});
      samples.push_back({.name = "u8_empty", .operands = {{DType::kU8, {0, 2}}}, .attributes = {{"axes", Dims{0}}}});
      return samples;
    },
    .oracle = +[](std::span<const Literal> operands, const Attributes& attributes) -> std::vector<Literal> {
      const double lowest = operands[0].dtype() == DType::kU8    ? 0
                            : operands[0].dtype() == DType::kI32 ? -2147483648.0
                                                                 : -kInfinity;
      return FoldOracle(operands, attributes, lowest, [](double a, double b) { return b > a ? b : a; });
    },
};

const OpDef kReduceMin{
    .name = "reduce_min",
    .infer = InferNumbers,
    .gradient = Gradient::Rule(ExtremumGradient),
    .lower = LowerMin,
    .samples = +[]() -> std::vector<Sample> {
      std::vector<Sample> samples = ExtremumSamples();
      samples.push_back({.name = "i32", .operands = {{DType::kI32, {3, 2}}}, .attributes = {{"axes", Dims{0}}}});
      samples.push_back({.name = "u8_empty", .operands = {{DType::kU8, {0, 2}}}, .attributes = {{"axes", Dims{0}}}});
      return samples;
    },
    .oracle = +[](std::span<const Literal> operands, const Attributes& attributes) -> std::vector<Literal> {
      const double highest = operands[0].dtype() == DType::kU8    ? 255
                             : operands[0].dtype() == DType::kI32 ? 2147483647
                                                                  : kInfinity;
      return FoldOracle(operands, attributes, highest, [](double a, double b) { return b < a ? b : a; });
    },
};

const OpDef kReduceAnd{
    .name = "reduce_and",
    .infer = InferTruths,
    .gradient = Gradient::Zero("truth values do not vary continuously"),
    .lower = +[](const Node& node, std::span<const SsaValue> operands, Emitter& emitter) -> std::vector<SsaValue> {
      return {emitter.Reduce("stablehlo.and", operands[0], 1, node.attributes.Ints("axes"))};
    },
    .samples = +[]() -> std::vector<Sample> { return SamplesOf(DType::kBool); },
    .oracle = +[](std::span<const Literal> operands, const Attributes& attributes) -> std::vector<Literal> {
      return FoldOracle(operands, attributes, 1, [](double a, double b) { return a * b; });
    },
};

const OpDef kReduceOr{
    .name = "reduce_or",
    .infer = InferTruths,
    .gradient = Gradient::Zero("truth values do not vary continuously"),
    .lower = +[](const Node& node, std::span<const SsaValue> operands, Emitter& emitter) -> std::vector<SsaValue> {
      return {emitter.Reduce("stablehlo.or", operands[0], 0, node.attributes.Ints("axes"))};
    },
    .samples = +[]() -> std::vector<Sample> { return SamplesOf(DType::kBool); },
    .oracle = +[](std::span<const Literal> operands, const Attributes& attributes) -> std::vector<Literal> {
      return FoldOracle(operands, attributes, 0, [](double a, double b) { return std::max(a, b); });
    },
};

// As two plain reductions, the maximum and then the least index of an element that equals it: XLA vectorises those, and
// not one reduction of (value, index) pairs.
const OpDef kArgMax{
    .name = "arg_max",
    .infer = +[](const InferContext& context) -> std::vector<Shape> {
      const Shape& x = context.operands[0];
      const int64_t axis = context.attributes.Int("axis");
      RequireAxes({axis}, x.rank());
      Require(x.dtype != DType::kBool, "bool has no order; use Convert first");
      const int64_t extent = x.dims[static_cast<size_t>(axis)];
      Require(extent > 0 && extent <= std::numeric_limits<int32_t>::max(), [&] {
        return fmt::format(
            "axis {} has extent {}; a maximum needs at least 1 element, and an i32 index at most 2^31 - 1", axis,
            extent);
      });
      return {Shape{DType::kI32, Pick(x.dims, Others({axis}, x.rank()))}};
    },
    .gradient = Gradient::Zero("an index does not vary continuously"),
    .lower = +[](const Node& node, std::span<const SsaValue> operands, Emitter& emitter) -> std::vector<SsaValue> {
      const SsaValue& x = operands[0];
      const int64_t axis = node.attributes.Int("axis");
      const Shape truth{DType::kBool, x.shape.dims};
      const Shape index{DType::kI32, x.shape.dims};
      const auto compare = [&](const SsaValue& a, const SsaValue& b, const char* direction) {
        return emitter.Emit("stablehlo.compare", {a, b},
                            fmt::format("comparison_direction = #stablehlo<comparison_direction {}>", direction),
                            truth);
      };
      const SsaValue lowest = emitter.Constant(Loser(x.shape.dtype, 1));
      const SsaValue max = emitter.Reduce("stablehlo.maximum", x, lowest, {axis});
      const SsaValue spread =
          emitter.Emit("stablehlo.broadcast_in_dim", {max},
                       "broadcast_dimensions = " + MlirArray(Others({axis}, x.shape.rank())), x.shape);
      SsaValue wins = compare(x, spread, "EQ");
      if (IsFloating(x.shape.dtype)) wins = emitter.Emit("stablehlo.or", {wins, compare(x, x, "NE")}, "", truth);
      const SsaValue iota = emitter.Emit("stablehlo.iota", {}, fmt::format("iota_dimension = {} : i64", axis), index);
      const SsaValue none = emitter.Splat(std::numeric_limits<int32_t>::max(), index);
      const SsaValue candidates = emitter.Emit("stablehlo.select", {wins, iota, none}, "", index);
      return {emitter.Reduce("stablehlo.minimum", candidates, std::numeric_limits<int32_t>::max(), {axis})};
    },
    .samples = +[]() -> std::vector<Sample> {
      const auto sample = [](const char* name, DType dtype, Dims dims, int64_t axis) {
        return Sample{.name = name, .operands = {{dtype, dims}}, .attributes = {{"axis", axis}}};
      };
      return {sample("rows", DType::kF64, {4, 7}, 1), sample("columns", DType::kF64, {4, 7}, 0),
              sample("vector", DType::kF64, {9}, 0), sample("ties", DType::kI32, {3, 12}, 1),
              sample("empty", DType::kF64, {0, 3}, 1)};
    },
    .oracle = +[](std::span<const Literal> operands, const Attributes& attributes) -> std::vector<Literal> {
      const auto axis = static_cast<size_t>(attributes.Int("axis"));
      const Dims& dims = operands[0].dims();
      const Elements x(operands[0]);
      const Dims kept = Others({attributes.Int("axis")}, static_cast<int>(dims.size()));
      return {Tabulate(Shape{DType::kI32, Pick(dims, kept)}, [&](const Dims& index) {
        Dims at = index;
        at.insert(at.begin() + static_cast<int64_t>(axis), 0);
        double best = x(at);
        int64_t found = 0;
        for (int64_t i = 1; i < dims[axis] && !std::isnan(best); ++i) {
          at[axis] = i;
          if (!(x(at) <= best)) best = x(at), found = i;
        }
        return static_cast<double>(found);
      })};
    },
};

Tensor ReduceSum(const Operand& x, const ReduceOptions& options) { return AddReduce(kReduceSum, x, options); }
Tensor ReduceMax(const Operand& x, const ReduceOptions& options) { return AddReduce(kReduceMax, x, options); }
Tensor ReduceMin(const Operand& x, const ReduceOptions& options) { return AddReduce(kReduceMin, x, options); }
Tensor ReduceAll(const Operand& x, const ReduceOptions& options) { return AddReduce(kReduceAnd, x, options); }
Tensor ReduceAny(const Operand& x, const ReduceOptions& options) { return AddReduce(kReduceOr, x, options); }

Tensor ReduceMean(const Operand& x, const ReduceOptions& options) {
  const CallSite site(x.where());
  const DType dtype = x.tensor().dtype();
  if (!IsFloating(dtype)) {
    throw GraphError("reduce_mean", {x.tensor().shape()},
                     fmt::format("a floating type is needed, not {}; use Convert first", ToString(dtype)),
                     CallSite::Chain(x.where()));
  }
  // In f32 for the narrow types: their sum could overflow where the mean does not.
  const Tensor wide = Convert(x, ByteSize(dtype) < 4 ? DType::kF32 : dtype);
  const Tensor sum = ReduceSum({wide, x.where()}, options);
  int64_t count = 1;
  const Dims axes = options.axes ? FromFront(*options.axes, wide.rank()) : Others({}, wide.rank());
  for (int64_t extent : Pick(wide.dims(), axes)) count *= extent;
  return Convert(Divide(sum, static_cast<double>(count)), dtype);
}

Tensor ArgMax(const Operand& x, int axis) {
  return AddOp(kArgMax, {{x.tensor()}}, {{"axis", FromFront(axis, x.tensor().rank())}}, x.where());
}

std::span<const OpDef* const> ReduceOps() {
  static constexpr const OpDef* kOps[] = {&kReduceSum, &kReduceMax, &kReduceMin, &kReduceAnd, &kReduceOr, &kArgMax};
  return kOps;
}

}  // namespace replicator
