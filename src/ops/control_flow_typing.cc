// What is equal on all replicas in and after branches and loops.
#include <algorithm>

#include "graph/region.h"
#include "ops/control_flow.h"
#include "ops/control_flow_rules.h"
#include "replicator/graph/graph_error.h"

namespace replicator {
namespace {

using Typings = std::vector<Typing>;

// The typings of a loop's parameters, once those of its carries, which start at `first`, take in what the body makes of
// them. Typings only rise, so it ends.
Typings Fixpoint(const Graph& body, Typings parameters, size_t first, size_t carries) {
  while (true) {
    const Typings outputs = TypeOutputs(body, parameters);
    bool changed = false;
    for (size_t i = 0; i < carries; ++i) {
      Typing& carry = parameters[first + i];
      changed |= Join(carry, outputs[i]) != carry;
      carry = Join(carry, outputs[i]);
    }
    if (!changed) return parameters;
  }
}

// What decides whether or how often the regions run.
Typing ControlTyping(const Node& node, std::span<const Typing> operands, std::span<const Typings> parameters) {
  if (node.op == &kCase) return operands[0];
  if (node.op == &kWhile) return TypeOutputs(*node.regions[0], parameters[0])[0];
  return ScanLayout(node).dynamic ? operands[0] : Typing::kReplicated;
}

}  // namespace

std::vector<Typings> RegionParameterTypings(const Node& node, std::span<const Typing> operands) {
  if (node.op == &kCase) return {node.regions.size(), Typings(operands.begin() + 1, operands.end())};
  if (node.op == &kWhile) {
    const auto carries = static_cast<size_t>(node.attributes.Int("carries"));
    return {2, Fixpoint(*node.regions[1], {operands.begin(), operands.end()}, 0, carries)};
  }
  const ScanLayout layout(node);
  Typings parameters = {Typing::kReplicated};
  parameters.insert(parameters.end(), operands.begin() + static_cast<std::ptrdiff_t>(layout.first_carry),
                    operands.end());
  return {Fixpoint(*node.regions[0], std::move(parameters), 1, layout.carries)};
}

std::vector<Typing> TypeRegionResults(const Node& node, std::span<const Typing> operands) {
  const std::vector<Typings> parameters = RegionParameterTypings(node, operands);
  Typings results(node.results.size(), ControlTyping(node, operands, parameters));
  for (size_t r = node.op == &kWhile ? 1 : 0; r < node.regions.size(); ++r) {
    const Typings outputs = TypeOutputs(*node.regions[r], parameters[r]);
    for (size_t i = 0; i < results.size(); ++i) results[i] = Join(results[i], outputs[i]);
  }
  // A loop that does not run at all returns what it was given.
  if (node.op != &kCase) {
    for (size_t i = 0; i < results.size() && i < static_cast<size_t>(node.attributes.Int("carries")); ++i) {
      const size_t first = node.op == &kScan ? ScanLayout(node).first_carry : 0;
      results[i] = Join(results[i], operands[first + i]);
    }
  }
  return results;
}

void RequireReplicatedControl(const Node& node, std::span<const Typing> operands) {
  const Node* collective = FindCollective(node);
  if (collective == nullptr) return;
  const std::vector<Typings> parameters = RegionParameterTypings(node, operands);
  if (ControlTyping(node, operands, parameters) == Typing::kReplicated) return;
  const char* const decides = node.op == &kScan ? "number of iterations" : "predicate";
  throw Error(ErrorCode::kInvalidArgument,
              std::string(collective->op->name) + " at " + ToString(collective->user) + " is run " +
                  (node.op == &kCase ? "in a branch" : "in a loop") + " built at " + ToString(node.user) + ", whose " +
                  decides +
                  " varies between replicas: some would wait for others that never come; make it equal on all replicas "
                  "first (AllMax or AllMin of it as an integer), or move the collective out",
              {node.user, collective->user});
}

}  // namespace replicator
