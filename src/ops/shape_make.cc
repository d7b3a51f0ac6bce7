// Making tensors: constants and indices.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "graph/build_context.h"
#include "graph/emitter.h"
#include "ops/axes.h"
#include "ops/shape_ops.h"
#include "ops/tabulate.h"
#include "replicator/graph/graph_error.h"
#include "replicator/ops/elementwise.h"
#include "replicator/ops/shape.h"

namespace replicator {

bool Representable(double value, DType dtype) {
  return VisitDType(dtype, [&]<typename T>() {
    if constexpr (std::is_same_v<T, bool>) {
      return value == 0 || value == 1;
    } else if constexpr (std::is_integral_v<T>) {
      // The limits as powers of two: max() itself may round up as a double.
      const double above = std::ldexp(1.0, std::numeric_limits<T>::digits);
      return value == std::trunc(value) && value < above && value >= (std::is_signed_v<T> ? -above : 0.0);
    } else {
      return !std::isfinite(value) || std::isfinite(ConvertElement<double>(ConvertElement<T>(value)));
    }
  });
}

const OpDef kConstant{
    .name = "constant",
    .infer =
        +[](const InferContext& context) -> std::vector<Shape> { return {context.attributes.Value("value").shape()}; },
    .typing = TypingRule::kReplicated,
    .gradient = Gradient::Zero("a constant has no operands"),
    .lower = +[](const Node& node, std::span<const SsaValue>, Emitter& emitter) -> std::vector<SsaValue> {
      return {emitter.Constant(node.attributes.Value("value"))};
    },
    .samples = +[]() -> std::vector<Sample> {
      const double infinity = std::numeric_limits<double>::infinity();
      return {
          {.name = "scalar", .attributes = {{"value", Literal::Scalar(0.1)}}},
          {.name = "matrix", .attributes = {{"value", Literal::FromValues<float>({2, 3}, {1, -2, 3e-30f, 4, 5, 6})}}},
          {.name = "special", .attributes = {{"value", Literal::FromValues<double>({3}, {infinity, -infinity, -0.0})}}},
          {.name = "bool", .attributes = {{"value", Literal::FromValues<bool>({3}, {true, false, true})}}},
          {.name = "u64", .attributes = {{"value", Literal::FromValues<uint64_t>({2}, {1ull << 63, 7})}}},
          {.name = "empty", .attributes = {{"value", Literal{Shape{DType::kI32, {0, 2}}}}}}};
    },
    .oracle = +[](std::span<const Literal>, const Attributes& attributes) -> std::vector<Literal> {
      return {attributes.Value("value")};
    },
};

const OpDef kIota{
    .name = "iota",
    .infer = +[](const InferContext& context) -> std::vector<Shape> {
      const Shape result{context.attributes.Type("dtype"), context.attributes.Ints("dims")};
      RequireExtents(result.dims);
      RequireAxes({context.attributes.Int("axis")}, result.rank());
      Require(result.dtype != DType::kBool, "bool has no indices; ask for an integer or a floating type");
      return {result};
    },
    .typing = TypingRule::kReplicated,
    .gradient = Gradient::Zero("an index has no operands"),
    .lower = +[](const Node& node, std::span<const SsaValue>, Emitter& emitter) -> std::vector<SsaValue> {
      return {emitter.Emit("stablehlo.iota", {}, fmt::format("iota_dimension = {} : i64", node.attributes.Int("axis")),
                           node.results[0])};
    },
    .samples = +[]() -> std::vector<Sample> {
      const auto sample = [](const char* name, DType dtype, Dims dims, int64_t axis) {
        return Sample{.name = name, .attributes = {{"dtype", dtype}, {"dims", dims}, {"axis", axis}}};
      };
      return {sample("vector", DType::kI32, {5}, 0), sample("columns", DType::kF64, {3, 4}, 1),
              sample("middle", DType::kU8, {2, 3, 2}, 1), sample("empty", DType::kI64, {0, 3}, 0)};
    },
    .oracle = +[](std::span<const Literal>, const Attributes& attributes) -> std::vector<Literal> {
      const auto axis = static_cast<size_t>(attributes.Int("axis"));
      return {Tabulate(Shape{attributes.Type("dtype"), attributes.Ints("dims")},
                       [&](const Dims& index) { return static_cast<double>(index[axis]); })};
    },
};

Tensor Constant(const Literal& value, SourceLocation where) { return AddOp(kConstant, {}, {{"value", value}}, where); }

Tensor Constant(double value, DType dtype, SourceLocation where) {
  if (!Representable(value, dtype)) {
    throw GraphError("constant", {Shape{dtype, {}}},
                     fmt::format("{} cannot be represented in {}", value, ToString(dtype)), CallSite::Chain(where));
  }
  return Constant(Literal::Scalar(value).ConvertTo(dtype), where);
}

Tensor Full(const Shape& shape, double value, SourceLocation where) {
  return BroadcastTo({Constant(value, shape.dtype, where), where}, shape.dims);
}
Tensor Zeros(const Shape& shape, SourceLocation where) { return Full(shape, 0, where); }
Tensor Ones(const Shape& shape, SourceLocation where) { return Full(shape, 1, where); }
Tensor ZerosLike(const Operand& x) { return Full(x.tensor().shape(), 0, x.where()); }
Tensor OnesLike(const Operand& x) { return Full(x.tensor().shape(), 1, x.where()); }

Tensor Iota(const Shape& shape, int axis, SourceLocation where) {
  return AddOp(kIota, {}, {{"dtype", shape.dtype}, {"dims", shape.dims}, {"axis", FromFront(axis, shape.rank())}},
               where);
}

Tensor OneHot(const Operand& x, int64_t depth, DType dtype) {
  const CallSite site(x.where());
  const Tensor& index = x.tensor();
  if (!IsInteger(index.dtype()) || depth < 0 || depth > std::numeric_limits<int32_t>::max()) {
    throw GraphError("one_hot", {index.shape()},
                     fmt::format("integer indices and a depth in [0, 2^31) are needed, not {} and {}",
                                 ToString(index.dtype()), depth),
                     CallSite::Chain(x.where()));
  }
  // Narrow types could not count up to `depth`.
  const DType wide = ByteSize(index.dtype()) < 4 ? DType::kI32 : index.dtype();
  return Convert(Equal(ExpandDims(Convert(x, wide), -1), Iota(Shape{wide, {depth}})), dtype);
}

}  // namespace replicator
