#include "replicate/split.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "graph/placement.h"
#include "graph/region.h"
#include "ops/collectives.h"
#include "ops/push.h"
#include "replicate/guard.h"
#include "replicate/segments.h"
#include "replicator/base/error.h"
#include "replicator/ops/elementwise.h"

namespace replicator {
namespace {

using Def = std::shared_ptr<const VariableDef>;
using Combine = PushedValue::Combine;

// Whether the node, or one in its regions, needs the other replicas or says which replica this is.
bool NeedsReplicas(const Node& node) {
  if (node.op->is_collective || node.op == &kReplicaId) return true;
  return std::any_of(node.regions.begin(), node.regions.end(), [](const Region& region) {
    return std::any_of(region->nodes().begin(), region->nodes().end(), NeedsReplicas);
  });
}

// What of a step only a group can compute, and what is a constant.
class Classes {
 public:
  explicit Classes(const Program& step) {
    size_t parameter = 0;
    for (const Node& node : step.graph->nodes()) {
      bool of_group = NeedsReplicas(node), constant = !of_group && node.op != &kUpdateScale;
      if (node.op == &kParameter) {
        of_group =
            step.parameters[parameter++].kind != ProgramParameter::Kind::kVariable || node.typing == Typing::kVarying;
        constant = false;
      }
      for (Value operand : node.operands) {
        of_group = of_group || of_group_[static_cast<size_t>(operand.node)];
        constant = constant && constant_[static_cast<size_t>(operand.node)];
      }
      is_border_.push_back(node.op == &kPush && !constant);
      of_group_.push_back(of_group && node.op != &kPush);
      constant_.push_back(constant);
    }
  }
  bool of_group(Value value) const { return of_group_[static_cast<size_t>(value.node)]; }
  bool is_border(int node) const { return is_border_[static_cast<size_t>(node)]; }

