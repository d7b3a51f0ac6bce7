#include "replicate/picture_draw.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/file_system.h"
#include "graph/region.h"
#include "replicate/dump_text.h"
#include "replicate/graph_outline.h"
#include "replicate/merge.h"
#include "replicate/picture_groups.h"

namespace replicator {
namespace {

constexpr int kMaxInsideBoxes = 14;  // of one region; more are only counted
constexpr size_t kMaxNamedScopes = 3;

// The first `depth` parts of a path.
std::string Prefix(const std::string& path, int depth) {
  size_t end = 0;
  for (int i = 0; i < depth && end != std::string::npos; ++i) end = path.find('/', i == 0 ? 0 : end + 1);
  return depth == 0 ? "" : path.substr(0, end);
}
int Depth(const std::string& path) {
  return path.empty() ? 0 : 1 + static_cast<int>(std::count(path.begin(), path.end(), '/'));
}

bool IsVariable(const Node& node) { return node.op == &kParameter && node.attributes.String("kind") == "variable"; }

class Drawer {
 public:
  Drawer(const Graph& graph, const DrawOptions& options)
      : graph_(graph), options_(options), outline_(graph, ValuesOf(options.ends)) {
    for (size_t id = 0; id < graph.nodes().size(); ++id) {
      if (FindCollective(graph.nodes()[id]) != nullptr)
        place_of_.emplace(static_cast<int>(id), static_cast<int>(place_of_.size()));
    }
  }

  Lane Run() {
    std::vector<int> group_of = ChooseGroups();
    Lane lane{.title = options_.title};
    for (const auto& [group, members] : Members(group_of)) {
      lane.boxes.push_back(members.size() == 1 ? NodeBox(members[0]) : GroupBox(members));
    }
    std::map<std::pair<int, int>, bool> arrows;  // whether varying
    const auto connect = [&](int from, int to, Typing typing) {
      if (from >= 0 && from != to) arrows[{from, to}] |= typing == Typing::kVarying;
    };
    for (int node : outline_.drawn()) {
      if (group_of[static_cast<size_t>(node)] < 0) continue;
      for (Value operand : graph_.node(node).operands) {
        const int source = outline_.Source(operand);
        if (source < 0) continue;
        connect(group_of[static_cast<size_t>(source)], group_of[static_cast<size_t>(node)], graph_.typing(operand));
      }
    }
    AddEnds(group_of, lane, connect);
    for (const auto& [ends, varying] : arrows) lane.arrows.push_back({ends.first, ends.second, varying});
    return lane;
  }

 private:
  static std::vector<Value> ValuesOf(const std::vector<DrawOptions::End>& ends) {
    std::vector<Value> values;
    for (const auto& end : ends) values.push_back(end.value);
    return values;
  }

  std::string DeviceSuffix(const Node& node) const {
    const bool named = options_.name_devices && node.logical_device > 0;
    return named ? " on device " + std::to_string(node.logical_device) : "";
  }

  // By node: its box. As many boxes as are allowed.
  std::vector<int> ChooseGroups() const {
    int depth = 0;
    for (int node : outline_.drawn()) depth = std::max(depth, Depth(graph_.node(node).scope));
    std::vector<int> group_of(graph_.nodes().size(), -1);
    for (size_t i = 0; i < outline_.drawn().size(); ++i) {
      group_of[static_cast<size_t>(outline_.drawn()[i])] = static_cast<int>(i);
    }
    std::vector<std::pair<int, bool>> attempts;  // depth of scopes, collectives apart
    for (const bool apart : {true, false}) {
      for (int d = depth; d >= 1; --d) attempts.emplace_back(d, apart);
    }
    attempts.emplace_back(0, true);
    attempts.emplace_back(0, false);
    for (size_t i = 0; i < attempts.size() && Count(group_of) > options_.max_boxes; ++i) {
      group_of = GroupBy([&](int node) { return GroupKey(node, attempts[i].first, attempts[i].second); });
    }
    return group_of;
  }
  std::string GroupKey(int id, int depth, bool collectives_apart) const {
    const Node& node = graph_.node(id);
    if (node.op == &kParameter && !IsVariable(node)) return "input " + node.attributes.String("name");
    const std::string scope = Prefix(node.scope, depth) + DeviceSuffix(node);
    const bool apart = collectives_apart && FindCollective(node) != nullptr;
    return apart ? "collective " + std::string(node.op->name) + " " + scope : "scope " + scope;
  }
  static int Count(const std::vector<int>& group_of) {
    return group_of.empty() ? 0 : *std::max_element(group_of.begin(), group_of.end()) + 1;
  }

