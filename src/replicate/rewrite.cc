#include "replicate/rewrite.h"

#include <algorithm>

#include "graph/placement.h"
#include "replicate/guard.h"
#include "replicate/match.h"
#include "replicate/merge.h"
#include "replicate/segments.h"

namespace replicator {
namespace {

using Use = BuildContext::VariableUse;
using Def = std::shared_ptr<const VariableDef>;

const Use* FindUse(const ReplicaStep& step, const VariableDef& def) {
  for (const Use& use : step.uses) {
    if (use.def.get() == &def) return &use;
  }
  return nullptr;
}

// What any replica assigns, by logical device and then in the order of declaration.
std::vector<Def> Updates(const ReplicaSteps& steps) {
  std::vector<Def> updates;
  for (const ReplicaStep& step : steps.classes) {
    for (const Use& use : step.uses) {
      if (use.assigned && std::find(updates.begin(), updates.end(), use.def) == updates.end())
        updates.push_back(use.def);
    }
  }
  std::sort(updates.begin(), updates.end(), [](const Def& a, const Def& b) {
    return std::pair(a->logical_device, a->index) < std::pair(b->logical_device, b->index);
  });
  return updates;
}

// The variable's value at the end of each class's step: a class that does not touch it keeps what it was.
Slot FinalValues(const ReplicaSteps& steps, const ValueNumbering& numbering, const VariableDef& def) {
  Value unchanged;
  for (size_t c = 0; c < steps.classes.size(); ++c) {
    if (const Use* use = FindUse(steps.classes[c], def)) unchanged = numbering.Number(static_cast<int>(c), use->read);
  }
  Slot slot;
  for (size_t c = 0; c < steps.classes.size(); ++c) {
    const Use* use = FindUse(steps.classes[c], def);
    slot.push_back(use != nullptr ? numbering.Number(static_cast<int>(c), use->current) : unchanged);
  }
  return slot;
}

// A mirrored variable must get one value on all replicas. Within one replica's graph this was checked by Assign; here
// it is known which values differ between the replicas because their graphs do.
void CheckMirrored(const ReplicaSteps& steps, const VariableDef& def, Typing typing) {
  if (def.options.aggregation != Aggregation::kNone || typing == Typing::kReplicated) return;
  std::vector<SourceLocation> lines;
  std::string who;
  for (const ReplicaStep& step : steps.classes) {
    const Use* use = FindUse(step, def);
    const bool assigns = use != nullptr && use->assigned;
    who += (who.empty() ? "" : "; ") + std::string("replica ") + std::to_string(step.replica) +
           (assigns ? " assigns it at " + ToString(use->assigned_at) : std::string(" leaves it as it is"));
    if (assigns) lines.push_back(use->assigned_at);
  }
  throw Error(ErrorCode::kInvalidArgument,
              "the mirrored variable '" + def.options.name + "' would get values that differ between replicas: " + who +
                  "; reduce them over the replicas first, or declare the variable with an aggregation",
              lines);
}

// The collectives that `node` is or holds, in order.
void AppendCollectives(const Node& node, std::vector<const Node*>& collectives) {
  if (node.op->is_collective) return collectives.push_back(&node);
  for (const Region& region : node.regions) {
    for (const Node& inner : region->nodes()) AppendCollectives(inner, collectives);
  }
}

std::vector<MatchedPlaceholder> PlaceholderTable(const ReplicaSteps& steps) {
  std::vector<MatchedPlaceholder> table;
  for (const ReplicaStep& step : steps.classes) {
    std::vector<const Node*> collectives;
    for (int id : step.placeholders) AppendCollectives(step.graph->node(id), collectives);
    table.resize(collectives.size());
    for (size_t k = 0; k < collectives.size(); ++k) {
      table[k].op = collectives[k]->op->name;
      table[k].shape = collectives[k]->results[0];
      table[k].where.push_back(collectives[k]->user);
    }
  }
  return table;
}

ProgramParameter DescribeParameter(const Node& node, const ReplicaSteps& steps, const std::vector<Def>& updates,
                                   size_t num_outputs) {
  ProgramParameter parameter;
  parameter.name = node.attributes.String("name");
  const std::string& kind = node.attributes.String("kind");
  if (kind == "step_key") parameter.kind = ProgramParameter::Kind::kStepKey;
  if (kind != "variable") return parameter;
  parameter.kind = ProgramParameter::Kind::kVariable;
  for (const ReplicaStep& step : steps.classes) {
    for (const Use& use : step.uses) {
      if (use.def->options.name == parameter.name) parameter.variable = use.def;
    }
  }
  const auto update = std::find(updates.begin(), updates.end(), parameter.variable);
  if (update != updates.end())
    parameter.update = static_cast<int>(num_outputs + static_cast<size_t>(update - updates.begin()));
  return parameter;
}

}  // namespace

Program Rewrite(const ReplicaSteps& steps, const StepOptions& options) {
  MatchPlaceholders(steps, options.where);
  const ValueNumbering numbering(steps);
  Program program;
  program.num_replicas = options.num_replicas;
  program.mode = options.mode;
  program.where = options.where;
  program.class_of_replica = steps.class_of_replica;
  program.placeholders = PlaceholderTable(steps);
  program.updates = Updates(steps);

  // Results, then new values, then old values.
  std::vector<Slot> slots;
  const size_t num_outputs = steps.classes[0].graph->outputs().size();
  const size_t num_updates = program.updates.size();
  for (size_t i = 0; i < num_outputs; ++i) {
    Slot& slot = slots.emplace_back();
    for (size_t c = 0; c < steps.classes.size(); ++c) {
      slot.push_back(numbering.Number(static_cast<int>(c), steps.classes[c].graph->outputs()[i]));
    }
  }
  for (const Def& def : program.updates) slots.push_back(FinalValues(steps, numbering, *def));
  for (const Def& def : program.updates) {
    for (size_t c = 0; c < steps.classes.size(); ++c) {
      if (const Use* use = FindUse(steps.classes[c], *def)) {
        slots.emplace_back(steps.classes.size(), numbering.Number(static_cast<int>(c), use->read));
        break;
      }
    }
  }

  BuildContext merged({.num_replicas = options.num_replicas, .mode = options.mode});
  const BuildContext::Scope scope(merged);
  const PlacementScope placement(0);
  Graph& graph = *merged.graph();
  const std::vector<Value> placed = MergeClasses(steps, numbering, slots, merged);
  std::vector<Value> outputs(placed.begin(), placed.begin() + static_cast<std::ptrdiff_t>(num_outputs));
  std::vector<Value> new_values(placed.begin() + static_cast<std::ptrdiff_t>(num_outputs),
                                placed.end() - static_cast<std::ptrdiff_t>(num_updates));
  const std::vector<Value> old_values(placed.end() - static_cast<std::ptrdiff_t>(num_updates), placed.end());
  for (Value value : outputs) program.outputs.push_back({graph.shape(value), graph.typing(value)});
  for (size_t i = 0; i < num_updates; ++i) CheckMirrored(steps, *program.updates[i], graph.typing(new_values[i]));

  // A step that is to be split is guarded where its updates are computed.
  program.nan_guard = options.nan_guard;
  program.has_guard =
      !options.asynchronous && options.nan_guard && options.mode == Mode::kTrain && CanGuard(program.updates);
  if (program.has_guard) {
    const Value flags = AddGuard(program.updates, merged, old_values, new_values, options.where).value();
    outputs.insert(outputs.end(), new_values.begin(), new_values.end());
    outputs.push_back(flags);
  } else {
    outputs.insert(outputs.end(), new_values.begin(), new_values.end());
  }
  graph.SetOutputs(std::move(outputs));
  graph.Freeze();
  for (int id : graph.parameters()) {
    program.parameters.push_back(DescribeParameter(graph.node(id), steps, program.updates, num_outputs));
  }
  program.graph = merged.graph();
  CutIntoSegments(program);
  return program;
}

}  // namespace replicator
