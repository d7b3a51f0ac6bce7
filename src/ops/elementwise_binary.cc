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
  return BinarySamples(DType::kF64, kLow10 / 10.0, kHigh10 / 10.0);
}

// 1 where `first` is the chosen operand, 1/2 where the two are equal.
Tensor Share(const Tensor& chosen, const Tensor& equal, DType dtype) {
  return Convert(chosen, dtype) + Convert(equal, dtype) * 0.5;
}

const OpDef kAdd{
    .name = "add",
    .infer = SameShape<Numeric>,
    .gradient = Gradient::Rule(+[](Context g) -> Tensors { return {g.cotangent(), g.cotangent()}; }),
    .lower = LowerNary,
    .samples = FloatSamples<-20, 20>,
    .oracle = BinaryOracle<(+[](double x, double y) { return x + y; })>,
};
const OpDef kSubtract{
    .name = "subtract",
    .infer = SameShape<Numeric>,
    .gradient =
        Gradient::Rule(+[](Context g) -> Tensors { return {g.cotangent(), g.needs(1) ? -g.cotangent() : Tensor()}; }),
    .lower = LowerNary,
    .samples = FloatSamples<-20, 20>,
    .oracle = BinaryOracle<(+[](double x, double y) { return x - y; })>,
};
const OpDef kMultiply{
    .name = "multiply",
    .infer = SameShape<Numeric>,
    .gradient = Gradient::Rule(+[](Context g) -> Tensors {
      return {g.needs(0) ? g.cotangent() * g.operand(1) : Tensor(),
              g.needs(1) ? g.cotangent() * g.operand(0) : Tensor()};
    }),
    .lower = LowerNary,
    .samples = FloatSamples<-20, 20>,
    .oracle = BinaryOracle<(+[](double x, double y) { return x * y; })>,
};
const OpDef kDivide{
    .name = "divide",
    .infer = SameShape<Numeric>,
    .gradient = Gradient::Rule(+[](Context g) -> Tensors {
      const Tensor dx = g.cotangent() / g.operand(1);
      return {dx, g.needs(1) ? -(dx * g.result()) : Tensor()};
    }),
    .lower = LowerNary,
    .samples = FloatSamples<2, 30>,
    .oracle = BinaryOracle<(+[](double x, double y) { return x / y; })>,
};
const OpDef kRemainder{
    .name = "remainder",
    .infer = SameShape<Numeric>,
    .gradient = Gradient::Rule(+[](Context g) -> Tensors {
      if (!g.needs(1)) return {g.cotangent(), Tensor()};
      const Tensor quotient = (g.operand(0) - g.result()) / g.operand(1);  // x / y, truncated
      return {g.cotangent(), -(g.cotangent() * StopGradient(quotient))};
    }),
    .lower = LowerNary,
    .samples = FloatSamples<7, 30>,
    .oracle = BinaryOracle<std::fmod>,
};
const OpDef kPower{
    .name = "power",
    .infer = SameShape<Numeric>,
    .gradient = Gradient::Rule(+[](Context g) -> Tensors {
      const Tensor x = g.operand(0), y = g.operand(1);
      Tensor dx, dy;
      if (g.needs(0)) dx = g.cotangent() * y * Power(x, y - 1);
      // x^y log x, which is 0 at x = 0 for y > 0 although log x is not finite there.
      if (g.needs(1)) dy = g.cotangent() * g.result() * Log(Select(Equal(x, 0), 1, x));
      return {dx, dy};
    }),
    .lower = LowerNary,
    .samples = FloatSamples<2, 25>,
    .oracle = BinaryOracle<std::pow>,
};
const OpDef kMaximum{
    .name = "maximum",
    .infer = SameShape<AnyDType>,
    .gradient = Gradient::Rule(+[](Context g) -> Tensors {
      const Tensor x = g.operand(0), y = g.operand(1), equal = Equal(x, y);
      const auto share = [&](const Tensor& wins) { return g.cotangent() * Share(wins, equal, x.dtype()); };
      return {g.needs(0) ? share(x > y) : Tensor(), g.needs(1) ? share(y > x) : Tensor()};
    }),
    .lower = LowerNary,
    .samples = FloatSamples<-20, 20>,
    .oracle = BinaryOracle<(+[](double x, double y) { return x > y ? x : y; })>,
};
const OpDef kMinimum{
    .name = "minimum",
    .infer = SameShape<AnyDType>,
    .gradient = Gradient::Rule(+[](Context g) -> Tensors {
      const Tensor x = g.operand(0), y = g.operand(1), equal = Equal(x, y);
      const auto share = [&](const Tensor& wins) { return g.cotangent() * Share(wins, equal, x.dtype()); };
      return {g.needs(0) ? share(x < y) : Tensor(), g.needs(1) ? share(y < x) : Tensor()};
    }),
    .lower = LowerNary,
    .samples = FloatSamples<-20, 20>,
    .oracle = BinaryOracle<(+[](double x, double y) { return x < y ? x : y; })>,
};

