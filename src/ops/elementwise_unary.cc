#include <cmath>

#include "ops/elementwise_rules.h"
#include "ops/operands.h"
#include "ops/registry.h"
#include "replicator/ops/elementwise.h"
#include "replicator/ops/shape.h"

namespace replicator {
namespace {

using Tensors = std::vector<Tensor>;
using Context = const GradientContext&;

template <int kLow10, int kHigh10>  // tenths
std::vector<Sample> FloatSamples() {
  return UnarySamples(DType::kF64, kLow10 / 10.0, kHigh10 / 10.0);
}

const OpDef kNegate{
    .name = "negate",
    .infer = SameShape<SignedOrFloating>,
    .gradient = Gradient::Rule(+[](Context g) -> Tensors { return {-g.cotangent()}; }),
    .lower = LowerNary,
    .samples = FloatSamples<-20, 20>,
    .oracle = UnaryOracle<(+[](double x) { return -x; })>,
};
const OpDef kAbs{
    .name = "abs",
    .infer = SameShape<SignedOrFloating>,
    .gradient = Gradient::Rule(+[](Context g) -> Tensors { return {g.cotangent() * Sign(g.operand(0))}; }),
    .lower = LowerNary,
    .samples = FloatSamples<-20, 20>,
    .oracle = UnaryOracle<std::fabs>,
};
const OpDef kSign{
    .name = "sign",
    .infer = SameShape<SignedOrFloating>,
    .gradient = Gradient::Zero("it is constant between its steps"),
    .lower = LowerNary,
    .samples = FloatSamples<-20, 20>,
    .oracle = UnaryOracle<(+[](double x) { return x > 0   ? 1.0
                                                  : x < 0 ? -1.0
                                                          : x; })>,
};
const OpDef kExponential{
    .name = "exponential",
    .infer = SameShape<IsFloating>,
    .gradient = Gradient::Rule(+[](Context g) -> Tensors { return {g.cotangent() * g.result()}; }),
    .lower = LowerNary,
    .samples = FloatSamples<-20, 20>,
    .oracle = UnaryOracle<std::exp>,
};
const OpDef kExponentialMinusOne{
    .name = "exponential_minus_one",
    .infer = SameShape<IsFloating>,
    .gradient = Gradient::Rule(+[](Context g) -> Tensors { return {g.cotangent() * (g.result() + 1)}; }),
    .lower = LowerNary,
    .samples = FloatSamples<-20, 20>,
    .oracle = UnaryOracle<std::expm1>,
};
const OpDef kLog{
    .name = "log",
    .infer = SameShape<IsFloating>,
    .gradient = Gradient::Rule(+[](Context g) -> Tensors { return {g.cotangent() / g.operand(0)}; }),
    .lower = LowerNary,
    .samples = FloatSamples<2, 30>,
    .oracle = UnaryOracle<std::log>,
};
const OpDef kLogPlusOne{
    .name = "log_plus_one",
    .infer = SameShape<IsFloating>,
    .gradient = Gradient::Rule(+[](Context g) -> Tensors { return {g.cotangent() / (g.operand(0) + 1)}; }),
    .lower = LowerNary,
    .samples = FloatSamples<-5, 30>,
    .oracle = UnaryOracle<std::log1p>,
};
const OpDef kSqrt{
    .name = "sqrt",
    .infer = SameShape<IsFloating>,
    .gradient = Gradient::Rule(+[](Context g) -> Tensors { return {g.cotangent() * 0.5 / g.result()}; }),
    .lower = LowerNary,
    .samples = FloatSamples<2, 30>,
    .oracle = UnaryOracle<std::sqrt>,
};
const OpDef kRsqrt{
    .name = "rsqrt",
    .infer = SameShape<IsFloating>,
    .gradient =
        Gradient::Rule(+[](Context g) -> Tensors { return {g.cotangent() * -0.5 * g.result() / g.operand(0)}; }),
    .lower = LowerNary,
    .samples = FloatSamples<2, 30>,
    .oracle = UnaryOracle<(+[](double x) { return 1 / std::sqrt(x); })>,
};
const OpDef kTanh{
    .name = "tanh",
    .infer = SameShape<IsFloating>,
    .gradient = Gradient::Rule(+[](Context g) -> Tensors { return {g.cotangent() * (1 - g.result() * g.result())}; }),
    .lower = LowerNary,
    .samples = FloatSamples<-20, 20>,
    .oracle = UnaryOracle<std::tanh>,
};
const OpDef kLogistic{
    .name = "logistic",
    .infer = SameShape<IsFloating>,
    .gradient = Gradient::Rule(+[](Context g) -> Tensors { return {g.cotangent() * g.result() * (1 - g.result())}; }),
    .lower = LowerNary,
    .samples = FloatSamples<-20, 20>,
    .oracle = UnaryOracle<(+[](double x) { return 1 / (1 + std::exp(-x)); })>,
};
const OpDef kSine{
    .name = "sine",
    .infer = SameShape<IsFloating>,
    .gradient = Gradient::Rule(+[](Context g) -> Tensors { return {g.cotangent() * Cosine(g.operand(0))}; }),
    .lower = LowerNary,
    .samples = FloatSamples<-20, 20>,
    .oracle = UnaryOracle<std::sin>,
};
const OpDef kCosine{
    .name = "cosine",
    .infer = SameShape<IsFloating>,
    .gradient = Gradient::Rule(+[](Context g) -> Tensors { return {-(g.cotangent() * Sine(g.operand(0)))}; }),
    .lower = LowerNary,
    .samples = FloatSamples<-20, 20>,
    .oracle = UnaryOracle<std::cos>,
};
const OpDef kFloor{
    .name = "floor",
    .infer = SameShape<IsFloating>,
    .gradient = Gradient::Zero("it is constant between its steps"),
    .lower = LowerNary,
    .samples = FloatSamples<-20, 20>,
    .oracle = UnaryOracle<std::floor>,
};
const OpDef kCeil{
    .name = "ceil",
    .infer = SameShape<IsFloating>,
    .gradient = Gradient::Zero("it is constant between its steps"),
    .lower = LowerNary,
    .samples = FloatSamples<-20, 20>,
    .oracle = UnaryOracle<std::ceil>,
};
// Not composed of maximum: the derivative at 0 is 0, as everywhere in the field, and the backward pass needs one mask
// only.
const OpDef kRelu{
    .name = "relu",
    .infer = SameShape<SignedOrFloating>,
    .gradient = Gradient::Rule(+[](Context g) -> Tensors { return {Select(g.result() > 0, g.cotangent(), 0)}; }),
    .lower = +[](const Node& node, std::span<const SsaValue> operands, Emitter& emitter) -> std::vector<SsaValue> {
      const Shape& shape = node.results[0];
      return {emitter.Emit("stablehlo.maximum", {operands[0], emitter.Splat(0, shape)}, "", shape)};
    },
    .samples = FloatSamples<-20, 20>,
    .oracle = UnaryOracle<(+[](double x) { return x > 0   ? x
                                                  : x < 0 ? 0.0
                                                          : x; })>,
};
const OpDef kNot{
    .name = "not",
    .infer = SameShape<Bitwise>,
    .gradient = Gradient::Zero("bits have no derivative"),
    .lower = LowerNary,
    .samples = +[] { return UnarySamples(DType::kBool, -2, 2); },
    .oracle = UnaryOracle<(+[](double x) { return x == 0 ? 1.0 : 0.0; })>,
};
const OpDef kIsFinite{
    .name = "is_finite",
    .infer = +[](const InferContext& context) -> std::vector<Shape> {
      SameShape<IsFloating>(context);
      return {Shape{DType::kBool, context.operands[0].dims}};
    },
    .gradient = Gradient::Zero("a truth value has no derivative"),
    .lower = LowerNary,
    .samples = FloatSamples<-20, 20>,
    .oracle =
        +[](std::span<const Literal> in, const Attributes&) {
          return MapElements(in, DType::kBool,
                             [](std::span<const double> x) { return std::isfinite(x[0]) ? 1.0 : 0.0; });
        },
};
const OpDef kConvert{
    .name = "convert",
    .infer = +[](const InferContext& context) -> std::vector<Shape> {
      return {Shape{context.attributes.Type("dtype"), context.operands[0].dims}};
    },
    .gradient = Gradient::Rule(+[](Context g) -> Tensors {
      const DType from = g.operand(0).dtype();
      if (!IsFloating(from) || !IsFloating(g.result().dtype())) return {Tensor()};
      return {Convert(g.cotangent(), from)};
    }),
    .lower = LowerNary,
    .samples = +[]() -> std::vector<Sample> {
      return {{"narrow", {{DType::kF64, {4}}}, {{"dtype", DType::kF32}}, -2, 2, 1e-2},
              {"to_integer", {{DType::kF64, {4}}}, {{"dtype", DType::kI32}}},
              {"to_bool", {{DType::kI32, {4}}}, {{"dtype", DType::kBool}}},
              {"from_unsigned", {{DType::kU8, {2, 2}}}, {{"dtype", DType::kF32}}, 0, 9}};
    },
    .oracle = +[](std::span<const Literal> in, const Attributes& attributes) -> std::vector<Literal> {
      return {in[0].ConvertTo(attributes.Type("dtype"))};
    },
};
const OpDef kStopGradient{
    .name = "stop_gradient",
    .infer = SameShape<AnyDType>,
    .gradient = Gradient::Zero("that is its purpose"),
    .lower = +[](const Node&, std::span<const SsaValue> operands, Emitter&) -> std::vector<SsaValue> {
      return {operands[0]};
    },
    .samples = FloatSamples<-20, 20>,
    .oracle = UnaryOracle<(+[](double x) { return x; })>,
};

Tensor Unary(const OpDef& op, const Operand& x) { return AddElementwise(op, {x}); }

}  // namespace

Tensor Negate(const Operand& x) { return Unary(kNegate, x); }
Tensor Abs(const Operand& x) { return Unary(kAbs, x); }
Tensor Sign(const Operand& x) { return Unary(kSign, x); }
Tensor Square(const Operand& x) { return Multiply(x, x); }
Tensor Exp(const Operand& x) { return Unary(kExponential, x); }
Tensor Expm1(const Operand& x) { return Unary(kExponentialMinusOne, x); }
Tensor Log(const Operand& x) { return Unary(kLog, x); }
Tensor Log1p(const Operand& x) { return Unary(kLogPlusOne, x); }
Tensor Sqrt(const Operand& x) { return Unary(kSqrt, x); }
Tensor Rsqrt(const Operand& x) { return Unary(kRsqrt, x); }
Tensor Tanh(const Operand& x) { return Unary(kTanh, x); }
Tensor Logistic(const Operand& x) { return Unary(kLogistic, x); }
Tensor Sine(const Operand& x) { return Unary(kSine, x); }
Tensor Cosine(const Operand& x) { return Unary(kCosine, x); }
Tensor Floor(const Operand& x) { return Unary(kFloor, x); }
Tensor Ceil(const Operand& x) { return Unary(kCeil, x); }
Tensor Relu(const Operand& x) { return Unary(kRelu, x); }
Tensor IsFinite(const Operand& x) { return Unary(kIsFinite, x); }
Tensor Not(const Operand& x) { return Unary(kNot, x); }
Tensor StopGradient(const Operand& x) { return Unary(kStopGradient, x); }

Tensor Convert(const Operand& x, DType dtype) {
  if (x.is_number()) return AsTensor(kConvert, x, dtype);
  if (x.tensor().dtype() == dtype) return x.tensor();
  return AddElementwise(kConvert, {x}, {{"dtype", dtype}});
}

std::span<const OpDef* const> UnaryOps() {
  static const OpDef* const kOps[] = {&kNegate,   &kAbs,        &kSign,     &kExponential, &kExponentialMinusOne,
                                      &kLog,      &kLogPlusOne, &kSqrt,     &kRsqrt,       &kTanh,
                                      &kLogistic, &kSine,       &kCosine,   &kFloor,       &kCeil,
                                      &kRelu,     &kNot,        &kIsFinite, &kConvert,     &kStopGradient};
  return kOps;
}

}  // namespace replicator
