#include "replicate/dump_text.h"

#include <algorithm>

#include "base/file_system.h"

namespace replicator {
namespace {

constexpr size_t kMaxAttributes = 160;

std::string NameOf(const Graph& graph, Value value) {
  std::string text = "%" + std::to_string(value.node);
  if (graph.node(value.node).results.size() > 1) text += "." + std::to_string(value.index);
  return text;
}

std::string Line(const SourceLocation& where) {
  return BaseName(where.file_name()) + ":" + std::to_string(where.line());
}

std::string Indented(const std::string& text) {
  std::string result = "    ";
  for (char c : text) result += c == '\n' ? std::string("\n    ") : std::string(1, c);
  return result;
}

std::string Padded(std::string text, size_t width) {
  text.resize(std::max(text.size(), width), ' ');
  return text;
}

}  // namespace

std::string Listing(const Graph& graph, int id) {
  const Node& node = graph.node(id);
  std::string text = "%" + std::to_string(id) + " = " + std::string(node.op->name) + "(";
  for (size_t i = 0; i < node.operands.size(); ++i) text += (i == 0 ? "" : ", ") + NameOf(graph, node.operands[i]);
  std::string attributes = ToString(node.attributes);
  if (attributes.size() > kMaxAttributes) attributes = attributes.substr(0, kMaxAttributes) + "...";
  text += ")" + (attributes.empty() ? "" : " {" + attributes + "}") + " :";
  for (const Shape& shape : node.results) text += " " + ToString(shape);
  text += node.typing == Typing::kVarying ? " varying" : " replicated";
  if (!node.scope.empty()) text += "  [" + node.scope + "]";
  for (const SourceLocation& where : node.where()) text += "  " + Line(where);
  for (const Region& region : node.regions) text += "\n" + Indented(Listing(*region));
  return text;
}

std::string Listing(const Graph& graph) {
  std::string text;
  for (size_t id = 0; id < graph.nodes().size(); ++id) text += Listing(graph, static_cast<int>(id)) + "\n";
  text += "return";
  for (Value value : graph.outputs()) text += " " + NameOf(graph, value);
  return text;
}

std::string NameReplicas(const std::vector<int>& class_of_replica, int c) {
  std::string text;
  int count = 0;
  const auto num_replicas = static_cast<int>(class_of_replica.size());
  const auto in_class = [&](int r) { return r < num_replicas && class_of_replica[static_cast<size_t>(r)] == c; };
  for (int r = 0; r < num_replicas; ++r) {
    if (!in_class(r)) continue;
    int last = r;
    while (in_class(last + 1)) ++last;
    text += (text.empty() ? "" : ", ") + std::to_string(r) + (last > r ? "-" + std::to_string(last) : "");
    count += last - r + 1;
    r = last;
  }
  return (count == 1 ? "replica " : "replicas ") + text;
}

std::string PlaceholderTable(const Program& program) {
  const int num_classes = 1 + *std::max_element(program.class_of_replica.begin(), program.class_of_replica.end());
  std::string text = std::to_string(program.placeholders.size()) + " placeholders over " +
                     std::to_string(program.num_replicas) + " replicas in " + std::to_string(num_classes) +
                     (num_classes == 1 ? " class\n" : " classes\n");
  for (int c = 0; c < num_classes; ++c) {
    text += "class " + std::to_string(c) + ": " + NameReplicas(program.class_of_replica, c) + "\n";
  }
  text += "\n" + Padded("number", 8) + Padded("operation", 24) + Padded("shape", 20) + "line in each class\n";
  for (size_t k = 0; k < program.placeholders.size(); ++k) {
    const MatchedPlaceholder& row = program.placeholders[k];
    text += Padded(std::to_string(k), 8) + Padded(row.op, 24) + Padded(ToString(row.shape), 20);
    for (size_t c = 0; c < row.where.size(); ++c) text += (c == 0 ? "" : ", ") + Line(row.where[c]);
    text += "\n";
  }
  return text;
}

}  // namespace replicator