constexpr std::string_view kNoBits = "bits have no derivative";
uint32_t Word(double x) { return static_cast<uint32_t>(x); }
std::vector<Sample> WordSamples() { return BinarySamples(DType::kU32, 0, 31); }
const OpDef kAnd{
    .name = "and",
    .infer = SameShape<Bitwise>,
    .gradient = Gradient::Zero(kNoBits),
    .lower = LowerNary,
    .samples = WordSamples,
    .oracle = BinaryOracle<(+[](double x, double y) -> double { return Word(x) & Word(y); })>,
};
const OpDef kOr{
    .name = "or",
    .infer = SameShape<Bitwise>,
    .gradient = Gradient::Zero(kNoBits),
    .lower = LowerNary,
    .samples = WordSamples,
    .oracle = BinaryOracle<(+[](double x, double y) -> double { return Word(x) | Word(y); })>,
};
const OpDef kXor{
    .name = "xor",
    .infer = SameShape<Bitwise>,
    .gradient = Gradient::Zero(kNoBits),
    .lower = LowerNary,
    .samples = WordSamples,
    .oracle = BinaryOracle<(+[](double x, double y) -> double { return Word(x) ^ Word(y); })>,
};
const OpDef kShiftLeft{
    .name = "shift_left",
    .infer = SameShape<IsInteger>,
    .gradient = Gradient::Zero(kNoBits),
    .lower = LowerNary,
    .samples = WordSamples,
    .oracle = BinaryOracle<(+[](double x, double y) -> double { return Word(x) << Word(y); })>,
};
const OpDef kShiftRightLogical{
    .name = "shift_right_logical",
    .infer = SameShape<IsInteger>,
    .gradient = Gradient::Zero(kNoBits),
    .lower = LowerNary,
    .samples = WordSamples,
    .oracle = BinaryOracle<(+[](double x, double y) -> double { return Word(x) >> Word(y); })>,
};

// Attribute "direction": EQ, NE, LT, LE, GT or GE.
const OpDef kCompare{
    .name = "compare",
    .infer = +[](const InferContext& context) -> std::vector<Shape> {
      SameShape<AnyDType>(context);
      return {Shape{DType::kBool, context.operands[0].dims}};
    },
    .gradient = Gradient::Zero("a truth value has no derivative"),
    .lower = +[](const Node& node, std::span<const SsaValue> operands, Emitter& emitter) -> std::vector<SsaValue> {
      const std::string attributes =
          "comparison_direction = #stablehlo<comparison_direction " + node.attributes.String("direction") + ">";
      return emitter.EmitMany("stablehlo.compare", operands, attributes, {}, node.results);
    },
    .samples = +[]() -> std::vector<Sample> {
      std::vector<Sample> samples;
      for (const char* direction : {"EQ", "NE", "LT", "LE", "GT", "GE"}) {
        samples.push_back({direction, {{DType::kI32, {7}}, {DType::kI32, {7}}}, {{"direction", direction}}});
      }
      samples.push_back({"unsigned", {{DType::kU8, {7}}, {DType::kU8, {7}}}, {{"direction", "LT"}}, 0, 4});
      samples.push_back({"floating", {{DType::kF64, {7}}, {DType::kF64, {7}}}, {{"direction", "LT"}}});
      return samples;
    },
    .oracle =
        +[](std::span<const Literal> in, const Attributes& attributes) {
          const std::string& direction = attributes.String("direction");
          return MapElements(in, DType::kBool, [&](std::span<const double> x) {
            const bool less = x[0] < x[1], equal = x[0] == x[1];
            if (direction == "EQ") return equal ? 1.0 : 0.0;
            if (direction == "NE") return equal ? 0.0 : 1.0;
            if (direction == "LT") return less ? 1.0 : 0.0;
            if (direction == "LE") return less || equal ? 1.0 : 0.0;
            if (direction == "GT") return less || equal ? 0.0 : 1.0;
            return less ? 0.0 : 1.0;
          });
        },
};