  // Variables are left out, -1: a group says how many it reads.
  template <typename Key>
  std::vector<int> GroupBy(const Key& key) const {
    std::vector<int> number_of(graph_.nodes().size(), -1), drawn;
    std::vector<KeyedNode> nodes;
    for (int node : outline_.drawn()) {
      if (IsVariable(graph_.node(node))) continue;
      KeyedNode keyed{.key = key(node), .last = FindCollective(graph_.node(node)) != nullptr};
      for (int source : outline_.SourcesOf(node)) {
        if (number_of[static_cast<size_t>(source)] >= 0)
          keyed.operands.push_back(number_of[static_cast<size_t>(source)]);
      }
      number_of[static_cast<size_t>(node)] = static_cast<int>(nodes.size());
      nodes.push_back(std::move(keyed));
      drawn.push_back(node);
    }
    const std::vector<int> groups = GroupNodes(nodes);
    std::vector<int> group_of(graph_.nodes().size(), -1);
    for (size_t i = 0; i < drawn.size(); ++i) group_of[static_cast<size_t>(drawn[i])] = groups[i];
    return group_of;
  }

  std::map<int, std::vector<int>> Members(const std::vector<int>& group_of) const {
    std::map<int, std::vector<int>> members;
    for (int node : outline_.drawn()) {
      const int group = group_of[static_cast<size_t>(node)];
      if (group >= 0) members[group].push_back(node);
    }
    return members;
  }

  Box NodeBox(int id) const {
    const Node& node = graph_.node(id);
    Box box{.tooltip = Listing(graph_, id)};
    if (node.op == &kParameter) {
      box.kind = IsVariable(node) ? BoxKind::kVariable : BoxKind::kInput;
      box.lines = {node.attributes.String("name"), ToString(node.results[0])};
      return box;
    }
    box.lines = {Label(node)};
    if (!node.results.empty()) box.lines.push_back(ToString(node.results[0]));
    if (node.results.size() > 1) box.lines.back() += " +" + std::to_string(node.results.size() - 1);
    if (const auto place = place_of_.find(id); place != place_of_.end()) {
      box.kind = BoxKind::kCollective;
      box.has_collectives = true;
      box.band = place->second;
      box.lines.push_back(BaseName(node.user.file_name()) + ":" + std::to_string(node.user.line()));
    }
    if (!DeviceSuffix(node).empty()) box.lines.push_back(DeviceSuffix(node).substr(1));
    if (!node.regions.empty()) DrawRegions(node, box);
    return box;
  }

  // "multiply(·, 0.5)", or "multiply" where there is nothing to write.
  std::string Label(const Node& node) const {
    std::string operands;
    bool any = false;
    for (Value operand : node.operands) {
      operands += (operands.empty() ? "" : ", ") + outline_.Text(operand);
      any |= outline_.Source(operand) < 0;
    }
    return std::string(node.op->name) + (any ? "(" + operands + ")" : "");
  }

  void DrawRegions(const Node& node, Box& box) const {
    box.kind = BoxKind::kRegion;
    for (size_t i = 0; i < node.regions.size(); ++i) {
      const Graph& region = *node.regions[i];
      DrawOptions options{.title = RegionTitle(node, i), .max_boxes = kMaxInsideBoxes};
      for (size_t r = 0; r < region.outputs().size(); ++r) {
        options.ends.push_back({"result " + std::to_string(r), region.outputs()[r]});
      }
      options.class_titles = options_.class_titles;
      options.name_devices = false;
      if (options.ends.size() > kMaxInsideBoxes) {
        box.lines.push_back(options.title + ": " + std::to_string(region.nodes().size()) + " operations");
      } else {
        box.insides.push_back(Draw(region, options));
      }
    }
  }

  std::string RegionTitle(const Node& node, size_t region) const {
    const bool by_class = node.op->name == "case" && graph_.node(node.operands[0].node).scope == kReplicaClassScope;
    if (by_class && region < options_.class_titles.size()) return options_.class_titles[region];
    if (node.op->name == "while") return region == 0 ? "whether to go on" : "body";
    return node.regions.size() == 1 ? "body" : "branch " + std::to_string(region);
  }

