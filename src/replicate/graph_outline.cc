#include "replicate/graph_outline.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "graph/region.h"

namespace replicator {
namespace {

constexpr char kArrow[] = "·";

std::vector<bool> NeededNodes(const Graph& graph, const std::vector<Value>& ends) {
  std::vector<bool> needed(graph.nodes().size(), false);
  for (Value end : ends) needed[static_cast<size_t>(end.node)] = true;
  for (size_t id = needed.size(); id-- > 0;) {
    const Node& node = graph.nodes()[id];
    if (FindCollective(node) != nullptr) needed[id] = true;
    if (!needed[id]) continue;
    for (Value operand : node.operands) needed[static_cast<size_t>(operand.node)] = true;
  }
  return needed;
}

bool IsPassedThrough(const Node& node) { return node.op->name == "reshape" || node.op->name == "broadcast_in_dim"; }

// "0.5", or nothing for what is not a scalar constant.
std::string ConstantText(const Node& node) {
  if (node.op->name != "constant") return "";
  const Literal& value = node.attributes.Value("value");
  if (value.num_elements() != 1) return "";
  return fmt::format("{:.4g}", value.ToDoubles()[0]);
}

}  // namespace

GraphOutline::GraphOutline(const Graph& graph, const std::vector<Value>& ends)
    : graph_(graph), source_(graph.nodes().size(), -1), text_(graph.nodes().size()) {
  const std::vector<bool> needed = NeededNodes(graph, ends);
  std::vector<bool> is_end(graph.nodes().size(), false);
  for (Value end : ends) is_end[static_cast<size_t>(end.node)] = true;
  for (size_t id = 0; id < graph.nodes().size(); ++id) {
    const Node& node = graph.nodes()[id];
    if (!needed[id]) continue;
    if (IsPassedThrough(node) && !(is_end[id] && Source(node.operands[0]) < 0)) {
      source_[id] = Source(node.operands[0]);
      text_[id] = Text(node.operands[0]);
      continue;
    }
    if (!is_end[id]) text_[id] = ConstantText(node);
    if (!text_[id].empty()) continue;
    text_[id] = kArrow;
    source_[id] = static_cast<int>(id);
    drawn_.push_back(static_cast<int>(id));
  }
}

std::vector<int> GraphOutline::SourcesOf(int node) const {
  std::vector<int> sources;
  for (Value operand : graph_.node(node).operands) {
    const int source = Source(operand);
    if (source >= 0 && std::find(sources.begin(), sources.end(), source) == sources.end()) sources.push_back(source);
  }
  return sources;
}

}  // namespace replicator