const OpDef kSelect{
    .name = "select",
    .infer = +[](const InferContext& context) -> std::vector<Shape> {
      Require(context.operands[0].dtype == DType::kBool, "the condition must be bool; compare, or convert it");
      const Shape& chosen = context.operands[1];
      Require(context.operands[0].dims == chosen.dims, [&] {
        return "the condition " + ToString(context.operands[0].dims) + " does not broadcast with " +
               ToString(chosen.dims);
      });
      return SameShape<AnyDType>({context.operands.subspan(1), context.attributes, {}});
    },
    .gradient = Gradient::Rule(+[](Context g) -> Tensors {
      return {Tensor(), g.needs(1) ? Select(g.operand(0), g.cotangent(), 0) : Tensor(),
              g.needs(2) ? Select(g.operand(0), 0, g.cotangent()) : Tensor()};
    }),
    .lower = LowerNary,
    .samples = +[]() -> std::vector<Sample> {
      return {{"matrix", {{DType::kBool, {2, 3}}, {DType::kF64, {2, 3}}, {DType::kF64, {2, 3}}}},
              {"scalar", {{DType::kBool, {}}, {DType::kF64, {}}, {DType::kF64, {}}}}};
    },
    .oracle =
        +[](std::span<const Literal> in, const Attributes&) {
          return MapElements(in, in[1].dtype(), [](std::span<const double> x) { return x[0] != 0 ? x[1] : x[2]; });
        },
};

Tensor Compare(const Operand& x, const Operand& y, const char* direction) {
  return AddElementwise(kCompare, {x, y}, {{"direction", direction}});
}

}  // namespace

Tensor Add(const Operand& x, const Operand& y) { return AddElementwise(kAdd, {x, y}); }
Tensor Subtract(const Operand& x, const Operand& y) { return AddElementwise(kSubtract, {x, y}); }
Tensor Multiply(const Operand& x, const Operand& y) { return AddElementwise(kMultiply, {x, y}); }
Tensor Divide(const Operand& x, const Operand& y) { return AddElementwise(kDivide, {x, y}); }
Tensor Remainder(const Operand& x, const Operand& y) { return AddElementwise(kRemainder, {x, y}); }
Tensor Power(const Operand& x, const Operand& y) { return AddElementwise(kPower, {x, y}); }
Tensor Maximum(const Operand& x, const Operand& y) { return AddElementwise(kMaximum, {x, y}); }
Tensor Minimum(const Operand& x, const Operand& y) { return AddElementwise(kMinimum, {x, y}); }
Tensor And(const Operand& x, const Operand& y) { return AddElementwise(kAnd, {x, y}); }
Tensor Or(const Operand& x, const Operand& y) { return AddElementwise(kOr, {x, y}); }
Tensor Xor(const Operand& x, const Operand& y) { return AddElementwise(kXor, {x, y}); }
Tensor ShiftLeft(const Operand& x, const Operand& y) { return AddElementwise(kShiftLeft, {x, y}); }
Tensor ShiftRightLogical(const Operand& x, const Operand& y) { return AddElementwise(kShiftRightLogical, {x, y}); }
Tensor Equal(const Operand& x, const Operand& y) { return Compare(x, y, "EQ"); }
Tensor NotEqual(const Operand& x, const Operand& y) { return Compare(x, y, "NE"); }
Tensor Less(const Operand& x, const Operand& y) { return Compare(x, y, "LT"); }
Tensor LessEqual(const Operand& x, const Operand& y) { return Compare(x, y, "LE"); }
Tensor Greater(const Operand& x, const Operand& y) { return Compare(x, y, "GT"); }
Tensor GreaterEqual(const Operand& x, const Operand& y) { return Compare(x, y, "GE"); }

Tensor Select(const Operand& condition, const Operand& on_true, const Operand& on_false) {
  // The condition takes part in broadcasting, but its dtype must not decide that of a number among the other two.
  const std::vector<Tensor> values = Harmonise(kSelect, {on_true, on_false});
  const Tensor& predicate = condition.tensor();
  std::vector<Tensor> operands = {predicate, values[0], values[1]};
  if (const auto dims = BroadcastDims(predicate.dims(), values[0].dims())) {
    for (Tensor& operand : operands) {
      if (operand.dims() != *dims) operand = BroadcastTo(Operand(operand, condition.where()), *dims);
    }
  }
  return AddOp(kSelect, operands, {}, condition.where());
}

Tensor Clamp(const Operand& low, const Operand& x, const Operand& high) { return Minimum(Maximum(x, low), high); }

std::span<const OpDef* const> BinaryOps() {
  static const OpDef* const kOps[] = {&kAdd,   &kSubtract,  &kMultiply,          &kDivide,  &kRemainder,
                                      &kPower, &kMaximum,   &kMinimum,           &kAnd,     &kOr,
                                      &kXor,   &kShiftLeft, &kShiftRightLogical, &kCompare, &kSelect};
  return kOps;
}

}  // namespace replicator
