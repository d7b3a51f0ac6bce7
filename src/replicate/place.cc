#include "replicate/place.h"

#include <string>

#include "graph/placement.h"
#include "graph/region.h"
#include "ops/collectives.h"
#include "ops/control_flow.h"
#include "replicator/ops/elementwise.h"

namespace replicator {
namespace {

std::vector<Typing> TypingsOf(const std::vector<Value>& values, const Graph& graph) {
  std::vector<Typing> typings;
  for (Value value : values) typings.push_back(graph.typing(value));
  return typings;
}

std::vector<Value> Append(Node node, Graph& graph) {
  const size_t results = node.results.size();
  const int id = graph.Append(std::move(node));
  std::vector<Value> values;
  for (size_t i = 0; i < results; ++i) values.push_back({id, static_cast<int>(i)});
  return values;
}

[[noreturn]] void ThrowReducedTwice(const Node& node, size_t operand, const Shape& shape) {
  const std::string which =
      node.operands.size() == 1 ? "the value" : "tensor " + std::to_string(operand) + " of the nest";
  throw Error(ErrorCode::kInvalidArgument,
              std::string(node.op->name) + "(" + ToString(shape) + "): " + which +
                  " is already replicated (equal on all replicas by construction), so it would be aggregated "
                  "twice; remove this reduction, or the earlier one",
              node.where());
}

// The sum over replicas of one and the same value needs no communication.
std::vector<Value> PlaceSum(const Node& node, const std::vector<Value>& operands, BuildContext& merged) {
  Graph& graph = *merged.graph();
  std::vector<Value> varying, results;
  Node sum = node;
  sum.results.clear();
  for (Value operand : operands) {
    if (graph.typing(operand) == Typing::kReplicated) continue;
    varying.push_back(operand);
    sum.results.push_back(graph.shape(operand));
  }
  const int id = varying.empty() ? -1 : graph.Append(Rebind(sum, std::move(varying), graph));
  int next = 0;
  for (Value operand : operands) {
    const bool replicated = graph.typing(operand) == Typing::kReplicated;
    const Tensor value(merged.graph(), operand);
    results.push_back(replicated ? (value * merged.options().num_replicas).value() : Value{id, next++});
  }
  return results;
}

// The region with its placeholders in place, where its parameters have these typings.
Region PlaceRegion(const Graph& region, const std::vector<Typing>& typings, BuildContext& merged) {
  BuildContext::RegionScope scope(merged, "a region");
  std::vector<Value> parameters;
  for (size_t i = 0; i < typings.size(); ++i) {
    const Node& original = region.node(region.parameters()[i]);
    parameters.push_back(scope.Parameter(original.results[0], typings[i], original.user).value());
  }
  const auto replace = [&](const Node& node, const std::vector<Value>& operands) -> std::optional<std::vector<Value>> {
    if (FindCollective(node) == nullptr) return std::nullopt;
    return PlaceCollective(node, operands, merged);
  };
  scope.graph()->SetOutputs(CopyGraph(region, parameters, *scope.graph(), {.replace = replace}));
  scope.graph()->Freeze();
  return scope.graph();
}

}  // namespace

Node Rebind(const Node& node, std::vector<Value> operands, const Graph& graph) {
  Node copy = node;
  const std::vector<Typing> typings = TypingsOf(operands, graph);
  copy.operands = std::move(operands);
  InferTyping(copy, typings);
  return copy;
}

std::vector<Value> PlaceCollective(const Node& node, std::vector<Value> operands, BuildContext& merged) {
  Graph& graph = *merged.graph();
  const PlacementScope placement(node.logical_device);
  const std::vector<Typing> typings = TypingsOf(operands, graph);
  if (node.op->is_collective) {
    if (const std::optional<size_t> operand = FindReducedTwice(node, typings)) {
      ThrowReducedTwice(node, *operand, graph.shape(operands[*operand]));
    }
    if (node.op == &kAllSum) return PlaceSum(node, operands, merged);
    return Append(Rebind(node, std::move(operands), graph), graph);
  }
  RequireReplicatedControl(node, typings);
  Node placed = node;
  const std::vector<std::vector<Typing>> parameters = RegionParameterTypings(node, typings);
  for (size_t i = 0; i < placed.regions.size(); ++i) {
    placed.regions[i] = PlaceRegion(*node.regions[i], parameters[i], merged);
  }
  return Append(Rebind(placed, std::move(operands), graph), graph);
}

}  // namespace replicator
