#include "graph/region.h"

#include <algorithm>

namespace replicator {

const Node* FindCollective(const Node& node) {
  if (node.op->is_collective) return &node;
  for (const Region& region : node.regions) {
    if (const Node* found = FindCollective(*region)) return found;
  }
  return nullptr;
}

const Node* FindCollective(const Graph& region) {
  for (const Node& node : region.nodes()) {
    if (const Node* found = FindCollective(node)) return found;
  }
  return nullptr;
}

std::vector<Typing> TypeOutputs(const Graph& graph, std::span<const Typing> parameters) {
  std::vector<std::vector<Typing>> typings;
  typings.reserve(graph.nodes().size());
  const auto at = [&](Value value) {
    return typings[static_cast<size_t>(value.node)][static_cast<size_t>(value.index)];
  };
  size_t parameter = 0;
  Node typed;
  std::vector<Typing> operands;
  for (const Node& node : graph.nodes()) {
    std::vector<Typing>& results = typings.emplace_back();
    if (node.op == &kParameter) {
      results = {parameters[parameter++]};
      continue;
    }
    operands.clear();
    for (Value operand : node.operands) operands.push_back(at(operand));
    if (node.op->typing == TypingRule::kRegions) {
      results = node.op->region_typing(node, operands);
    } else {
      typed.op = node.op;
      if (node.op->typing == TypingRule::kAttribute) typed.attributes = node.attributes;
      InferTyping(typed, operands);
      results.assign(node.results.size(), typed.typing);
    }
  }
  std::vector<Typing> outputs;
  for (Value output : graph.outputs()) outputs.push_back(at(output));
  return outputs;
}

namespace {

using Bound = std::map<Value, Value>;

// For every node of `graph`, whether `outputs` need it, given what is bound.
std::vector<bool> LiveNodes(const Graph& graph, const Bound& bound, const std::vector<Value>& outputs,
                            bool keep_collectives) {
  std::vector<bool> live(graph.nodes().size(), false);
  const auto mark = [&](Value value) {
    if (!bound.contains(value)) live[static_cast<size_t>(value.node)] = true;
  };
  for (Value output : outputs) mark(output);
  for (size_t id = graph.nodes().size(); id-- > 0;) {
    const Node& node = graph.nodes()[id];
    if (keep_collectives && !live[id] && FindCollective(node) != nullptr) live[id] = true;
    if (!live[id]) continue;
    for (Value operand : node.operands) mark(operand);
  }
  return live;
}

std::vector<Value> CopyBound(const Graph& source, const Bound& bound, Graph& target, const std::vector<Value>& outputs,
                             const CopyOptions& options) {
  const std::vector<bool> live = LiveNodes(source, bound, outputs, options.keep_collectives);
  std::vector<std::vector<Value>> copies(source.nodes().size());
  const auto copy_of = [&](Value value) {
    const auto found = bound.find(value);
    return found != bound.end() ? found->second
                                : copies[static_cast<size_t>(value.node)][static_cast<size_t>(value.index)];
  };
  std::vector<Typing> typings;
  for (size_t id = 0; id < source.nodes().size(); ++id) {
    const Node& node = source.nodes()[id];
    if (!live[id] || node.op == &kParameter) continue;
    std::vector<Value> operands;
    for (Value operand : node.operands) operands.push_back(copy_of(operand));
    if (options.replace != nullptr) {
      if (std::optional<std::vector<Value>> made = options.replace(node, operands)) {
        copies[id] = std::move(*made);
        continue;
      }
    }
    Node copy = node;
    typings.clear();
    for (Value operand : operands) typings.push_back(target.typing(operand));
    copy.operands = std::move(operands);
    InferTyping(copy, typings);
    const int made = target.Append(std::move(copy));
    for (size_t i = 0; i < node.results.size(); ++i) copies[id].push_back({made, static_cast<int>(i)});
  }
  std::vector<Value> results;
  for (Value output : outputs) results.push_back(copy_of(output));
  return results;
}

std::vector<Value> CopyOutputs(const Graph& source, std::span<const Value> arguments, Graph& target,
                               const std::vector<Value>& outputs, const CopyOptions& options) {
  Bound bound;
  for (size_t i = 0; i < source.parameters().size(); ++i) bound[{source.parameters()[i], 0}] = arguments[i];
  return CopyBound(source, bound, target, outputs, options);
}

}  // namespace

std::vector<Value> CopyValues(const Graph& source, const std::map<Value, Value>& bound, Graph& target,
                              const std::vector<Value>& values) {
  return CopyBound(source, bound, target, values, {.keep_collectives = false});
}

std::vector<Value> CopyGraph(const Graph& source, std::span<const Value> arguments, Graph& target,
                             const CopyOptions& options) {
  return CopyOutputs(source, arguments, target, source.outputs(), options);
}

Region FinishRegion(const Graph& built, size_t parameters, std::span<const Value> captures, const Graph& enclosing,
                    const std::vector<Value>& outputs, const CopyOptions& options) {
  const std::shared_ptr<Graph> region = Graph::Create();
  const auto add = [&](Node node, Typing typing) -> Value {
    node.attributes =
        ParameterAttributes("region", std::to_string(region->parameters().size()), node.results[0], typing);
    node.typing = typing;
    return {region->Append(std::move(node)), 0};
  };
  std::vector<Value> arguments;
  for (size_t i = 0; i < parameters; ++i) {
    const Node& parameter = built.node(built.parameters()[i]);
    arguments.push_back(add(parameter, parameter.typing));
  }
  std::vector<Value> captured;
  for (Value value : captures) {
    const Node& original = enclosing.node(value.node);
    Node parameter;
    parameter.op = &kParameter;
    parameter.results = {enclosing.shape(value)};
    parameter.user = original.user;
    parameter.inner = original.inner;
    parameter.scope = original.scope;
    captured.push_back(add(std::move(parameter), enclosing.typing(value)));
  }
  for (Value value : built.captures()) {
    const auto place = std::find(captures.begin(), captures.end(), value) - captures.begin();
    arguments.push_back(captured[static_cast<size_t>(place)]);
  }
  region->SetOutputs(CopyOutputs(built, arguments, *region, outputs, options));
  region->Freeze();
  return region;
}

}  // namespace replicator
