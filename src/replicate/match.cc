#include "replicate/match.h"

#include <algorithm>
#include <string>

#include "replicator/graph/nest.h"

namespace replicator {
namespace {

std::string Ordinal(size_t k) {
  const size_t n = k + 1;
  const char* suffix = n % 100 / 10 == 1 ? "th" : n % 10 == 1 ? "st" : n % 10 == 2 ? "nd" : n % 10 == 3 ? "rd" : "th";
  return std::to_string(n) + suffix;
}

const Node& Placeholder(const ReplicaStep& step, size_t k) { return step.graph->node(step.placeholders[k]); }

// "broadcast({bias: f32[3], kernel: f32[2,3]}) {source=1} at model.cc:12"
std::string Describe(const ReplicaStep& step, const Node& node) {
  std::vector<Shape> shapes;
  for (Value operand : node.operands) shapes.push_back(step.graph->shape(operand));
  std::string structure;
  Attributes shown;
  for (const auto& [name, value] : node.attributes.entries()) {
    if (name == "nest") {
      structure = std::get<std::string>(value);
    } else if (name != "num_replicas" && value != AttributeValue(false)) {
      shown.Set(name, value);
    }
  }
  const std::string attributes = ToString(shown);
  return std::string(node.op->name) + "(" + DescribeNest(structure, shapes) + ")" +
         (attributes.empty() ? "" : " {" + attributes + "}") + " at " + ToString(node.user);
}

std::string Name(const ReplicaStep& step) { return "replica " + std::to_string(step.replica); }

bool SamePlaceholder(const ReplicaStep& a, const Node& x, const ReplicaStep& b, const Node& y) {
  if (x.op != y.op || x.attributes != y.attributes || x.operands.size() != y.operands.size()) return false;
  for (size_t i = 0; i < x.operands.size(); ++i) {
    if (a.graph->shape(x.operands[i]) != b.graph->shape(y.operands[i])) return false;
  }
  return std::equal(x.regions.begin(), x.regions.end(), y.regions.begin(), y.regions.end(),
                    [](const Region& p, const Region& q) { return p == q || SameStructure(*p, *q); });
}

constexpr char kRule[] =
    "; all replicas must call the same collectives in the same order, on the same structures, dtypes and shapes";

void ComparePlaceholders(const ReplicaStep& a, const ReplicaStep& b, SourceLocation where) {
  const size_t common = std::min(a.placeholders.size(), b.placeholders.size());
  for (size_t k = 0; k < common; ++k) {
    const Node& x = Placeholder(a, k);
    const Node& y = Placeholder(b, k);
    if (SamePlaceholder(a, x, b, y)) continue;
    throw Error(ErrorCode::kInvalidArgument,
                "the " + Ordinal(k) + " collective differs: " + Name(a) + " calls " + Describe(a, x) + ", but " +
                    Name(b) + " calls " + Describe(b, y) + kRule,
                {x.user, y.user});
  }
  if (a.placeholders.size() == b.placeholders.size()) return;
  const bool a_has_more = a.placeholders.size() > common;
  const ReplicaStep& more = a_has_more ? a : b;
  const ReplicaStep& fewer = a_has_more ? b : a;
  const Node& extra = Placeholder(more, common);
  const SourceLocation last = common > 0 ? Placeholder(fewer, common - 1).user : where;
  throw Error(ErrorCode::kInvalidArgument,
              Name(more) + " calls a " + Ordinal(common) + " collective, " + Describe(more, extra) + ", but " +
                  Name(fewer) + " calls only " + std::to_string(common) +
                  (common > 0 ? ", the last at " : "; its step was built at ") + ToString(last) + kRule,
              {extra.user, last});
}

void CompareOutputs(const ReplicaStep& a, const ReplicaStep& b, SourceLocation where) {
  const auto& x = a.graph->outputs();
  const auto& y = b.graph->outputs();
  if (x.size() != y.size()) {
    throw Error(ErrorCode::kInvalidArgument,
                "the step function returned " + std::to_string(x.size()) + " tensors in " + Name(a) + ", but " +
                    std::to_string(y.size()) + " in " + Name(b) + "; all replicas must return the same",
                {where});
  }
  for (size_t i = 0; i < x.size(); ++i) {
    if (a.graph->shape(x[i]) == b.graph->shape(y[i])) continue;
    const SourceLocation at_x = a.graph->node(x[i].node).user, at_y = b.graph->node(y[i].node).user;
    throw Error(ErrorCode::kInvalidArgument,
                "the " + Ordinal(i) + " result of the step function is " + ToString(a.graph->shape(x[i])) + " in " +
                    Name(a) + " (from " + ToString(at_x) + "), but " + ToString(b.graph->shape(y[i])) + " in " +
                    Name(b) + " (from " + ToString(at_y) + "); all replicas must return the same dtypes and shapes",
                {at_x, at_y});
  }
}

}  // namespace

void MatchPlaceholders(const ReplicaSteps& steps, SourceLocation where) {
  for (size_t c = 1; c < steps.classes.size(); ++c) {
    ComparePlaceholders(steps.classes[0], steps.classes[c], where);
    CompareOutputs(steps.classes[0], steps.classes[c], where);
  }
}

}  // namespace replicator
