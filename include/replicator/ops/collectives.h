// Communication between replicas. Each call leaves a placeholder in the graph of its replica. When all replicas' graphs
// are complete the k-th placeholders of all replicas are compared (operation, structure of the nest, dtypes, shapes,
// source, pairs, axes) and rewritten into one cross-replica operation; any difference is an error that names the
// replicas and the lines, before anything runs. So every replica must call the same collectives in the same order.
//
// Each takes a tensor or a nest of tensors (graph/nest.h) and returns the same structure. A nest is one placeholder:
// its leaves travel together, and a difference between the replicas' nests shows as a whole.
//
// Gradients flow through all of them, as derivatives of the sum (or mean) of all replicas' losses (docs/semantics.md,
// 8). All throw GraphError where a dtype, a shape or an attribute breaks the rule, with the user's line. R is the
// number of replicas.
#pragma once

#include <type_traits>
#include <utility>
#include <vector>

#include "replicator/graph/nest.h"
#include "replicator/graph/reduce_op.h"
#include "replicator/graph/replica_context.h"
#include "replicator/graph/tensor.h"
#include "replicator/ops/reduce.h"

namespace replicator {

// Reductions over the replicas, element by element; the results are replicated. Numbers of any type but bool; the mean
// of floating types. NaN wins in AllMin and AllMax. Reducing a value that is replicated already is an error: it would
// be aggregated twice.
Tensor AllSum(const Operand& x);
Tensor AllMean(const Operand& x);
Tensor AllMin(const Operand& x);
Tensor AllMax(const Operand& x);
// The one of these that `op` names; kOnlyFirstReplica is Broadcast from replica 0.
Tensor AllReduce(const Operand& x, ReduceOp op);

// The mean over the replicas and over the axes of `options` (all axes if none are given), each element counted with its
// weight: the sum of value * weight by the sum of weight, which are reduced together. So the mean over tokens, or over
// what a mask leaves, is right however they are spread over the replicas. Replicated. `value` is floating; `weight` is
// a number or a tensor of any type (bool: a mask) that broadcasts to the extents of `value`. Sums are f32 (f64 for f64
// values), the result is of the type of `value`.
//
// A value whose weight is 0 counts for nothing, even if it is NaN, and its weight gets no gradient. Where the total
// weight is 0 the result is 0, and so is its gradient.
Tensor WeightedMean(const Operand& value, const Operand& weight, const ReduceOptions& options = {});

// A new leading axis of extent R: element r is replica r's x. Any type. Replicated.
Tensor AllGather(const Operand& x);
// The x of replica `source`. Any type. Replicated. 0 <= source < R.
Tensor Broadcast(const Operand& x, int source = 0);

// The sum over the replicas, cut along the leading axis, whose extent R must divide: replica r gets the r-th of R equal
// blocks. Numbers of any type but bool. Varying. Refuses a replicated x, as AllSum does.
Tensor ReduceScatter(const Operand& x);
// Cuts x into R equal blocks along `split_axis` and sends the s-th to replica s; what arrives is joined along
// `concat_axis` in the order of the senders. Any type; negative axes count from the end. Varying. (StableHLO's
// all_to_all, JAX's with tiled=True.)
Tensor AllToAll(const Operand& x, int split_axis = 0, int concat_axis = 0);
// For each pair (source, target), replica `target` gets the x of replica `source`; who is not a target gets zeros
// (false). No replica is a source twice, nor a target. Any type. Varying.
using PermutePairs = std::vector<std::pair<int, int>>;
Tensor Permute(const Operand& x, const PermutePairs& pairs);

// The same for nests.
std::vector<Tensor> AllReduce(const FlatNest& x, ReduceOp op);
std::vector<Tensor> WeightedMean(const FlatNest& values, const Operand& weight, const ReduceOptions& options);
std::vector<Tensor> AllGather(const FlatNest& x);
std::vector<Tensor> Broadcast(const FlatNest& x, int source);
std::vector<Tensor> ReduceScatter(const FlatNest& x);
std::vector<Tensor> AllToAll(const FlatNest& x, int split_axis, int concat_axis);
std::vector<Tensor> Permute(const FlatNest& x, const PermutePairs& pairs);

template <StructureOfTensors T>
T AllReduce(const T& nest, ReduceOp op, SourceLocation where = SourceLocation::current()) {
  return NestLike(nest, AllReduce(FlatNest(nest, where), op));
}
template <StructureOfTensors T>
T AllSum(const T& nest, SourceLocation where = SourceLocation::current()) {
  return AllReduce(nest, ReduceOp::kSum, where);
}
template <StructureOfTensors T>
T AllMean(const T& nest, SourceLocation where = SourceLocation::current()) {
  return AllReduce(nest, ReduceOp::kMean, where);
}
template <StructureOfTensors T>
T AllMin(const T& nest, SourceLocation where = SourceLocation::current()) {
  return AllReduce(nest, ReduceOp::kMin, where);
}
template <StructureOfTensors T>
T AllMax(const T& nest, SourceLocation where = SourceLocation::current()) {
  return AllReduce(nest, ReduceOp::kMax, where);
}
template <StructureOfTensors T>
T WeightedMean(const T& values, const Operand& weight, const ReduceOptions& options = {},
               SourceLocation where = SourceLocation::current()) {
  return NestLike(values, WeightedMean(FlatNest(values, where), weight, options));
}
template <StructureOfTensors T>
T AllGather(const T& nest, SourceLocation where = SourceLocation::current()) {
  return NestLike(nest, AllGather(FlatNest(nest, where)));
}
template <StructureOfTensors T>
T Broadcast(const T& nest, int source = 0, SourceLocation where = SourceLocation::current()) {
  return NestLike(nest, Broadcast(FlatNest(nest, where), source));
}
template <StructureOfTensors T>
T ReduceScatter(const T& nest, SourceLocation where = SourceLocation::current()) {
  return NestLike(nest, ReduceScatter(FlatNest(nest, where)));
}
template <StructureOfTensors T>
T AllToAll(const T& nest, int split_axis = 0, int concat_axis = 0, SourceLocation where = SourceLocation::current()) {
  return NestLike(nest, AllToAll(FlatNest(nest, where), split_axis, concat_axis));
}
template <StructureOfTensors T>
T Permute(const T& nest, const PermutePairs& pairs, SourceLocation where = SourceLocation::current()) {
  return NestLike(nest, Permute(FlatNest(nest, where), pairs));
}

// Calls fn in this replica, as fn(ReplicaContext) or fn(), and returns what it returns (a tensor or a nest) reduced
// over the replicas, or gathered from them.
template <typename Fn>
auto CallInReplica(const Fn& fn, SourceLocation where) {
  if constexpr (std::is_invocable_v<const Fn&, ReplicaContext>) {
    return fn(ReplicaContext::Current(where));
  } else {
    return fn();
  }
}
template <typename Fn>
auto MapReduce(const Fn& fn, ReduceOp op, SourceLocation where = SourceLocation::current()) {
  const NestOfTensors auto result = CallInReplica(fn, where);
  if constexpr (StructureOfTensors<std::remove_const_t<decltype(result)>>) {
    return AllReduce(result, op, where);
  } else {
    return AllReduce(Operand(result, where), op);
  }
}
template <typename Fn>
auto MapGather(const Fn& fn, SourceLocation where = SourceLocation::current()) {
  const NestOfTensors auto result = CallInReplica(fn, where);
  if constexpr (StructureOfTensors<std::remove_const_t<decltype(result)>>) {
    return AllGather(result, where);
  } else {
    return AllGather(Operand(result, where));
  }
}

}  // namespace replicator
