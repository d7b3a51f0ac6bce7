// What other rooms need of the collectives beyond their public wrappers.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "graph/graph.h"
#include "graph/op_def.h"
#include "replicator/ops/collectives.h"

namespace replicator {

// The sum over replicas that differentiation asks for: the transpose of a reduction, or the total of a gradient. Unlike
// AllSum it takes a replicated value too, since a gradient may happen to be equal everywhere: the result is then R
// times that value, and rewriting makes it a multiplication.
Tensor TransposedAllSum(const Tensor& x, SourceLocation where = SourceLocation::current());
// Of several values, in one placeholder.
std::vector<Tensor> TransposedAllSum(const std::vector<Tensor>& xs, SourceLocation where = SourceLocation::current());

// Attributes that all collectives may have: "nest", the structure of what a nest was taken apart from; and
// "num_replicas", where the result depends on it.

// The replica's number, u32[].
extern const OpDef kReplicaId;
// Reductions over replicas, each operand by itself: all_sum (attribute "transposed"), all_mean, all_min, all_max.
extern const OpDef kAllSum;
extern const OpDef kAllMean;
extern const OpDef kAllMin;
extern const OpDef kAllMax;
// operands: n sums, then n weights of the same shapes; results: n means, then n total weights.
extern const OpDef kWeightedMean;
extern const OpDef kAllGather;
extern const OpDef kBroadcast;  // attribute "source"
extern const OpDef kReduceScatter;
extern const OpDef kAllToAll;  // attributes "split_axis", "concat_axis"
extern const OpDef kPermute;   // attribute "pairs": source, target, source, target, ...; sorted by source
// A region that takes all operands of replica 0, then those of replica 1, and so on.
extern const OpDef kMergeCall;

// The operand that a collective must not reduce, since it is equal on all replicas already: it would be aggregated
// twice. `typings` are those of the node's operands.
std::optional<size_t> FindReducedTwice(const Node& node, std::span<const Typing> typings);

// A placeholder for `x`, one operand and one result per leaf; nothing at all for a nest without leaves.
std::vector<Tensor> AddCollective(const OpDef& op, const FlatNest& x, Attributes attributes = {},
                                  std::vector<Region> regions = {});
// Element r of the leading axis on replica r, without that axis.
Tensor RowOfThisReplica(const Tensor& stacked);

}  // namespace replicator
