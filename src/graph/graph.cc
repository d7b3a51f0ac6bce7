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

[[noreturn]] void RefuseForeign(const std::string& op, const Tensor& operand, std::vector<SourceLocation> lines) {
  const std::string& region = operand.graph()->region_name();
  const std::string places = " was made at " + ToString(operand.location()) + " and used at " + ToString(lines.front());
  lines.push_back(operand.location());
  if (!region.empty()) {
    throw GraphError(op, {operand.shape()},
                     "a Tensor made in " + region + " exists only there; it" + places + "; return it from there",
                     std::move(lines));
  }
  throw GraphError(op, {operand.shape()},
                   "a Tensor belongs to the graph in which it was made and cannot be used in another; it" + places +
                       "; pass values between steps through a Variable or the step's result",
                   std::move(lines));
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

void InferTyping(Node& node, std::span<const Typing> operands) {
  const OpDef& op = *node.op;
  node.result_typings.clear();
  node.typing = Typing::kReplicated;
  switch (op.typing) {
    case TypingRule::kReplicated:
      return;
    case TypingRule::kVarying:
      node.typing = Typing::kVarying;
      return;
    case TypingRule::kFirstOperand:
      node.typing = operands[0];
      return;
    case TypingRule::kAttribute:
      node.typing = node.attributes.Bool("varying") ? Typing::kVarying : Typing::kReplicated;
      return;
    case TypingRule::kRegions:
      node.result_typings = op.region_typing(node, operands);
      operands = node.result_typings;
      break;
    case TypingRule::kJoin:
      break;
  }
  for (Typing operand : operands) node.typing = Join(node.typing, operand);
}

Attributes ParameterAttributes(std::string kind, std::string name, const Shape& shape, Typing typing) {
  return {{"kind", std::move(kind)},
          {"name", std::move(name)},
          {"dtype", shape.dtype},
          {"dims", shape.dims},
          {"varying", typing == Typing::kVarying}};
}

std::shared_ptr<Graph> Graph::CreateRegion(Graph& parent, std::string what) {
  auto region = Create();
  region->parent_ = &parent;
  region->region_name_ = std::move(what);
  return region;
}

std::optional<Value> Graph::Resolve(const Tensor& tensor) {
  if (tensor.graph().get() == this) return tensor.value();
  if (parent_ == nullptr) return std::nullopt;
  const std::optional<Value> outer = parent_->Resolve(tensor);
  if (!outer.has_value()) return std::nullopt;
  const auto [found, inserted] = parameter_of_.try_emplace(*outer);
  if (inserted) {
    const Node& original = parent_->node(outer->node);
    Node parameter;
    parameter.op = &kParameter;
    parameter.results = {parent_->shape(*outer)};
    parameter.typing = parent_->typing(*outer);
    parameter.attributes =
        ParameterAttributes("region", std::to_string(parameters_.size()), parameter.results[0], parameter.typing);
    parameter.user = original.user;
    parameter.inner = original.inner;
    parameter.scope = original.scope;
    found->second = {Append(std::move(parameter)), 0};
    captures_.push_back(*outer);
  }
  return found->second;
}

std::optional<Value> Graph::Lookup(const Graph& owner, Value value) const {
  if (this == &owner) return value;
  if (parent_ == nullptr) return std::nullopt;
  const std::optional<Value> outer = parent_->Lookup(owner, value);
  if (!outer.has_value()) return std::nullopt;
  const auto found = parameter_of_.find(*outer);
  if (found == parameter_of_.end()) return std::nullopt;
  return found->second;
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
  Node node;
  shapes.reserve(operands.size());
  typings.reserve(operands.size());
  node.operands.reserve(operands.size());
  for (const Tensor& operand : operands) {
    if (!operand.defined()) throw GraphError(std::string(op.name), {}, "an operand is an undefined Tensor", chain);
    shapes.push_back(operand.shape());
    typings.push_back(operand.typing());
    const std::optional<Value> value = Resolve(operand);
    if (!value.has_value()) RefuseForeign(std::string(op.name), operand, chain);
    node.operands.push_back(*value);
  }
  try {
    node.results = op.infer(InferContext{shapes, attributes, regions});
  } catch (const RuleViolation& violation) {
    throw GraphError(std::string(op.name), std::move(shapes), violation.rule, chain);
  }
  node.op = &op;
  node.attributes = std::move(attributes);
  node.logical_device = LogicalDevice::Current();
  for (const Region& region : regions) CheckRegionDevice(op, *region, node.logical_device, chain);
  node.regions = std::move(regions);
  InferTyping(node, typings);
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

void Graph::AddResults(int id, std::vector<Region> regions, Attributes attributes) {
  Node& node = nodes_[static_cast<size_t>(id)];
  std::vector<Shape> shapes;
  std::vector<Typing> typings;
  for (Value operand : node.operands) {
    shapes.push_back(shape(operand));
    typings.push_back(typing(operand));
  }
  node.regions = std::move(regions);
  node.attributes = std::move(attributes);
  node.results = node.op->infer(InferContext{shapes, node.attributes, node.regions});
  InferTyping(node, typings);
}

int Graph::Append(Node node) {
  const int id = static_cast<int>(nodes_.size());
  if (node.op == &kParameter) parameters_.push_back(id);
  nodes_.push_back(std::move(node));
  return id;
}

namespace {

// The parameters of regions are typed as what the region is given: on another replica that may be typed otherwise,
// though both have built the same.
bool IsRegionParameter(const Node& node) {
  return node.op == &kParameter && node.attributes.String("kind") == "region";
}

bool SameAttributes(const Node& x, const Node& y) {
  if (!IsRegionParameter(x) || !IsRegionParameter(y)) return x.attributes == y.attributes;
  return x.attributes.String("name") == y.attributes.String("name");
}

uint64_t HashAttributes(const Node& node) {
  return IsRegionParameter(node) ? HashString(node.attributes.String("name")) : node.attributes.Hash();
}

}  // namespace

bool Graph::SameNode(const Graph& a, const Graph& b, int id) {
  const Node& x = a.node(id);
  const Node& y = b.node(id);
  return x.op == y.op && x.logical_device == y.logical_device && x.operands == y.operands && x.results == y.results &&
         SameAttributes(x, y) &&
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
    hash = HashCombine(HashString(node.op->name, hash), HashAttributes(node));
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
    if (node.result_typings.empty()) text += " " + std::string(ToString(node.typing));
    for (Typing typing : node.result_typings) text += " " + std::string(ToString(typing));
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