  Box GroupBox(const std::vector<int>& members) const {
    std::map<std::string_view, int> operations;
    std::set<int> variables;
    std::set<std::string> scopes;
    int collectives = 0;
    for (int id : members) {
      const Node& node = graph_.node(id);
      scopes.insert(node.scope);
      ++operations[node.op->name];
      collectives += FindCollective(node) != nullptr ? 1 : 0;
      for (int source : outline_.SourcesOf(id)) {
        if (IsVariable(graph_.node(source))) variables.insert(source);
      }
    }
    const int total = static_cast<int>(members.size());
    const std::string scope = NameScopes(scopes) + DeviceSuffix(graph_.node(members[0]));
    Box box{.kind = BoxKind::kGroup};
    if (collectives == total && operations.size() == 1) {
      box.kind = BoxKind::kCollective;
      box.lines = {std::string(operations.begin()->first) + " x " + std::to_string(total)};
      box.lines.push_back(scope);
    } else {
      box.has_collectives = collectives > 0;
      box.lines = {scope, std::to_string(total) + " operations"};
      if (collectives > 0) box.lines.push_back(std::to_string(collectives) + " collectives");
      if (!variables.empty()) box.lines.push_back("reads " + std::to_string(variables.size()) + " variables");
    }
    for (const auto& [name, count] : operations) box.tooltip += std::to_string(count) + " " + std::string(name) + "\n";
    return box;
  }

  // What is common to the scopes, or else the first parts of some.
  static std::string NameScopes(const std::set<std::string>& scopes) {
    int depth = Depth(*scopes.begin());
    std::set<std::string> first_parts;
    for (const std::string& scope : scopes) {
      while (Prefix(scope, depth) != Prefix(*scopes.begin(), depth)) --depth;
      first_parts.insert(scope.empty() ? "(no scope)" : Prefix(scope, 1));
    }
    if (depth > 0) return Prefix(*scopes.begin(), depth);
    std::string text;
    size_t named = 0;
    for (const std::string& part : first_parts) {
      if (++named > kMaxNamedScopes) return text + ", +" + std::to_string(first_parts.size() - kMaxNamedScopes);
      text += (text.empty() ? "" : ", ") + part;
    }
    return text;
  }

  // One box per end, or one for all results and one for all updates of a box where there are many.
  template <typename Connect>
  void AddEnds(const std::vector<int>& group_of, Lane& lane, const Connect& connect) const {
    const bool many = static_cast<int>(lane.boxes.size() + options_.ends.size()) > options_.max_boxes + 8;
    std::map<std::pair<int, bool>, std::vector<const DrawOptions::End*>> together;
    std::vector<std::vector<const DrawOptions::End*>> boxes;
    for (const DrawOptions::End& end : options_.ends) {
      const int from = group_of[static_cast<size_t>(outline_.Source(end.value))];  // -1: a variable as it was
      if (many)
        together[{from, end.is_update}].push_back(&end);
      else
        boxes.push_back({&end});
    }
    for (auto& [key, ends] : together) boxes.push_back(std::move(ends));
    for (const auto& ends : boxes) {
      const DrawOptions::End& first = *ends[0];
      Box box{.kind = first.is_update ? BoxKind::kUpdate : BoxKind::kResult};
      const std::string count = std::to_string(ends.size());
      if (ends.size() > 1)
        box.lines = {first.is_update ? "new values of " + count + " variables" : count + " results"};
      else
        box.lines = {first.is_update ? "new " + first.label : first.label};
      for (const DrawOptions::End* end : ends) box.tooltip += end->label + "\n";
      const int to = static_cast<int>(lane.boxes.size());
      connect(group_of[static_cast<size_t>(outline_.Source(first.value))], to, graph_.typing(first.value));
      lane.boxes.push_back(std::move(box));
    }
  }

  const Graph& graph_;
  const DrawOptions& options_;
  const GraphOutline outline_;
  std::map<int, int> place_of_;  // of collectives
};

}  // namespace

Lane Draw(const Graph& graph, const DrawOptions& options) { return Drawer(graph, options).Run(); }

}  // namespace replicator
