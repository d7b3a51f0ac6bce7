#include "ops/rematerialise.h"

#include "graph/emitter.h"
#include "graph/placement.h"
#include "graph/region.h"
#include "ops/registry.h"

namespace replicator {
namespace {

// Appends `node` with other operands, typed anew, as a part of whatever is being built now.
int AppendCopy(Graph& graph, const Node& node, std::vector<Value> operands) {
  Node copy = node;
  std::vector<Typing> typings;
  for (Value operand : operands) typings.push_back(graph.typing(operand));
  copy.operands = std::move(operands);
  InferTyping(copy, typings);
  copy.rematerialised = RematerialisedScope::Current();
  return graph.Append(std::move(copy));
}

}  // namespace

bool IsWithin(const Node& node, const RematerialisedCall& call) {
  for (const RematerialisedCall* at = node.rematerialised.get(); at != nullptr; at = at->outer.get()) {
    if (at == &call) return true;
  }
  return false;
}

Recomputation::Recomputation(std::shared_ptr<Graph> graph, const RematerialisedCall& call, int last,
                             const Tensor& after, Recomputation* outer)
    : graph_(std::move(graph)), call_(call), first_(last), last_(last), after_(after), outer_(outer) {
  while (first_ > 0 && IsWithin(graph_->node(first_ - 1), call_)) --first_;
}

bool Recomputation::IsRecomputed(int node) const {
  if (node < first_ || node > last_) return false;
  return graph_->node(node).op != &kParameter && FindCollective(graph_->node(node)) == nullptr;
}

Value Recomputation::Original(Value value) {
  const Node& node = graph_->node(value.node);
  // Constants and their like cost nothing, and the compiler should see through them.
  if (node.operands.empty() && node.op != &kParameter) return value;
  const auto found = originals_.find(value);
  if (found != originals_.end()) return found->second;
  const PlacementScope placement(node.logical_device);
  const Tensor operands[] = {{graph_, value}, after_};
  const Tensor barred = graph_->Add(kOptimizationBarrier, operands, {}, node.user)[0];
  return originals_.emplace(value, barred.value()).first->second;
}

Value Recomputation::Of(Value value) {
  if (!IsRecomputed(value.node)) return Original(outer_ != nullptr ? outer_->Of(value) : value);
  const auto found = copies_.find(value.node);
  if (found != copies_.end()) return {found->second, value.index};
  const Node& node = graph_->node(value.node);
  std::vector<Value> operands;
  operands.reserve(node.operands.size());
  for (Value operand : node.operands) operands.push_back(Of(operand));
  const int copy = AppendCopy(*graph_, node, std::move(operands));
  copies_.emplace(value.node, copy);
  return {copy, value.index};
}

const OpDef kOptimizationBarrier{
    .name = "optimization_barrier",
    .infer = +[](const InferContext& context) -> std::vector<Shape> { return {context.operands[0]}; },
    .typing = TypingRule::kFirstOperand,
    .gradient =
        Gradient::Rule(+[](const GradientContext& g) -> std::vector<Tensor> { return {g.cotangent(), Tensor()}; }),
    .lower = +[](const Node&, std::span<const SsaValue> operands, Emitter& emitter) -> std::vector<SsaValue> {
      const Shape shapes[] = {operands[0].shape, operands[1].shape};
      return {emitter.EmitMany("stablehlo.optimization_barrier", operands, "", {}, shapes)[0]};
    },
    .samples = +[]() -> std::vector<Sample> { return {{"matrix", {{DType::kF64, {2, 3}}, {DType::kF64, {4}}}}}; },
    .oracle =
        +[](std::span<const Literal> operands, const Attributes&) -> std::vector<Literal> { return {operands[0]}; },
};

std::span<const OpDef* const> RematerialiseOps() {
  static constexpr const OpDef* kOps[] = {&kOptimizationBarrier};
  return kOps;
}

}  // namespace replicator
