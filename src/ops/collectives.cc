// Reductions over replicas.
#include "ops/collectives.h"

#include <algorithm>

#include "ops/collectives_emit.h"
#include "ops/collectives_rules.h"
#include "ops/emit.h"
#include "ops/operands.h"
#include "ops/registry.h"
#include "replicator/ops/elementwise.h"
#include "replicator/ops/shape.h"

namespace replicator {
namespace {

using Tensors = std::vector<Tensor>;
using Context = const GradientContext&;
using SsaValues = std::vector<SsaValue>;

SsaValues LowerAllSum(const Node&, std::span<const SsaValue> operands, Emitter& emitter) {
  return EmitAllReduce(emitter, "stablehlo.add", operands);
}
SsaValues LowerAllMean(const Node&, std::span<const SsaValue> operands, Emitter& emitter) {
  SsaValues means = EmitAllReduce(emitter, "stablehlo.add", operands);
  if (emitter.num_replicas() == 1) return means;
  for (SsaValue& mean : means) {
    mean = EmitBinary(emitter, "stablehlo.divide", mean, emitter.Splat(emitter.num_replicas(), mean.shape));
  }
  return means;
}
SsaValues LowerAllMin(const Node&, std::span<const SsaValue> operands, Emitter& emitter) {
  return EmitAllExtremum(emitter, Extremum::kMin, operands);
}
SsaValues LowerAllMax(const Node&, std::span<const SsaValue> operands, Emitter& emitter) {
  return EmitAllExtremum(emitter, Extremum::kMax, operands);
}

// The cotangents that anyone asks for, summed over the replicas; the others are undefined.
Tensors TotalCotangents(Context g) {
  Tensors wanted;
  const int results = static_cast<int>(g.node().results.size());
  for (int i = 0; i < results; ++i) {
    if (Wanted(g, i)) wanted.push_back(g.cotangent(i));
  }
  const Tensors totals = TransposedAllSum(wanted);
  Tensors by_operand(static_cast<size_t>(results));
  size_t next = 0;
  for (int i = 0; i < results; ++i) {
    if (Wanted(g, i)) by_operand[static_cast<size_t>(i)] = totals[next++];
  }
  return by_operand;
}

Tensors MeanGradient(Context g) {
  Tensors gradients = TotalCotangents(g);
  for (Tensor& gradient : gradients) {
    if (gradient.defined()) gradient = gradient / NumReplicas();
  }
  return gradients;
}

// Ties share the gradient, over all replicas.
Tensors ExtremumGradient(Context g) {
  const int results = static_cast<int>(g.node().results.size());
  Tensors mine(static_cast<size_t>(results)), sums;
  for (int i = 0; i < results; ++i) {
    if (!Wanted(g, i)) continue;
    Tensor& at_extremum = mine[static_cast<size_t>(i)];
    at_extremum = Convert(Equal(g.operand(i), g.result(i)), g.operand(i).dtype());
    sums.push_back(g.cotangent(i));
    sums.push_back(at_extremum);
  }
  sums = TransposedAllSum(sums);
  size_t next = 0;
  for (Tensor& gradient : mine) {
    if (!gradient.defined()) continue;
    gradient = gradient * sums[next] / sums[next + 1];
    next += 2;
  }
  return mine;
}

std::vector<Shape> InferWeightedMean(const InferContext& context) {
  const std::vector<Shape> shapes(context.operands.begin(), context.operands.end());
  Require(shapes.size() % 2 == 0, "every sum needs a weight");
  for (size_t i = 0; i < shapes.size() / 2; ++i) {
    Require(IsFloating(shapes[i].dtype),
            [&] { return "dtype " + std::string(ToString(shapes[i].dtype)) + " is not supported"; });
    Require(shapes[i] == shapes[shapes.size() / 2 + i], "a sum and its weight must have the same dtype and shape");
  }
  return shapes;
}

SsaValues LowerWeightedMean(const Node&, std::span<const SsaValue> operands, Emitter& emitter) {
  SsaValues results = EmitAllReduce(emitter, "stablehlo.add", operands);
  const size_t count = results.size() / 2;
  for (size_t i = 0; i < count; ++i) {
    const SsaValue& weight = results[count + i];
    const SsaValue zero = emitter.Splat(0, weight.shape);
    const SsaValue mean = EmitBinary(emitter, "stablehlo.divide", results[i], weight);
    results[i] = EmitSelect(emitter, EmitCompare(emitter, weight, zero, "EQ"), zero, mean);
  }
  return results;
}

// d mean = (d sum - mean * d weight) / weight; zero where the weight is.
Tensors WeightedMeanGradient(Context g) {
  const int count = static_cast<int>(g.node().results.size()) / 2;
  Tensors sums;
  for (int i = 0; i < count; ++i) {
    const Tensor weight = g.result(count + i), empty = Equal(weight, 0);
    sums.push_back(Select(empty, 0, g.cotangent(i) / Select(empty, 1, weight)));
  }
  for (int i = 0; i < count; ++i) {
    sums.push_back(g.cotangent(count + i) - sums[static_cast<size_t>(i)] * g.result(i));
  }
  return TransposedAllSum(sums);
}

std::vector<Sample> WeightedMeanSamples() {
  const Shape matrix{DType::kF64, {2, 3}}, scalar{DType::kF64, {}};
  return {{"matrix", {matrix, matrix}, {}, 0.5, 2}, {"nest", {matrix, scalar, matrix, scalar}, NestOf(2), 0.5, 2}};
}

// What WeightedMean reduces of one leaf: the weighted sum of the value, and the weight, of equal extents.
std::pair<Tensor, Tensor> WeightedSums(const Operand& value, const Operand& weight, const ReduceOptions& options) {
  const DType dtype = value.tensor().dtype() == DType::kF64 ? DType::kF64 : DType::kF32;
  if (!IsFloating(value.tensor().dtype())) {
    throw GraphError("weighted_mean", {value.tensor().shape()}, "the value must be floating; convert it first",
                     CallSite::Chain(value.where()));
  }
  const Tensor given = AsTensor(kWeightedMean, weight, dtype);
  if (BroadcastDims(given.dims(), value.tensor().dims()) != value.tensor().dims()) {
    throw GraphError("weighted_mean", {value.tensor().shape(), given.shape()},
                     "the weight must broadcast to the extents of the value", CallSite::Chain(value.where()));
  }
  const Operand weights(BroadcastTo(Convert(given, dtype), value.tensor().dims()), value.where());
  const Tensor counted = Select(Equal(weights, 0), 0, Convert(value, dtype));
  return {ReduceSum({counted * weights, value.where()}, options), ReduceSum(weights, options)};
}

}  // namespace

const OpDef kReplicaId{
    .name = "replica_id",
    .infer = +[](const InferContext&) -> std::vector<Shape> { return {Shape{DType::kU32, {}}}; },
    .typing = TypingRule::kVarying,
    .gradient = Gradient::Zero("it is a number"),
    .lower =
        +[](const Node&, std::span<const SsaValue>, Emitter& emitter) -> SsaValues { return {EmitReplicaId(emitter)}; },
    .samples = +[]() -> std::vector<Sample> { return {{"scalar", {}}}; },
};
const OpDef kAllSum{
    .name = "all_sum",
    .infer = EachOfSameShape<Numeric>,
    .typing = TypingRule::kReplicated,
    .gradient = Gradient::Rule(TotalCotangents),
    .lower = LowerAllSum,
    .samples = +[] { return CollectiveSamples({{"transposed", false}}); },
    .is_collective = true,
};
const OpDef kAllMean{
    .name = "all_mean",
    .infer = EachOfSameShape<IsFloating>,
    .typing = TypingRule::kReplicated,
    .gradient = Gradient::Rule(MeanGradient),
    .lower = LowerAllMean,
    .samples = +[] { return CollectiveSamples({}); },
    .is_collective = true,
};
const OpDef kAllMin{
    .name = "all_min",
    .infer = EachOfSameShape<Numeric>,
    .typing = TypingRule::kReplicated,
    .gradient = Gradient::Rule(ExtremumGradient),
    .lower = LowerAllMin,
    .samples = +[] { return CollectiveSamples({}); },
    .is_collective = true,
};
const OpDef kAllMax{
    .name = "all_max",
    .infer = EachOfSameShape<Numeric>,
    .typing = TypingRule::kReplicated,
    .gradient = Gradient::Rule(ExtremumGradient),
    .lower = LowerAllMax,
    .samples = +[] { return CollectiveSamples({}); },
    .is_collective = true,
};
const OpDef kWeightedMean{
    .name = "weighted_mean",
    .infer = InferWeightedMean,
    .typing = TypingRule::kReplicated,
    .gradient = Gradient::Rule(WeightedMeanGradient),
    .lower = LowerWeightedMean,
    .samples = WeightedMeanSamples,
    .is_collective = true,
};

std::optional<size_t> FindReducedTwice(const Node& node, std::span<const Typing> typings) {
  const auto first = std::find(typings.begin(), typings.end(), Typing::kReplicated);
  if (first == typings.end()) return std::nullopt;
  // A constant weight is a weight all the same: it counts once for every replica.
  if (node.op == &kWeightedMean) {
    return std::find(typings.begin(), typings.end(), Typing::kVarying) == typings.end() ? std::optional(size_t{0})
                                                                                        : std::nullopt;
  }
  const bool reduces = node.op == &kAllMean || node.op == &kAllMin || node.op == &kAllMax ||
                       node.op == &kReduceScatter || (node.op == &kAllSum && !node.attributes.Bool("transposed"));
  return reduces ? std::optional(static_cast<size_t>(first - typings.begin())) : std::nullopt;
}

std::vector<Tensor> AddCollective(const OpDef& op, const FlatNest& x, Attributes attributes,
                                  std::vector<Region> regions) {
  if (x.leaves.empty()) return {};
  if (!x.structure.empty()) attributes.Set("nest", x.structure);
  return BuildContext::Current(x.where).graph()->Add(op, x.leaves, std::move(attributes), x.where, std::move(regions));
}

Tensor TransposedAllSum(const Tensor& x, SourceLocation where) {
  return AddCollective(kAllSum, FlatNest(Operand(x, where)), {{"transposed", true}})[0];
}
std::vector<Tensor> TransposedAllSum(const std::vector<Tensor>& xs, SourceLocation where) {
  if (xs.size() == 1) return {TransposedAllSum(xs[0], where)};
  return AddCollective(kAllSum, FlatNest(xs, where), {{"transposed", true}});
}

std::vector<Tensor> AllReduce(const FlatNest& x, ReduceOp op) {
  switch (op) {
    case ReduceOp::kSum:
      return AddCollective(kAllSum, x, {{"transposed", false}});
    case ReduceOp::kMean:
      return AddCollective(kAllMean, x);
    case ReduceOp::kMin:
      return AddCollective(kAllMin, x);
    case ReduceOp::kMax:
      return AddCollective(kAllMax, x);
    case ReduceOp::kOnlyFirstReplica:
      break;
  }
  return Broadcast(x, 0);
}
Tensor AllReduce(const Operand& x, ReduceOp op) { return AllReduce(FlatNest(x), op)[0]; }
Tensor AllSum(const Operand& x) { return AllReduce(x, ReduceOp::kSum); }
Tensor AllMean(const Operand& x) { return AllReduce(x, ReduceOp::kMean); }
Tensor AllMin(const Operand& x) { return AllReduce(x, ReduceOp::kMin); }
Tensor AllMax(const Operand& x) { return AllReduce(x, ReduceOp::kMax); }

std::vector<Tensor> WeightedMean(const FlatNest& values, const Operand& weight, const ReduceOptions& options) {
  const CallSite site(values.where);
  FlatNest pairs({}, values.structure, values.where);
  std::vector<Tensor> weights;
  for (const Tensor& value : values.leaves) {
    const auto [sum, total] = WeightedSums({value, values.where}, weight, options);
    pairs.leaves.push_back(sum);
    weights.push_back(total);
  }
  pairs.leaves.insert(pairs.leaves.end(), weights.begin(), weights.end());
  std::vector<Tensor> means = AddCollective(kWeightedMean, pairs);
  means.resize(values.leaves.size());
  for (size_t i = 0; i < means.size(); ++i) means[i] = Convert(means[i], values.leaves[i].dtype());
  return means;
}
Tensor WeightedMean(const Operand& value, const Operand& weight, const ReduceOptions& options) {
  return WeightedMean(FlatNest(value), weight, options)[0];
}

Tensor ReplicaContext::replica_id(SourceLocation where) const { return AddOp(kReplicaId, {}, {}, where); }

std::span<const OpDef* const> CollectiveOps() {
  static const OpDef* const kOps[] = {&kReplicaId, &kAllSum,    &kAllMean,       &kAllMin,   &kAllMax,  &kWeightedMean,
                                      &kAllGather, &kBroadcast, &kReduceScatter, &kAllToAll, &kPermute, &kMergeCall};
  return kOps;
}

}  // namespace replicator
