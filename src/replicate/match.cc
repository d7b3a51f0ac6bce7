#include "replicate/match.h"

#include <algorithm>
#include <string>
#include <utility>

#include "graph/region.h"
#include "ops/control_flow.h"
#include "replicator/graph/nest.h"

namespace replicator {
namespace {

std::string Ordinal(size_t k) {
  const size_t n = k + 1;
  const char* suffix = n % 100 / 10 == 1 ? "th" : n % 10 == 1 ? "st" : n % 10 == 2 ? "nd" : n % 10 == 3 ? "rd" : "th";
  return std::to_string(n) + suffix;
}

std::string Name(const ReplicaStep& step) { return "replica " + std::to_string(step.replica); }

// "broadcast({bias: f32[3], kernel: f32[2,3]}) {source=1} at model.cc:12"
std::string Describe(const Graph& graph, const Node& node, bool with_device = false) {
  std::vector<Shape> shapes;
  for (Value operand : node.operands) shapes.push_back(graph.shape(operand));
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
         (attributes.empty() ? "" : " {" + attributes + "}") +
         (with_device ? " on logical device " + std::to_string(node.logical_device) : "") + " at " +
         ToString(node.user);
}

// The placeholders of a graph, in order: collectives, and what holds some in its regions.
std::vector<int> PlaceholdersOf(const Graph& graph) {
  std::vector<int> placeholders;
  for (size_t id = 0; id < graph.nodes().size(); ++id) {
    if (FindCollective(graph.nodes()[id]) != nullptr) placeholders.push_back(static_cast<int>(id));
  }
  return placeholders;
}

bool SameOperands(const Graph& a, const Node& x, const Graph& b, const Node& y) {
  return std::equal(x.operands.begin(), x.operands.end(), y.operands.begin(), y.operands.end(),
                    [&](Value p, Value q) { return a.shape(p) == b.shape(q); });
}

constexpr char kRule[] =
    "; all replicas must call the same collectives in the same order, on the same structures, dtypes and shapes, "
    "on the same logical device";

// Compares what two replicas have built at the same place: in their steps, or in the same region of both.
class Comparison {
 public:
  Comparison(const ReplicaStep& a, const ReplicaStep& b) : a_name_(Name(a)), b_name_(Name(b)) {}

  // `place`: "" or " in the body of ...", after the ordinal; `where`: the line to name where a side calls nothing.
  void Placeholders(const Graph& a, const Graph& b, const std::string& place, SourceLocation a_where,
                    SourceLocation b_where) const {
    const std::vector<int> xs = PlaceholdersOf(a), ys = PlaceholdersOf(b);
    const size_t common = std::min(xs.size(), ys.size());
    for (size_t k = 0; k < common; ++k) ComparePair(a, a.node(xs[k]), b, b.node(ys[k]), Ordinal(k), place);
    if (xs.size() > common) Extra(a, a.node(xs[common]), a_name_, b, ys, b_name_, place, b_where);
    if (ys.size() > common) Extra(b, b.node(ys[common]), b_name_, a, xs, a_name_, place, a_where);
  }

 private:
  void ComparePair(const Graph& a, const Node& x, const Graph& b, const Node& y, const std::string& ordinal,
                   const std::string& place) const {
    const bool devices_differ = x.logical_device != y.logical_device;
    const bool same = x.op == y.op && !devices_differ && x.attributes == y.attributes && SameOperands(a, x, b, y);
    const bool regions = same && std::equal(x.regions.begin(), x.regions.end(), y.regions.begin(), y.regions.end(),
                                            [](const Region& p, const Region& q) { return SameStructure(*p, *q); });
    if (regions) return;
    // Where both hold collectives, first look whether those differ.
    if (x.op == y.op && !x.op->is_collective && x.regions.size() == y.regions.size()) {
      for (size_t r = 0; r < x.regions.size(); ++r) {
        Placeholders(*x.regions[r], *y.regions[r], " in " + RegionName(x, r) + " at " + ToString(x.user), x.user,
                     y.user);
      }
      for (size_t r = 0; same && r < x.regions.size(); ++r) CompareBodies(*x.regions[r], *y.regions[r], x, y, r);
    }
    Throw("the " + ordinal + " collective" + place + " differs: " + a_name_ + " calls " + What(a, x, devices_differ) +
              ", but " + b_name_ + " calls " + What(b, y, devices_differ) + kRule,
          Line(x), Line(y));
  }

  // Collectives stand in both, and are the same; something else is not.
  void CompareBodies(const Graph& a, const Graph& b, const Node& x, const Node& y, size_t r) const {
    const size_t common = std::min(a.nodes().size(), b.nodes().size());
    size_t id = 0;
    while (id < common && Graph::SameNode(a, b, static_cast<int>(id))) ++id;
    if (id == common && a.nodes().size() == b.nodes().size() && a.outputs() == b.outputs()) return;
    const auto side = [&](const Graph& graph, const Node& owner) {
      return id < graph.nodes().size() ? std::pair(Describe(graph, graph.nodes()[id]), graph.nodes()[id].user)
                                       : std::pair("nothing more at " + ToString(owner.user), owner.user);
    };
    const auto [a_text, a_line] = side(a, x);
    const auto [b_text, b_line] = side(b, y);
    Throw(RegionName(x, r) + " at " + ToString(x.user) +
              " calls collectives, so it must be the same on all replicas, " + "but " + a_name_ + " has " + a_text +
              " where " + b_name_ + " has " + b_text + "; pass what differs in from outside, as a tensor",
          a_line, b_line);
  }

  void Extra(const Graph& more, const Node& extra, const std::string& more_name, const Graph& fewer,
             const std::vector<int>& calls, const std::string& fewer_name, const std::string& place,
             SourceLocation where) const {
    const SourceLocation last = calls.empty() ? where : Line(fewer.node(calls.back()));
    const std::string region = place.empty() ? "; its step was built at " : ", in what was built at ";
    Throw(more_name + " calls a " + Ordinal(calls.size()) + " collective" + place + ", " + What(more, extra) +
              ", but " + fewer_name + " calls only " + std::to_string(calls.size()) +
              (calls.empty() ? region : ", the last at ") + ToString(last) + kRule,
          Line(extra), last);
  }

  // What is called: the collective, or the one inside of a region.
  static std::string What(const Graph& graph, const Node& node, bool with_device = false) {
    if (node.op->is_collective) return Describe(graph, node, with_device);
    for (const Region& region : node.regions) {
      const std::vector<int> inside = PlaceholdersOf(*region);
      if (!inside.empty()) {
        return What(*region, region->node(inside[0])) + " inside of " + Describe(graph, node, with_device);
      }
    }
    return Describe(graph, node);
  }
  static SourceLocation Line(const Node& node) { return FindCollective(node)->user; }

  static std::string RegionName(const Node& node, size_t r) {
    if (node.op == &kScan) return "the body of the loop";
    if (node.op == &kWhile) return r == 0 ? "the condition of the loop" : "the body of the loop";
    return "branch " + std::to_string(r) + " of the Cond";
  }

  [[noreturn]] static void Throw(const std::string& message, SourceLocation a, SourceLocation b) {
    throw Error(ErrorCode::kInvalidArgument, message, {a, b});
  }

  const std::string a_name_, b_name_;
};

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
    const ReplicaStep &a = steps.classes[0], &b = steps.classes[c];
    Comparison(a, b).Placeholders(*a.graph, *b.graph, "", where, where);
    CompareOutputs(steps.classes[0], steps.classes[c], where);
  }
}

}  // namespace replicator
