#include "replicator/ops/merge_call.h"

#include <fmt/format.h>

#include "graph/build_context.h"
#include "ops/collectives.h"
#include "ops/collectives_emit.h"
#include "ops/collectives_rules.h"
#include "ops/emit.h"
#include "replicator/ops/elementwise.h"
#include "replicator/ops/gradients.h"
#include "replicator/ops/shape.h"

namespace replicator {
namespace {

using Tensors = std::vector<Tensor>;
using SsaValues = std::vector<SsaValue>;
using ByReplica = std::vector<Tensors>;

// A graph whose parameters are the `leaves` of replica 0, then those of replica 1, and so on, built by `build`.
template <typename Build>
Region TraceRegion(int replicas, const std::vector<Shape>& leaves, const Build& build) {
  BuildContext merged({.num_replicas = replicas});
  const BuildContext::Scope scope(merged);
  ByReplica values;
  for (int r = 0; r < replicas; ++r) {
    Tensors& own = values.emplace_back();
    for (size_t i = 0; i < leaves.size(); ++i) {
      own.push_back(merged.Input(fmt::format("{}/{}", r, i), leaves[i], SourceLocation::current()));
    }
  }
  std::vector<Value> outputs;
  for (const Tensor& result : build(values)) outputs.push_back(result.value());
  merged.graph()->SetOutputs(std::move(outputs));
  return merged.graph();
}

// `region` once more, in the graph being built.
Tensors CopyRegion(const Graph& region, const ByReplica& arguments) {
  const std::shared_ptr<Graph>& graph = BuildContext::Current(SourceLocation::current()).graph();
  std::vector<Tensors> copies;
  size_t next = 0;
  for (const Node& node : region.nodes()) {
    if (node.op == &kParameter) {
      const size_t leaves = arguments[0].size();
      copies.push_back({arguments[next / leaves][next % leaves]});
      ++next;
      continue;
    }
    Tensors operands;
    for (Value operand : node.operands) {
      operands.push_back(copies[static_cast<size_t>(operand.node)][static_cast<size_t>(operand.index)]);
    }
    const CallSite site(node.user);
    copies.push_back(graph->Add(*node.op, operands, node.attributes, node.inner, node.regions));
  }
  Tensors outputs;
  for (Value output : region.outputs()) {
    outputs.push_back(copies[static_cast<size_t>(output.node)][static_cast<size_t>(output.index)]);
  }
  return outputs;
}

// What the function computes must follow from its arguments, since it is no replica's.
void RequireLocal(const Graph& region, const std::vector<Shape>& arguments, SourceLocation where) {
  for (const Node& node : region.nodes()) {
    const bool draws = node.op == &kParameter && node.attributes.String("kind") == "step_key";
    if (!node.op->is_collective && node.op != &kReplicaId && !draws) continue;
    throw GraphError("merge_call", arguments,
                     fmt::format("{} in its function, at {}; that runs once for all replicas, so {} outside, and pass "
                                 "what comes of it as an argument",
                                 draws ? "a random number was drawn" : std::string(node.op->name) + " was called",
                                 ToString(node.user), draws ? "draw" : "call it"),
                     {node.user, where});
  }
}

// The k-th MergeCall of every replica, as replica 0 has made it.
Region AddRegionOf(const std::type_info& function, const FlatNest& arguments, const std::vector<Shape>& shapes,
                   const MergedFunction& merged, BuildContext& build, std::shared_ptr<const void>& structure) {
  MergedCall call{&function, DescribeNest(arguments.structure, shapes), nullptr, nullptr,
                  CallSite::Chain(arguments.where).front()};
  std::vector<MergedCall>& calls = build.merged_calls();
  const size_t ordinal = build.NextMergedCall();
  const int replica = build.options().replica_index;
  if (ordinal < calls.size()) {
    const MergedCall& first = calls[ordinal];
    if (*first.function != *call.function || first.arguments != call.arguments) {
      throw Error(
          ErrorCode::kInvalidArgument,
          fmt::format("MergeCall number {} differs: replica 0 calls it with {} at {}, but replica {} with {} at "
                      "{}{}; all replicas must pass the same function and structures, dtypes and shapes",
                      ordinal + 1, first.arguments, ToString(first.where), replica, call.arguments,
                      ToString(call.where), *first.function != *call.function ? ", and another function" : ""),
          {first.where, call.where});
    }
    structure = first.result;
    return first.region;
  }
  if (replica > 0) {
    throw Error(
        ErrorCode::kInvalidArgument,
        fmt::format("replica {} calls a MergeCall number {} at {}, but replica 0 calls only {}; all replicas must "
                    "call the same collectives in the same order",
                    replica, ordinal + 1, ToString(call.where), calls.size()),
        {call.where});
  }
  call.region = TraceRegion(build.options().num_replicas, shapes,
                            [&](const ByReplica& values) { return merged(values, call.result); });
  RequireLocal(*call.region, shapes, call.where);
  structure = call.result;
  calls.push_back(call);
  return call.region;
}

std::vector<Shape> InferMergeCall(const InferContext& context) {
  Require(!context.operands.empty() && context.regions.size() == 1, "at least one tensor is needed");
  const Graph& region = *context.regions[0];
  const size_t leaves = context.operands.size();
  Require(region.parameters().size() == leaves * static_cast<size_t>(context.attributes.Int("num_replicas")),
          "the function takes the values of all replicas");
  for (size_t i = 0; i < region.parameters().size(); ++i) {
    Require(region.node(region.parameters()[i]).results[0] == context.operands[i % leaves],
            "the function's parameters must have the shapes of the operands");
  }
  std::vector<Shape> shapes;
  for (Value output : region.outputs()) shapes.push_back(region.shape(output));
  return shapes;
}

SsaValues LowerMergeCall(const Node& node, std::span<const SsaValue> operands, Emitter& emitter) {
  const auto replicas = static_cast<int64_t>(emitter.num_replicas());
  SsaValues arguments(operands.size() * static_cast<size_t>(replicas));
  for (size_t i = 0; i < operands.size(); ++i) {
    const SsaValue all = EmitAllGather(emitter, operands[i]);
    for (int64_t r = 0; r < replicas; ++r) {
      Dims start(all.shape.dims.size(), 0), limit = all.shape.dims;
      start[0] = r;
      limit[0] = r + 1;
      const SsaValue row = EmitSlice(emitter, all, start, limit, Dims(start.size(), 1));
      arguments[static_cast<size_t>(r) * operands.size() + i] = EmitReshape(emitter, row, operands[i].shape.dims);
    }
  }
  return emitter.EmitGraph(*node.regions[0], arguments);
}

// The transposed function of all replicas' arguments and cotangents gives every replica's gradient; each takes its own.
Tensors MergeCallGradient(const GradientContext& g) {
  const Node& node = g.node();
  const Region region = node.regions[0];
  const int operands = static_cast<int>(node.operands.size());
  std::vector<int> wanted, floating;
  for (int i = 0; i < operands; ++i) {
    if (g.needs(i) && IsFloating(g.operand(i).dtype())) wanted.push_back(i);
  }
  Tensors leaves;
  for (int i = 0; i < operands; ++i) leaves.push_back(g.operand(i));
  for (int i = 0; i < static_cast<int>(node.results.size()); ++i) {
    if (!IsFloating(node.results[static_cast<size_t>(i)].dtype)) continue;
    floating.push_back(i);
    leaves.push_back(g.cotangent(i));
  }
  std::vector<Shape> shapes;
  for (const Tensor& leaf : leaves) shapes.push_back(leaf.shape());

  const auto count = static_cast<size_t>(operands);
  const auto transposed = [&](const ByReplica& values) {
    ByReplica arguments;
    for (const Tensors& own : values) arguments.emplace_back(own.begin(), own.begin() + operands);
    const Tensors results = CopyRegion(*region, arguments);
    Tensors xs;
    for (const Tensors& own : arguments) {
      for (int i : wanted) xs.push_back(own[static_cast<size_t>(i)]);
    }
    Tensors sums(xs.size());
    for (size_t k = 0; k < floating.size(); ++k) {
      Tensor total = values[0][count + k];
      for (size_t r = 1; r < values.size(); ++r) total = total + values[r][count + k];
      const Tensors gradients = Gradients(results[static_cast<size_t>(floating[k])], xs, total);
      for (size_t i = 0; i < xs.size(); ++i) sums[i] = sums[i].defined() ? sums[i] + gradients[i] : gradients[i];
    }
    Tensors stacked;
    for (size_t w = 0; w < wanted.size(); ++w) {
      Tensors rows;
      for (size_t r = 0; r < values.size(); ++r) rows.push_back(ExpandDims(sums[r * wanted.size() + w], 0));
      stacked.push_back(Concatenate(rows, 0));
    }
    return stacked;
  };
  const int replicas = NumReplicas();
  const Tensors stacked =
      AddCollective(kMergeCall, FlatNest(leaves, NestStructure(leaves), SourceLocation::current()),
                    {{"num_replicas", int64_t{replicas}}}, {TraceRegion(replicas, shapes, transposed)});
  Tensors gradients(count);
  for (size_t w = 0; w < wanted.size(); ++w) gradients[static_cast<size_t>(wanted[w])] = RowOfThisReplica(stacked[w]);
  return gradients;
}

std::vector<Region> SampleRegion(int replicas) {
  const Shape matrix{DType::kF64, {2, 3}}, scalar{DType::kF64, {}};
  return {TraceRegion(replicas, {matrix, scalar}, [](const ByReplica& values) {
    Tensor product = values[0][0] * values[0][1], sum = values[0][1];
    for (size_t r = 1; r < values.size(); ++r) {
      product = product * values[r][0] + Tanh(values[r][1]);
      sum = sum * 2 + values[r][1];
    }
    return Tensors{product, sum};
  })};
}

std::vector<Sample> MergeCallSamples() {
  Sample sample{"two_arguments", {{DType::kF64, {2, 3}}, {DType::kF64, {}}}, NestOf(2, {{"num_replicas", int64_t{1}}})};
  sample.make_regions = SampleRegion;
  return {sample};
}

}  // namespace

const OpDef kMergeCall{
    .name = "merge_call",
    .infer = InferMergeCall,
    .typing = TypingRule::kReplicated,
    .gradient = Gradient::Rule(MergeCallGradient),
    .lower = LowerMergeCall,
    .samples = MergeCallSamples,
    .is_collective = true,
};

MergeCallResult AddMergeCall(const std::type_info& function, const FlatNest& arguments, const MergedFunction& merged) {
  BuildContext& build = BuildContext::Current(arguments.where);
  std::vector<Shape> shapes;
  for (const Tensor& leaf : arguments.leaves) shapes.push_back(leaf.shape());
  if (shapes.empty()) {
    throw GraphError("merge_call", {}, "at least one tensor is needed", CallSite::Chain(arguments.where));
  }
  MergeCallResult result;
  const Region region = AddRegionOf(function, arguments, shapes, merged, build, result.structure);
  result.leaves = AddCollective(kMergeCall, arguments, {{"num_replicas", int64_t{NumReplicas()}}}, {region});
  return result;
}

}  // namespace replicator
