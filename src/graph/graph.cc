#include "graph/graph.h"

#include <algorithm>

#include "base/hash.h"
#include "graph/emitter.h"
#include "replicator/graph/logical_device.h"

namespace replicator {
namespace {

std::string Describe(const std::string& op, const std::vector<Shape>& shapes, const std::string& rule) {
  std::string text = op + "(";
  for (size_t i = 0; i < shapes.size(); ++i) text += (i == 0 ? "" : ", ") + ToString(shapes[i]);
  return text + "): " + rule;
}

void CheckRegionDevice(const OpDef& op, const Graph& region, int logical_device,
                       const std::vector<SourceLocation>& chain) {
  for (const Node& node : region.nodes()) {
    if (node.logical_device == logical_device || node.op == &kParameter) continue;
    std::vector<SourceLocation> lines = chain;
    lines.push_back(node.user);
    throw GraphError(std::string(op.name), {},
                     "it runs on logical device " + std::to_string(logical_device) +
                         ", and so does all that it holds, but " + std::string(node.op->name) + " at " +
                         ToString(node.user) + " was put on logical device " + std::to_string(node.logical_device) +
                         "; enter LogicalDevice around the whole of it",
                     std::move(lines));
  }
}

}  // namespace

GraphError::GraphError(std::string op, std::vector<Shape> operand_shapes, std::string rule,
                       std::vector<SourceLocation> where)
    : Error(ErrorCode::kInvalidArgument, Describe(op, operand_shapes, rule), std::move(where)),
      op_(std::move(op)),
      operand_shapes_(std::move(operand_shapes)),
      rule_(std::move(rule)) {}

std::vector<SourceLocation> Node::where() const {
  if (user.line() == inner.line() && std::string_view(user.file_name()) == inner.file_name()) return {user};
  return {user, inner};
}

Typing InferTyping(const OpDef& op, std::span<const Typing> operands, const Attributes& attributes) {
  switch (op.typing) {
    case TypingRule::kReplicated:
      return Typing::kReplicated;
    case TypingRule::kVarying:
      return Typing::kVarying;
    case TypingRule::kFirstOperand:
      return operands[0];
    case TypingRule::kAttribute:
      return attributes.Bool("varying") ? Typing::kVarying : Typing::kReplicated;
    case TypingRule::kJoin:
      break;
  }
  Typing typing = Typing::kReplicated;
  for (Typing operand : operands) typing = Join(typing, operand);
  return typing;
}

std::vector<Tensor> Graph::Add(const OpDef& op, std::span<const Tensor> operands, Attributes attributes,
                               SourceLocation where, std::vector<Region> regions) {
  const std::vector<SourceLocation> chain = CallSite::Chain(where);
  if (frozen_) {
    throw Error(ErrorCode::kFailedPrecondition,
                std::string(op.name) +
                    " was asked for in a step that has already been built; build it inside the step function",
                chain);
  }
  std::vector<Shape> shapes;
  std::vector<Typing> typings;
  shapes.reserve(operands.size());
  typings.reserve(operands.size());
  for (const Tensor& operand : operands) {
    if (!operand.defined()) throw GraphError(std::string(op.name), {}, "an operand is an undefined Tensor", chain);
    shapes.push_back(operand.shape());
    typings.push_back(operand.typing());
    if (operand.graph().get() == this) continue;
    std::vector<SourceLocation> lines = chain;
    lines.push_back(operand.location());
    throw GraphError(
        std::string(op.name), {operand.shape()},
        "a Tensor belongs to the graph in which it was made and cannot be used in another; it was made at " +
            ToString(operand.location()) + " and used at " + ToString(chain.front()) +
            "; pass values between steps through a Variable or the step's result",
        lines);
  }
  Node node;
  try {
    node.results = op.infer(InferContext{shapes, attributes, regions});
  } catch (const RuleViolation& violation) {
    throw GraphError(std::string(op.name), std::move(shapes), violation.rule, chain);
  }
  node.op = &op;
  node.operands.reserve(operands.size());
  for (const Tensor& operand : operands) node.operands.push_back(operand.value());
  node.typing = InferTyping(op, typings, attributes);
  node.attributes = std::move(attributes);
  node.logical_device = LogicalDevice::Current();
  for (const Region& region : regions) CheckRegionDevice(op, *region, node.logical_device, chain);
  node.regions = std::move(regions);
  node.user = chain.front();
  node.inner = chain.back();
  node.scope = NameScope::Current();
  node.rematerialised = RematerialisedScope::Current();
  const int results = static_cast<int>(node.results.size());
  const int id = Append(std::move(node));
  std::vector<Tensor> tensors;
  tensors.reserve(static_cast<size_t>(results));
  for (int i = 0; i < results; ++i) tensors.emplace_back(shared_from_this(), Value{id, i});
  return tensors;
}

int Graph::Append(Node node) {
  const int id = static_cast<int>(nodes_.size());
  if (node.op == &kParameter) parameters_.push_back(id);
  nodes_.push_back(std::move(node));
  return id;
}

bool Graph::SameNode(const Graph& a, const Graph& b, int id) {
  const Node& x = a.node(id);
  const Node& y = b.node(id);
  return x.op == y.op && x.logical_device == y.logical_device && x.operands == y.operands && x.results == y.results &&
         x.attributes == y.attributes &&
         std::equal(x.regions.begin(), x.regions.end(), y.regions.begin(), y.regions.end(),
                    [](const Region& p, const Region& q) { return p == q || SameStructure(*p, *q); });
}

bool SameStructure(const Graph& a, const Graph& b) {
  if (a.nodes_.size() != b.nodes_.size() || a.outputs_ != b.outputs_) return false;
  for (int id = 0; id < static_cast<int>(a.nodes_.size()); ++id) {
    if (!Graph::SameNode(a, b, id)) return false;
  }
  return true;
}

uint64_t Graph::Fingerprint() const {
  uint64_t hash = nodes_.size();
  const auto fold = [&](Value value) {
    hash = HashCombine(hash, (static_cast<uint64_t>(value.node) << 8) + static_cast<uint64_t>(value.index));
  };
  for (const Node& node : nodes_) {
    hash = HashCombine(HashString(node.op->name, hash), node.attributes.Hash());
    hash = HashCombine(hash, static_cast<uint64_t>(node.logical_device));
    std::for_each(node.operands.begin(), node.operands.end(), fold);
    for (const Shape& shape : node.results) hash = HashString(ToString(shape), hash);
    for (const Region& region : node.regions) hash = HashCombine(hash, region->Fingerprint());
  }
  std::for_each(outputs_.begin(), outputs_.end(), fold);
  return hash;
}

std::string ToString(const Graph& graph) {
  const auto name = [&](Value value) {
    std::string text = "%" + std::to_string(value.node);
    if (graph.node(value.node).results.size() > 1) text += "." + std::to_string(value.index);
    return text;
  };
  std::string text;
  for (size_t id = 0; id < graph.nodes().size(); ++id) {
    const Node& node = graph.nodes()[id];
    text += "%" + std::to_string(id) + " = " + std::string(node.op->name) + "(";
    for (size_t i = 0; i < node.operands.size(); ++i) text += (i == 0 ? "" : ", ") + name(node.operands[i]);
    text += ") {" + ToString(node.attributes) + "} :";
    for (const Shape& shape : node.results) text += " " + ToString(shape);
    text += node.typing == Typing::kVarying ? " varying" : " replicated";
    if (node.logical_device != 0) text += " on logical device " + std::to_string(node.logical_device);
    text += "\n";
    for (const Region& region : node.regions) text += "{\n" + ToString(*region) + "}\n";
  }
  text += "return";
  for (Value value : graph.outputs()) text += " " + name(value);
  return text + "\n";
}

const OpDef kParameter{
    .name = "parameter",
    .infer = +[](const InferContext& context) -> std::vector<Shape> {
      return {Shape{context.attributes.Type("dtype"), context.attributes.Ints("dims")}};
    },
    .typing = TypingRule::kAttribute,
    .gradient = Gradient::Zero("an input has no operands"),
    // Bound by whoever emits the graph, never emitted itself.
    .lower = +[](const Node&, std::span<const SsaValue>, Emitter&) -> std::vector<SsaValue> { return {}; },
    .samples = +[]() -> std::vector<Sample> { return {}; },
};

}  // namespace replicator
