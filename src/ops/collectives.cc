#include "ops/collectives.h"

#include "graph/emitter.h"
#include "ops/elementwise_rules.h"
#include "ops/operands.h"
#include "ops/registry.h"
#include "replicator/graph/replica_context.h"
#include "replicator/ops/elementwise.h"
#include "replicator/ops/shape.h"

namespace replicator {
namespace {

using Tensors = std::vector<Tensor>;
using Context = const GradientContext&;

int NumReplicas() { return ReplicaContext::Current().num_replicas(); }

std::string ReplicaGroups(int num_replicas) {
  std::string ids;
  for (int r = 0; r < num_replicas; ++r) ids += (r == 0 ? "" : ", ") + std::to_string(r);
  return "replica_groups = dense<[[" + ids + "]]> : tensor<1x" + std::to_string(num_replicas) + "xi64>";
}

// One all_reduce with `op` as its computation; the operand itself for one replica.
SsaValue AllReduce(Emitter& emitter, std::string_view op, const SsaValue& operand) {
  if (emitter.num_replicas() == 1) return operand;
  const Shape scalar{operand.shape.dtype, {}};
  const std::vector<Shape> arguments = {scalar, scalar};
  std::string region = emitter.Region(arguments, [&](std::span<const SsaValue> args) -> std::vector<SsaValue> {
    return {emitter.Emit(op, {args[0], args[1]}, "", scalar)};
  });
  return emitter.Emit("stablehlo.all_reduce", {operand}, ReplicaGroups(emitter.num_replicas()), operand.shape,
                      {std::move(region)});
}

SsaValue ReplicaId(Emitter& emitter) { return emitter.Emit("stablehlo.replica_id", {}, "", Shape{DType::kU32, {}}); }

std::vector<SsaValue> LowerAllSum(const Node&, std::span<const SsaValue> operands, Emitter& emitter) {
  return {AllReduce(emitter, "stablehlo.add", operands[0])};
}
std::vector<SsaValue> LowerAllMean(const Node& node, std::span<const SsaValue> operands, Emitter& emitter) {
  if (emitter.num_replicas() == 1) return {operands[0]};
  const SsaValue sum = AllReduce(emitter, "stablehlo.add", operands[0]);
  return {
      emitter.Emit("stablehlo.divide", {sum, emitter.Splat(emitter.num_replicas(), sum.shape)}, "", node.results[0])};
}
std::vector<SsaValue> LowerAllMin(const Node&, std::span<const SsaValue> operands, Emitter& emitter) {
  return {AllReduce(emitter, "stablehlo.minimum", operands[0])};
}
std::vector<SsaValue> LowerAllMax(const Node&, std::span<const SsaValue> operands, Emitter& emitter) {
  return {AllReduce(emitter, "stablehlo.maximum", operands[0])};
}

std::vector<Shape> InferAllGather(const InferContext& context) {
  Shape shape = context.operands[0];
  shape.dims.insert(shape.dims.begin(), context.attributes.Int("num_replicas"));
  return {shape};
}
std::vector<SsaValue> LowerAllGather(const Node& node, std::span<const SsaValue> operands, Emitter& emitter) {
  Shape row = operands[0].shape;
  row.dims.insert(row.dims.begin(), 1);
  const SsaValue reshaped = emitter.Emit("stablehlo.reshape", {operands[0]}, "", row);
  if (emitter.num_replicas() == 1) return {reshaped};
  return {emitter.Emit("stablehlo.all_gather", {reshaped},
                       "all_gather_dim = 0 : i64, " + ReplicaGroups(emitter.num_replicas()), node.results[0])};
}

std::vector<Shape> InferBroadcast(const InferContext& context) {
  const int64_t source = context.attributes.Int("source"), replicas = context.attributes.Int("num_replicas");
  Require(source >= 0 && source < replicas, [&] {
    return "the source replica is " + std::to_string(source) + ", but there are " + std::to_string(replicas) +
           " replicas; it must be at least 0 and less than that";
  });
  return {context.operands[0]};
}
// The sum over replicas of the source's bits and zeros: exact for every value of every type, NaN and -0 included.
std::vector<SsaValue> LowerBroadcast(const Node& node, std::span<const SsaValue> operands, Emitter& emitter) {
  if (emitter.num_replicas() == 1) return {operands[0]};
  static constexpr DType kBits[] = {DType::kU8, DType::kU16, DType::kU32, DType::kU64};
  const Shape shape = node.results[0], scalar{DType::kU32, {}}, mask{DType::kBool, shape.dims};
  const bool is_bool = shape.dtype == DType::kBool;
  const size_t width = ByteSize(shape.dtype);
  const Shape bits{kBits[width == 1 ? 0 : width == 2 ? 1 : width == 4 ? 2 : 3], shape.dims};
  const char* const cast = is_bool ? "stablehlo.convert" : "stablehlo.bitcast_convert";
  const SsaValue words = emitter.Emit(cast, {operands[0]}, "", bits);
  const SsaValue source = emitter.Splat(static_cast<double>(node.attributes.Int("source")), scalar);
  const SsaValue mine = emitter.Emit("stablehlo.compare", {ReplicaId(emitter), source},
                                     "comparison_direction = #stablehlo<comparison_direction EQ>", {DType::kBool, {}});
  const SsaValue kept = emitter.Emit("stablehlo.select", {mine, words, emitter.Splat(0, bits)}, "", bits);
  return {emitter.Emit(cast, {AllReduce(emitter, "stablehlo.add", kept)}, "", shape)};
}

Tensor OwnedByThisReplica(const Tensor& total, int64_t source) {
  return Select(Equal(ReplicaContext::Current().replica_id(), source), total, 0);
}

std::vector<Sample> OneOperand(DType dtype, Attributes attributes) {
  return {{"matrix", {{dtype, {2, 3}}}, attributes}, {"scalar", {{dtype, {}}}, attributes}};
}

// Ties share the gradient, over all replicas.
Tensors ExtremumGradient(Context g) {
  const Tensor mine = Convert(Equal(g.operand(0), g.result()), g.operand(0).dtype());
  return {mine * TransposedAllSum(g.cotangent()) / TransposedAllSum(mine)};
}

}  // namespace

const OpDef kReplicaId{
    .name = "replica_id",
    .infer = +[](const InferContext&) -> std::vector<Shape> { return {Shape{DType::kU32, {}}}; },
    .typing = TypingRule::kVarying,
    .gradient = Gradient::Zero("it is a number"),
    .lower = +[](const Node&, std::span<const SsaValue>, Emitter& emitter) -> std::vector<SsaValue> {
      return {ReplicaId(emitter)};
    },
    .samples = +[]() -> std::vector<Sample> { return {{"scalar", {}}}; },
};
const OpDef kAllSum{
    .name = "all_sum",
    .infer = SameShape<Numeric>,
    .typing = TypingRule::kReplicated,
    .gradient = Gradient::Rule(+[](Context g) -> Tensors { return {TransposedAllSum(g.cotangent())}; }),
    .lower = LowerAllSum,
    .samples = +[] { return OneOperand(DType::kF64, {{"transposed", false}}); },
    .is_collective = true,
};
const OpDef kAllMean{
    .name = "all_mean",
    .infer = SameShape<IsFloating>,
    .typing = TypingRule::kReplicated,
    .gradient = Gradient::Rule(+[](Context g) -> Tensors { return {TransposedAllSum(g.cotangent()) / NumReplicas()}; }),
    .lower = LowerAllMean,
    .samples = +[] { return OneOperand(DType::kF64, {}); },
    .is_collective = true,
};
const OpDef kAllMin{
    .name = "all_min",
    .infer = SameShape<Numeric>,
    .typing = TypingRule::kReplicated,
    .gradient = Gradient::Rule(ExtremumGradient),
    .lower = LowerAllMin,
    .samples = +[] { return OneOperand(DType::kF64, {}); },
    .is_collective = true,
};
const OpDef kAllMax{
    .name = "all_max",
    .infer = SameShape<Numeric>,
    .typing = TypingRule::kReplicated,
    .gradient = Gradient::Rule(ExtremumGradient),
    .lower = LowerAllMax,
    .samples = +[] { return OneOperand(DType::kF64, {}); },
    .is_collective = true,
};
// Attribute "num_replicas", as in broadcast: their results depend on it.
const OpDef kAllGather{
    .name = "all_gather",
    .infer = InferAllGather,
    .typing = TypingRule::kReplicated,
    .gradient = Gradient::Rule(+[](Context g) -> Tensors {
      const Tensor total = TransposedAllSum(g.cotangent());
      std::vector<Tensor> start(static_cast<size_t>(total.rank()), Constant(0, DType::kU32));
      start[0] = ReplicaContext::Current().replica_id();
      Dims size = total.dims();
      size[0] = 1;
      return {Reshape(DynamicSlice(total, start, size), g.operand(0).dims())};
    }),
    .lower = LowerAllGather,
    .samples = +[] { return OneOperand(DType::kF64, {{"num_replicas", int64_t{1}}}); },
    .is_collective = true,
};
const OpDef kBroadcast{
    .name = "broadcast",
    .infer = InferBroadcast,
    .typing = TypingRule::kReplicated,
    .gradient = Gradient::Rule(+[](Context g) -> Tensors {
      return {OwnedByThisReplica(TransposedAllSum(g.cotangent()), g.node().attributes.Int("source"))};
    }),
    .lower = LowerBroadcast,
    .samples = +[] { return OneOperand(DType::kF64, {{"num_replicas", int64_t{1}}, {"source", int64_t{0}}}); },
    .is_collective = true,
};

Tensor AllSum(const Operand& x) { return AddElementwise(kAllSum, {x}, {{"transposed", false}}); }
Tensor TransposedAllSum(const Tensor& x, SourceLocation where) {
  return AddElementwise(kAllSum, {Operand(x, where)}, {{"transposed", true}});
}
Tensor AllMean(const Operand& x) { return AddElementwise(kAllMean, {x}); }
Tensor AllMin(const Operand& x) { return AddElementwise(kAllMin, {x}); }
Tensor AllMax(const Operand& x) { return AddElementwise(kAllMax, {x}); }
Tensor AllGather(const Operand& x) {
  return AddElementwise(kAllGather, {x}, {{"num_replicas", int64_t{NumReplicas()}}});
}
Tensor Broadcast(const Operand& x, int source) {
  return AddElementwise(kBroadcast, {x}, {{"num_replicas", int64_t{NumReplicas()}}, {"source", int64_t{source}}});
}

Tensor ReplicaContext::replica_id(SourceLocation where) const { return AddOp(kReplicaId, {}, {}, where); }

std::span<const OpDef* const> CollectiveOps() {
  static const OpDef* const kOps[] = {&kReplicaId, &kAllSum, &kAllMean, &kAllMin, &kAllMax, &kAllGather, &kBroadcast};
  return kOps;
}

}  // namespace replicator