 private:
  std::vector<bool> of_group_, constant_, is_border_;
};

// The nodes that `value` is computed from, itself included, up to those for which `stop` holds, which are passed to
// `visit` too. In no particular order, each once.
template <typename Stop, typename Visit>
void VisitCone(const Graph& graph, Value value, const Stop& stop, const Visit& visit) {
  std::set<int> seen = {value.node};
  std::vector<int> pending = {value.node};
  while (!pending.empty()) {
    const int id = pending.back();
    pending.pop_back();
    visit(id);
    if (stop(id)) continue;
    for (Value operand : graph.node(id).operands) {
      if (seen.insert(operand.node).second) pending.push_back(operand.node);
    }
  }
}

Value AddParameter(Graph& graph, std::vector<ProgramParameter>& parameters, ProgramParameter described,
                   const Shape& shape, Typing typing, SourceLocation where) {
  const char* kind = described.kind == ProgramParameter::Kind::kVariable  ? "variable"
                     : described.kind == ProgramParameter::Kind::kStepKey ? "step_key"
                                                                          : "input";
  const std::string name =
      described.batch == 0 ? described.name : described.name + " of member " + std::to_string(described.batch);
  parameters.push_back(std::move(described));
  return graph.Add(kParameter, {}, ParameterAttributes(kind, name, shape, typing), where)[0].value();
}

bool IsCounter(const VariableDef& def) { return def.options.shape.rank() == 0 && IsInteger(def.options.shape.dtype); }

}  // namespace

SplitStep::SplitStep(Program step) : step_(std::move(step)) {
  if (step_.segments.size() != 1 || step_.segments[0].logical_device != 0) {
    throw Error(ErrorCode::kInvalidArgument, "an asynchronous step must run on one logical device of each replica",
                {step_.where});
  }
  for (const Def& def : step_.updates) {
    if (def->options.aggregation == Aggregation::kNone || step_.num_replicas == 1) continue;
    throw Error(
        ErrorCode::kInvalidArgument,
        "the step assigns '" + def->options.name + "', of which each replica has a value of its own; groups " +
            "of several replicas share mirrored variables only: use global batch norm, or groups of one replica",
        {step_.where, def->where.front()});
  }
  FindBorders();
  BuildGroup();
}

void SplitStep::FindBorders() {
  const Classes classes(step_);
  const Graph& graph = *step_.graph;
  const auto add = [&](Value border, Combine combine) {
    const bool known = std::any_of(pushed_.begin(), pushed_.end(), [&](const auto& p) { return p.border == border; });
    if (!known) pushed_.push_back({combine, border, graph.shape(border)});
  };
  for (size_t u = 0; u < step_.updates.size(); ++u) {
    if (classes.of_group(Root(u))) {
      add(Root(u), Combine::kLast);
      continue;
    }
    std::vector<int> borders;
    VisitCone(
        graph, Root(u), [&](int id) { return classes.is_border(id); },
        [&](int id) {
          if (classes.is_border(id)) borders.push_back(id);
        });
    std::sort(borders.begin(), borders.end());
    for (int id : borders) {
      const bool sum = graph.node(id).attributes.String("over_groups") == "sum";
      add({id, 0}, sum ? Combine::kSum : Combine::kMean);
    }
  }
}

void SplitStep::BuildGroup() {
  const Graph& graph = *step_.graph;
  const BuildContext build({.num_replicas = step_.num_replicas, .mode = step_.mode});
  group_ = step_;
  group_.updates.clear();
  group_.parameters.clear();
  group_.segments.clear();
  group_.transfers.clear();
  group_.results.clear();
  std::vector<Value> wanted(graph.outputs().begin(),
                            graph.outputs().begin() + static_cast<std::ptrdiff_t>(step_.outputs.size()));
  for (const PushedValue& pushed : pushed_) {
    wanted.push_back(pushed.border);
    group_.outputs.push_back({pushed.shape, graph.typing(pushed.border)});
  }
  std::set<int> needed;
  for (Value value : wanted) {
    VisitCone(graph, value, [](int) { return false; }, [&](int id) { needed.insert(id); });
  }
  const PlacementScope placement(0);
  std::map<Value, Value> bound;
  for (size_t i = 0; i < graph.parameters().size(); ++i) {
    const int id = graph.parameters()[i];
    if (!needed.contains(id)) continue;
    ProgramParameter described = step_.parameters[i];
    described.update = -1;
    const Node& node = graph.node(id);
    bound[{id, 0}] =
        AddParameter(*build.graph(), group_.parameters, std::move(described), node.results[0], node.typing, node.user);
  }
  // Every collective stays, as the other replicas' do: they were matched.
  build.graph()->SetOutputs(CopyValues(graph, bound, *build.graph(), wanted));
  build.graph()->Freeze();
  group_.graph = build.graph();
  CutIntoSegments(group_);
}

std::vector<Def> SplitStep::ReadBy(size_t u) const {
  const Graph& graph = *step_.graph;
  const auto is_border = [&](int id) {
    return std::any_of(pushed_.begin(), pushed_.end(), [&](const auto& p) { return p.border.node == id; });
  };
  std::vector<Def> read;
  VisitCone(graph, Root(u), is_border, [&](int id) {
    if (graph.node(id).op != &kParameter) return;
    const auto place = std::find(graph.parameters().begin(), graph.parameters().end(), id) - graph.parameters().begin();
    const Def& def = step_.parameters[static_cast<size_t>(place)].variable;
    if (def != nullptr && def != step_.updates[u]) read.push_back(def);
  });
  return read;
}

Program SplitStep::Apply(std::span<const size_t> updates, int members) const {
  const Graph& source = *step_.graph;
  BuildContext build({});
  const BuildContext::Scope scope(build);
  const PlacementScope placement(0);
  Graph& graph = *build.graph();
  Program apply;
  apply.where = step_.where;
  std::set<int> needed;
  std::vector<Value> roots;
  const auto is_border = [&](int id) {
    return std::any_of(pushed_.begin(), pushed_.end(), [&](const auto& p) { return p.border.node == id; });
  };
  for (size_t u : updates) {
    apply.updates.push_back(step_.updates[u]);
    roots.push_back(Root(u));
    VisitCone(source, Root(u), is_border, [&](int id) { needed.insert(id); });
  }

  std::map<Value, Value> bound;
  std::vector<Value> old_values(updates.size());
  for (size_t i = 0; i < source.parameters().size(); ++i) {
    const Def& def = step_.parameters[i].variable;
    const auto update = std::find(apply.updates.begin(), apply.updates.end(), def);
    const bool updated = def != nullptr && update != apply.updates.end();
    const int id = source.parameters()[i];
    if (!updated && !needed.contains(id)) continue;
    ProgramParameter described = step_.parameters[i];
    const auto place = update - apply.updates.begin();
    described.update = updated ? static_cast<int>(place) : -1;
    const Value parameter = AddParameter(graph, apply.parameters, std::move(described), source.shape({id, 0}),
                                         Typing::kReplicated, step_.where);
    bound[{id, 0}] = parameter;
    if (updated) old_values[static_cast<size_t>(place)] = parameter;
  }
  for (size_t p = 0; p < pushed_.size(); ++p) {
    if (!needed.contains(pushed_[p].border.node)) continue;
    Tensor combined;
    for (int member = 0; member < members; ++member) {
      const Tensor one(build.graph(), AddParameter(graph, apply.parameters, {.name = PushedName(p), .batch = member},
                                                   pushed_[p].shape, Typing::kReplicated, step_.where));
      const bool first = member == 0 || pushed_[p].combine == Combine::kLast;
      combined = first ? one : combined + one;
    }
    if (pushed_[p].combine == Combine::kMean && members > 1) combined = combined / members;
    bound[pushed_[p].border] = combined.value();
  }
  for (int id : needed) {
    if (source.node(id).op != &kUpdateScale) continue;
    bound[{id, 0}] = AddParameter(graph, apply.parameters, {.name = kUpdateScaleName}, source.shape({id, 0}),
                                  Typing::kReplicated, step_.where);
  }

  std::vector<Value> new_values = CopyValues(source, bound, graph, roots);
  apply.has_guard = step_.nan_guard && step_.mode == Mode::kTrain && CanGuard(apply.updates);
  std::vector<Value> outputs;
  if (apply.has_guard) {
    const Value flags = AddGuard(apply.updates, build, old_values, new_values, step_.where).value();
    outputs = new_values;
    outputs.push_back(flags);
  } else {
    outputs = new_values;
  }
  graph.SetOutputs(std::move(outputs));
  graph.Freeze();
  apply.graph = build.graph();
  CutIntoSegments(apply);
  return apply;
}

std::vector<std::vector<Def>> VariableCells(std::span<const SplitStep* const> steps) {
  std::map<Def, Def, decltype([](const Def& a, const Def& b) { return a->index < b->index; })> parent;
  const auto root = [&](Def def) {
    while (parent.at(def) != def) def = parent.at(def);
    return def;
  };
  for (const SplitStep* step : steps) {
    for (const Def& def : step->updates()) parent.emplace(def, def);
  }
  for (const SplitStep* step : steps) {
    for (size_t u = 0; u < step->updates().size(); ++u) {
      const Def& def = step->updates()[u];
      if (IsCounter(*def)) continue;
      for (const Def& read : step->ReadBy(u)) {
        if (parent.contains(read) && !IsCounter(*read)) parent[root(def)] = root(read);
      }
    }
  }
  std::map<int, std::vector<Def>> by_root;
  std::vector<Def> counters;
  for (const auto& [def, unused] : parent) {
    (IsCounter(*def) ? counters : by_root[root(def)->index]).push_back(def);
  }
  std::vector<std::vector<Def>> cells;
  for (auto& [index, cell] : by_root) cells.push_back(std::move(cell));
  if (!counters.empty()) cells.push_back(std::move(counters));
  return cells;
}

}  // namespace replicator
