// Collectives that move values between replicas: what arrives is what was sent.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "graph/build_context.h"
#include "ops/axes.h"
#include "ops/collectives.h"
#include "ops/collectives_emit.h"
#include "ops/collectives_rules.h"
#include "ops/emit.h"
#include "replicator/ops/elementwise.h"
#include "replicator/ops/shape.h"

namespace replicator {
namespace {

using Tensors = std::vector<Tensor>;
using Context = const GradientContext&;
using SsaValues = std::vector<SsaValue>;

int64_t ReplicasOf(const Attributes& attributes) { return attributes.Int("num_replicas"); }

// A gradient that is the same rule for every leaf whose gradient is asked for, in one placeholder.
template <typename Transpose>
Tensors TransposeOfEach(Context g, const Transpose& transpose) {
  Tensors wanted;
  const int results = static_cast<int>(g.node().results.size());
  for (int i = 0; i < results; ++i) {
    if (Wanted(g, i)) wanted.push_back(g.cotangent(i));
  }
  const SourceLocation where = SourceLocation::current();
  const Tensors moved = transpose(wanted.size() == 1 ? FlatNest(Operand(wanted[0], where)) : FlatNest(wanted, where));
  Tensors gradients(static_cast<size_t>(results));
  size_t next = 0;
  for (int i = 0; i < results; ++i) {
    if (Wanted(g, i)) gradients[static_cast<size_t>(i)] = moved[next++];
  }
  return gradients;
}

std::vector<Shape> InferAllGather(const InferContext& context) {
  std::vector<Shape> shapes(context.operands.begin(), context.operands.end());
  for (Shape& shape : shapes) shape.dims.insert(shape.dims.begin(), ReplicasOf(context.attributes));
  return shapes;
}
SsaValues LowerAllGather(const Node&, std::span<const SsaValue> operands, Emitter& emitter) {
  SsaValues gathered;
  for (const SsaValue& operand : operands) gathered.push_back(EmitAllGather(emitter, operand));
  return gathered;
}
// This replica's row of the total.
Tensors AllGatherGradient(Context g) {
  return TransposeOfEach(g, [](const FlatNest& cotangents) {
    Tensors rows = TransposedAllSum(cotangents.leaves);
    for (Tensor& row : rows) row = RowOfThisReplica(row);
    return rows;
  });
}

std::vector<Shape> InferBroadcast(const InferContext& context) {
  const int64_t source = context.attributes.Int("source"), replicas = ReplicasOf(context.attributes);
  Require(source >= 0 && source < replicas, [&] {
    return fmt::format("the source replica is {}, but there are {} replicas; it must be at least 0 and less than that",
                       source, replicas);
  });
  return {context.operands.begin(), context.operands.end()};
}
// The sum over replicas of the source's bits and zeros: exact for every value of every type, NaN and -0 included.
SsaValues LowerBroadcast(const Node& node, std::span<const SsaValue> operands, Emitter& emitter) {
  if (emitter.num_replicas() == 1) return {operands.begin(), operands.end()};
  const SsaValue source = emitter.Splat(static_cast<double>(node.attributes.Int("source")), Shape{DType::kU32, {}});
  const SsaValue mine = EmitCompare(emitter, EmitReplicaId(emitter), source, "EQ");
  SsaValues kept;
  for (const SsaValue& operand : operands) {
    const SsaValue bits = EmitToBits(emitter, operand);
    kept.push_back(EmitSelect(emitter, mine, bits, emitter.Splat(0, bits.shape)));
  }
  SsaValues results = EmitAllReduce(emitter, "stablehlo.add", kept);
  for (size_t i = 0; i < results.size(); ++i) {
    results[i] = EmitFromBits(emitter, results[i], operands[i].shape.dtype);
  }
  return results;
}
Tensors BroadcastGradient(Context g) {
  return TransposeOfEach(g, [&](const FlatNest& cotangents) {
    Tensors totals = TransposedAllSum(cotangents.leaves);
    const Tensor mine = Equal(ReplicaContext::Current().replica_id(), g.node().attributes.Int("source"));
    for (Tensor& total : totals) total = Select(mine, total, 0);
    return totals;
  });
}

// `axis` must be there, and R must divide its extent; returns the extent of a block.
int64_t RequireBlocks(const Shape& shape, int64_t axis, int64_t replicas, const char* what) {
  RequireAxes({axis}, shape.rank(), what);
  const int64_t extent = shape.dims[static_cast<size_t>(axis)];
  Require(extent % replicas == 0, [&] {
    return fmt::format("the number of replicas, {}, must divide the extent of {} {}, which is {}", replicas, what, axis,
                       extent);
  });
  return extent / replicas;
}

std::vector<Shape> InferReduceScatter(const InferContext& context) {
  std::vector<Shape> shapes = EachOfSameShape<Numeric>(context);
  for (Shape& shape : shapes) shape.dims[0] = RequireBlocks(shape, 0, ReplicasOf(context.attributes), "axis");
  return shapes;
}
SsaValues LowerReduceScatter(const Node& node, std::span<const SsaValue> operands, Emitter& emitter) {
  SsaValues blocks(operands.begin(), operands.end());
  if (emitter.num_replicas() == 1) return blocks;
  for (size_t i = 0; i < blocks.size(); ++i) {
    if (node.results[i].num_elements() == 0) {
      blocks[i] = emitter.Splat(0, node.results[i]);
      continue;
    }
    const Shape scalar{blocks[i].shape.dtype, {}};
    const std::vector<Shape> arguments = {scalar, scalar};
    std::string region = emitter.Region(arguments, [&](std::span<const SsaValue> args) -> SsaValues {
      return {emitter.Emit("stablehlo.add", {args[0], args[1]}, "", scalar)};
    });
    blocks[i] = emitter.Emit("stablehlo.reduce_scatter", {blocks[i]},
                             "scatter_dimension = 0 : i64, " + MlirReplicaGroups(emitter.num_replicas()),
                             node.results[i], {std::move(region)});
  }
  return blocks;
}
// Everybody's blocks of cotangents, joined.
Tensors ReduceScatterGradient(Context g) {
  return TransposeOfEach(g, [&](const FlatNest& cotangents) {
    Tensors gathered = AllGather(cotangents);
    for (Tensor& blocks : gathered) {
      Dims dims(blocks.dims().begin() + 1, blocks.dims().end());
      dims[0] *= NumReplicas();
      blocks = Reshape(blocks, dims);
    }
    return gathered;
  });
}

std::vector<Shape> InferAllToAll(const InferContext& context) {
  const int64_t split = context.attributes.Int("split_axis"), concat = context.attributes.Int("concat_axis");
  const int64_t replicas = ReplicasOf(context.attributes);
  std::vector<Shape> shapes(context.operands.begin(), context.operands.end());
  for (Shape& shape : shapes) {
    const int64_t block = RequireBlocks(shape, split, replicas, "split axis");
    RequireAxes({concat}, shape.rank(), "concat axis");
    shape.dims[static_cast<size_t>(split)] = block;
    shape.dims[static_cast<size_t>(concat)] *= replicas;
  }
  return shapes;
}
SsaValues LowerAllToAll(const Node& node, std::span<const SsaValue> operands, Emitter& emitter) {
  SsaValues results(operands.begin(), operands.end());
  const int replicas = emitter.num_replicas();
  if (replicas == 1) return results;
  const std::string attributes = fmt::format(
      "split_dimension = {} : i64, concat_dimension = {} : i64, split_count = {} : i64, {}",
      node.attributes.Int("split_axis"), node.attributes.Int("concat_axis"), replicas, MlirReplicaGroups(replicas));
  for (size_t i = 0; i < results.size(); ++i) {
    results[i] = EmitMove(emitter, results[i], node.results[i], [&](const SsaValue& x) {
      return emitter.Emit("stablehlo.all_to_all", {x}, attributes, Shape{x.shape.dtype, node.results[i].dims});
    });
  }
  return results;
}

std::vector<Shape> InferPermute(const InferContext& context) {
  const std::vector<int64_t>& pairs = context.attributes.Ints("pairs");
  const int64_t replicas = ReplicasOf(context.attributes);
  std::set<int64_t> seen[2];
  for (size_t i = 0; i < pairs.size(); ++i) {
    const char* const role = i % 2 == 0 ? "source" : "target";
    Require(pairs[i] >= 0 && pairs[i] < replicas, [&] {
      return fmt::format("the {} replica {} is not one of the {} replicas, from 0", role, pairs[i], replicas);
    });
    Require(seen[i % 2].insert(pairs[i]).second,
            [&] { return fmt::format("replica {} is the {} of two pairs", pairs[i], role); });
  }
  return {context.operands.begin(), context.operands.end()};
}
SsaValues LowerPermute(const Node& node, std::span<const SsaValue> operands, Emitter& emitter) {
  std::vector<std::pair<int64_t, int64_t>> pairs;
  const std::vector<int64_t>& flat = node.attributes.Ints("pairs");
  for (size_t i = 0; i < flat.size(); i += 2) pairs.emplace_back(flat[i], flat[i + 1]);
  SsaValues results(operands.begin(), operands.end());
  for (SsaValue& result : results) {
    if (pairs.empty()) {
      result = emitter.Splat(0, result.shape);
    } else if (emitter.num_replicas() > 1) {
      result = emitter.Emit("stablehlo.collective_permute", {result}, "source_target_pairs = " + MlirPairs(pairs),
                            result.shape);
    }
  }
  return results;
}
// The order of the pairs means nothing, so that they are sorted: equal sets match.
std::vector<Tensor> AddPermute(const FlatNest& x, PermutePairs pairs) {
  std::sort(pairs.begin(), pairs.end());
  std::vector<int64_t> flat;
  for (const auto& [source, target] : pairs) {
    flat.push_back(source);
    flat.push_back(target);
  }
  return AddCollective(kPermute, x, {{"num_replicas", int64_t{NumReplicas()}}, {"pairs", std::move(flat)}});
}
// The way back.
Tensors PermuteGradient(Context g) {
  const std::vector<int64_t>& flat = g.node().attributes.Ints("pairs");
  PermutePairs pairs;
  for (size_t i = 0; i < flat.size(); i += 2) {
    pairs.emplace_back(static_cast<int>(flat[i + 1]), static_cast<int>(flat[i]));
  }
  return TransposeOfEach(g, [&](const FlatNest& cotangents) { return AddPermute(cotangents, pairs); });
}

const Attributes kOneReplica{{"num_replicas", int64_t{1}}};  // the suite sets the number

}  // namespace

const OpDef kAllGather{
    .name = "all_gather",
    .infer = InferAllGather,
    .typing = TypingRule::kReplicated,
    .gradient = Gradient::Rule(AllGatherGradient),
    .lower = LowerAllGather,
    .samples = +[] { return CollectiveSamples(kOneReplica); },
    .is_collective = true,
};
const OpDef kBroadcast{
    .name = "broadcast",
    .infer = InferBroadcast,
    .typing = TypingRule::kReplicated,
    .gradient = Gradient::Rule(BroadcastGradient),
    .lower = LowerBroadcast,
    .samples = +[] { return CollectiveSamples({{"num_replicas", int64_t{1}}, {"source", int64_t{0}}}); },
    .is_collective = true,
};
const OpDef kReduceScatter{
    .name = "reduce_scatter",
    .infer = InferReduceScatter,
    .typing = TypingRule::kVarying,
    .gradient = Gradient::Rule(ReduceScatterGradient),
    .lower = LowerReduceScatter,
    .samples = +[] { return CollectiveSamples(kOneReplica, /*with_scalar=*/false); },
    .is_collective = true,
};
const OpDef kAllToAll{
    .name = "all_to_all",
    .infer = InferAllToAll,
    .typing = TypingRule::kVarying,
    .gradient = Gradient::Rule(+[](Context g) -> Tensors {
      const auto split = static_cast<int>(g.node().attributes.Int("split_axis"));
      const auto concat = static_cast<int>(g.node().attributes.Int("concat_axis"));
      return TransposeOfEach(g, [&](const FlatNest& cotangents) { return AllToAll(cotangents, concat, split); });
    }),
    .lower = LowerAllToAll,
    .samples = +[]() -> std::vector<Sample> {
      const Shape matrix{DType::kF64, {3, 8}}, cube{DType::kF64, {2, 4, 3}};
      const Attributes axes{{"num_replicas", int64_t{1}}, {"split_axis", int64_t{1}}, {"concat_axis", int64_t{0}}};
      const Attributes same{{"num_replicas", int64_t{1}}, {"split_axis", int64_t{1}}, {"concat_axis", int64_t{1}}};
      return {{"axes", {matrix}, axes}, {"nest", {matrix, cube}, NestOf(2, same)}};
    },
    .is_collective = true,
};
const OpDef kPermute{
    .name = "permute",
    .infer = InferPermute,
    .typing = TypingRule::kVarying,
    .gradient = Gradient::Rule(PermuteGradient),
    .lower = LowerPermute,
    .samples = +[] { return CollectiveSamples({{"num_replicas", int64_t{1}}, {"pairs", std::vector<int64_t>{0, 0}}}); },
    .is_collective = true,
};

Tensor RowOfThisReplica(const Tensor& stacked) {
  std::vector<Tensor> start(static_cast<size_t>(stacked.rank()), Constant(0, DType::kU32));
  start[0] = ReplicaContext::Current().replica_id();
  Dims size = stacked.dims();
  size[0] = 1;
  return Reshape(DynamicSlice(stacked, start, size), Dims(size.begin() + 1, size.end()));
}

std::vector<Tensor> AllGather(const FlatNest& x) {
  return AddCollective(kAllGather, x, {{"num_replicas", int64_t{NumReplicas()}}});
}
Tensor AllGather(const Operand& x) { return AllGather(FlatNest(x))[0]; }

std::vector<Tensor> Broadcast(const FlatNest& x, int source) {
  return AddCollective(kBroadcast, x, {{"num_replicas", int64_t{NumReplicas()}}, {"source", int64_t{source}}});
}
Tensor Broadcast(const Operand& x, int source) { return Broadcast(FlatNest(x), source)[0]; }

std::vector<Tensor> ReduceScatter(const FlatNest& x) {
  return AddCollective(kReduceScatter, x, {{"num_replicas", int64_t{NumReplicas()}}});
}
Tensor ReduceScatter(const Operand& x) { return ReduceScatter(FlatNest(x))[0]; }

std::vector<Tensor> AllToAll(const FlatNest& x, int split_axis, int concat_axis) {
  int rank = x.leaves.empty() ? 0 : x.leaves[0].rank();
  for (const Tensor& leaf : x.leaves) {
    if (leaf.rank() != rank && (split_axis < 0 || concat_axis < 0)) {
      throw GraphError("all_to_all", {x.leaves[0].shape(), leaf.shape()},
                       "an axis that counts from the end is not one axis for leaves of different ranks",
                       CallSite::Chain(x.where));
    }
  }
  return AddCollective(kAllToAll, x,
                       {{"num_replicas", int64_t{NumReplicas()}},
                        {"split_axis", FromFront(split_axis, rank)},
                        {"concat_axis", FromFront(concat_axis, rank)}});
}
Tensor AllToAll(const Operand& x, int split_axis, int concat_axis) {
  return AllToAll(FlatNest(x), split_axis, concat_axis)[0];
}

std::vector<Tensor> Permute(const FlatNest& x, const PermutePairs& pairs) { return AddPermute(x, pairs); }
Tensor Permute(const Operand& x, const PermutePairs& pairs) { return Permute(FlatNest(x), pairs)[0]; }

}  // namespace replicator
