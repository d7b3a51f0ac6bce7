#include "ops/push.h"

#include "graph/build_context.h"
#include "graph/emitter.h"
#include "graph/placement.h"
#include "ops/registry.h"
#include "replicator/ops/elementwise.h"

namespace replicator {
namespace {

bool IsAsynchronous(SourceLocation where) { return BuildContext::Current(where).options().asynchronous; }

}  // namespace

const OpDef kPush{
    .name = "push",
    .infer = +[](const InferContext& context) -> std::vector<Shape> { return {context.operands[0]}; },
    .gradient = Gradient::Rule(+[](const GradientContext& g) -> std::vector<Tensor> { return {g.cotangent()}; }),
    .lower = +[](const Node&, std::span<const SsaValue> operands, Emitter&) -> std::vector<SsaValue> {
      return {operands[0]};
    },
    .samples = +[]() -> std::vector<Sample> {
      return {{"mean", {{DType::kF64, {2, 3}}}, {{"over_groups", "mean"}}},
              {"sum", {{DType::kF64, {}}}, {{"over_groups", "sum"}}}};
    },
    .oracle = +[](std::span<const Literal> in, const Attributes&) -> std::vector<Literal> { return {in[0]}; },
};

const OpDef kUpdateScale{
    .name = "update_scale",
    .infer = +[](const InferContext&) -> std::vector<Shape> { return {Shape{DType::kF32, {}}}; },
    .typing = TypingRule::kReplicated,
    .gradient = Gradient::Zero("it is a number that the store gives"),
    .lower = +[](const Node&, std::span<const SsaValue>, Emitter& emitter) -> std::vector<SsaValue> {
      return {emitter.Constant(Literal::Scalar(1.0f))};
    },
    .samples = +[]() -> std::vector<Sample> { return {{"scalar", {}}}; },
    .oracle =
        +[](std::span<const Literal>, const Attributes&) -> std::vector<Literal> { return {Literal::Scalar(1.0f)}; },
};

Tensor Push(const Tensor& x, ReduceOp over_groups, SourceLocation where) {
  if (!IsAsynchronous(where)) return x;
  const PlacementScope placement(x.logical_device());
  const std::vector<Tensor> operands = {x};
  return AddOp(kPush, operands, {{"over_groups", over_groups == ReduceOp::kSum ? "sum" : "mean"}}, where);
}

Tensor UpdateScale(DType dtype, SourceLocation where) {
  if (!IsAsynchronous(where)) return {};
  return Convert({AddOp(kUpdateScale, {}, {}, where), where}, dtype);
}

std::span<const OpDef* const> PushOps() {
  static const OpDef* const kOps[] = {&kPush, &kUpdateScale};
  return kOps;
}

}  // namespace replicator
