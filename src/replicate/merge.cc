#include "replicate/merge.h"

#include <algorithm>
#include <map>
#include <set>

#include "graph/placement.h"
#include "ops/control_flow.h"
#include "replicate/place.h"
#include "replicator/ops/elementwise.h"
#include "replicator/ops/shape.h"

namespace replicator {
namespace {

class Merger {
 public:
  Merger(const ReplicaSteps& steps, const ValueNumbering& numbering, const std::vector<Slot>& slots,
         BuildContext& merged)
      : steps_(steps), numbering_(numbering), merged_(merged), graph_(*merged.graph()) {
    num_classes_ = static_cast<int>(steps.classes.size());
    placed_.resize(numbering.nodes().size());
    FindHops();
    for (int k = 0; k < numbering.num_placeholders(); ++k) {
      placeholder_slots_.emplace_back();
      const size_t operands = PlaceholderNode(0, k).operands.size();
      for (size_t i = 0; i < operands; ++i) {
        placeholder_slots_.back().push_back(AddSlot(PlaceholderOperand(k, i), PlaceholderNode(0, k).logical_device));
      }
    }
    for (const Slot& slot : slots) result_slots_.push_back(AddSlot(slot, Device(slot[0].node)));
    PlanPrivateNodes();
  }

  std::vector<Value> Run() {
    for (int stage = 0; stage <= numbering_.num_placeholders(); ++stage) {
      PlaceCommonNodes(stage);
      for (const auto& [key, plan] : case_plans_) {
        if (key.stage == stage) PlaceCase(key, plan);
      }
      if (stage < numbering_.num_placeholders()) PlacePlaceholder(stage);
    }
    std::vector<Value> results;
    for (int slot : result_slots_) results.push_back(SlotValue(slot));
    return results;
  }

 private:
  struct SlotPlan {
    Slot values;
    Value placed;  // where the case puts it; unused for a slot whose values are all one
  };
  // The cases of a stage run in this order; each is on one logical device. Those of hop h need private values that have
  // passed from device to device h times within the stage.
  struct CaseKey {
    int stage = 0, hop = 0, device = 0;
    friend auto operator<=>(const CaseKey&, const CaseKey&) = default;
  };
  struct CasePlan {
    std::vector<int> slots;      // slots to be chosen here
    std::vector<Value> exports;  // private values that later cases need
    std::vector<int> nodes;      // private nodes to be computed here, in order
  };

  const Node& PlaceholderNode(int c, int k) const {
    const ReplicaStep& step = steps_.classes[static_cast<size_t>(c)];
    return step.graph->node(step.placeholders[static_cast<size_t>(k)]);
  }
  Slot PlaceholderOperand(int k, size_t i) const {
    Slot slot;
    for (int c = 0; c < num_classes_; ++c) slot.push_back(numbering_.Number(c, PlaceholderNode(c, k).operands[i]));
    return slot;
  }
  int Stage(Value value) const { return numbering_.node(value.node).stage; }
  bool IsCommon(Value value) const { return numbering_.node(value.node).common(); }
  const Shape& ShapeOf(Value value) const {
    return numbering_.node(value.node).node->results[static_cast<size_t>(value.index)];
  }
  static bool IsUniform(const Slot& slot) {
    return std::all_of(slot.begin(), slot.end(), [&](Value value) { return value == slot[0]; });
  }

  int Device(int number) const { return numbering_.node(number).node->logical_device; }
  CaseKey KeyOf(int number) const {
    return {numbering_.node(number).stage, hops_[static_cast<size_t>(number)], Device(number)};
  }
  // Where something on `device` that needs `values` can be computed.
  CaseKey KeyFor(const std::vector<Value>& values, int device) const {
    CaseKey key{.device = device};
    for (Value value : values) key.stage = std::max(key.stage, Stage(value));
    for (Value value : values) {
      if (IsCommon(value) || Stage(value) != key.stage) continue;
      const int travels = Device(value.node) == device ? 0 : 1;
      key.hop = std::max(key.hop, hops_[static_cast<size_t>(value.node)] + travels);
    }
    return key;
  }
  void FindHops() {
    hops_.assign(numbering_.nodes().size(), 0);
    for (size_t number = 0; number < hops_.size(); ++number) {
      const NumberedNode& node = numbering_.nodes()[number];
      if (!node.common()) hops_[number] = KeyFor(node.operands, node.node->logical_device).hop;
    }
  }

  // A value on `device` that is chosen by the replica's class, unless it is one and the same.
  int AddSlot(Slot values, int device) {
    const int index = static_cast<int>(slots_.size());
    if (!IsUniform(values)) case_plans_[KeyFor(values, device)].slots.push_back(index);
    slots_.push_back({std::move(values), {}});
    return index;
  }

  // Finds which private nodes are needed at all, and which of their values outlive their case.
  void PlanPrivateNodes() {
    std::set<int> needed;
    std::set<Value> exported;
    const auto use = [&](Value value, const CaseKey& at) {
      if (IsCommon(value)) return;
      needed.insert(value.node);
      if (KeyOf(value.node) != at) exported.insert(value);
    };
    for (const auto& [key, plan] : case_plans_) {
      for (int slot : plan.slots) {
        for (Value value : slots_[static_cast<size_t>(slot)].values) use(value, key);
      }
    }
    // Operands have smaller numbers than what uses them, except across placeholders, which are common.
    for (auto at = needed.rbegin(); at != needed.rend(); ++at) {
      const NumberedNode& node = numbering_.node(*at);
      for (Value operand : node.operands) use(operand, KeyOf(*at));
    }
    for (int number : needed) case_plans_[KeyOf(number)].nodes.push_back(number);
    for (Value value : exported) case_plans_[KeyOf(value.node)].exports.push_back(value);
  }

  void PlaceCommonNodes(int stage) {
    if (common_by_stage_.empty()) {
      common_by_stage_.resize(static_cast<size_t>(numbering_.num_placeholders()) + 1);
      for (size_t number = 0; number < numbering_.nodes().size(); ++number) {
        const NumberedNode& node = numbering_.nodes()[number];
        if (node.common() && node.placeholder < 0) {
          common_by_stage_[static_cast<size_t>(node.stage)].push_back(static_cast<int>(number));
        }
      }
    }
    for (int number : common_by_stage_[static_cast<size_t>(stage)]) {
      const NumberedNode& node = numbering_.node(number);
      std::vector<Value> operands;
      for (Value operand : node.operands) operands.push_back(Placed(operand));
      Place(number, graph_.Append(Rebind(*node.node, std::move(operands), graph_)));
    }
  }

  void PlacePlaceholder(int k) {
    std::vector<Value> operands;
    for (int slot : placeholder_slots_[static_cast<size_t>(k)]) operands.push_back(SlotValue(slot));
    placed_[static_cast<size_t>(numbering_.placeholder(k))] =
        PlaceCollective(PlaceholderNode(0, k), std::move(operands), merged_);
  }

  void PlaceCase(const CaseKey& key, const CasePlan& plan) {
    if (plan.slots.empty() && plan.exports.empty()) return;
    const PlacementScope placement(key.device);
    // What the branches read from outside, in one order for all.
    std::vector<Value> captures;
    std::map<Value, int> capture_of;
    const auto capture = [&](Value value) {
      if (IsLocal(value, key)) return;
      const Value placed = Placed(value);
      if (capture_of.emplace(placed, static_cast<int>(captures.size())).second) captures.push_back(placed);
    };
    for (int number : plan.nodes) {
      for (Value operand : numbering_.node(number).operands) capture(operand);
    }
    for (int slot : plan.slots) {
      for (Value value : slots_[static_cast<size_t>(slot)].values) capture(value);
    }

    std::vector<Region> regions;
    for (int c = 0; c < num_classes_; ++c) regions.push_back(BuildBranch(c, key, plan, captures, capture_of));
    std::vector<Tensor> operands = {ClassIndex()};
    for (Value value : captures) operands.emplace_back(merged_.graph(), value);
    const std::vector<Tensor> results = graph_.Add(kCase, operands, {}, ExampleNode(plan).user, std::move(regions));
    size_t next = 0;
    for (int slot : plan.slots) slots_[static_cast<size_t>(slot)].placed = results[next++].value();
    for (Value value : plan.exports) exported_[value] = results[next++].value();
  }

  // A node whose line stands for the case: the first private one, or what a slot chooses.
  const Node& ExampleNode(const CasePlan& plan) const {
    const int number = plan.nodes.empty() ? slots_[static_cast<size_t>(plan.slots[0])].values[0].node : plan.nodes[0];
    return *numbering_.node(number).node;
  }

  Region BuildBranch(int c, const CaseKey& key, const CasePlan& plan, const std::vector<Value>& captures,
                     const std::map<Value, int>& capture_of) {
    BuildContext branch({.num_replicas = merged_.options().num_replicas});
    const BuildContext::Scope scope(branch);
    Graph& graph = *branch.graph();
    std::vector<Value> parameters;
    for (size_t i = 0; i < captures.size(); ++i) {
      parameters.push_back(
          branch.Input("capture" + std::to_string(i), graph_.shape(captures[i]), SourceLocation::current()).value());
    }
    std::map<int, int> local;  // number -> node of the branch
    const auto resolve = [&](Value value) -> Value {
      if (IsLocal(value, key)) return {local.at(value.node), value.index};
      return parameters[static_cast<size_t>(capture_of.at(Placed(value)))];
    };
    for (int number : plan.nodes) {
      const NumberedNode& node = numbering_.node(number);
      if (!node.in_class[static_cast<size_t>(c)]) continue;
      std::vector<Value> operands;
      for (Value operand : node.operands) operands.push_back(resolve(operand));
      local.emplace(number, graph.Append(Rebind(*node.node, std::move(operands), graph)));
    }
    std::vector<Value> outputs;
    for (int slot : plan.slots)
      outputs.push_back(resolve(slots_[static_cast<size_t>(slot)].values[static_cast<size_t>(c)]));
    for (Value value : plan.exports) {
      const bool here = numbering_.node(value.node).in_class[static_cast<size_t>(c)];
      outputs.push_back(here ? resolve(value) : Zeros(ShapeOf(value)).value());
    }
    graph.SetOutputs(std::move(outputs));
    return branch.graph();
  }

  // The class of the replica that runs, i32[].
  Tensor ClassIndex() {
    if (!class_index_.defined()) {
      const NameScope scope(kReplicaClassScope);
      const std::vector<int32_t> table(steps_.class_of_replica.begin(), steps_.class_of_replica.end());
      const Tensor classes = Constant(Literal::FromValues<int32_t>({static_cast<int64_t>(table.size())}, table));
      class_index_ = Reshape(DynamicSlice(classes, {ReplicaContext::Current().replica_id()}, {1}), {});
    }
    return class_index_;
  }

  bool IsLocal(Value value, const CaseKey& key) const { return !IsCommon(value) && KeyOf(value.node) == key; }
  void Place(int number, int node) {
    std::vector<Value>& results = placed_[static_cast<size_t>(number)];
    for (size_t i = 0; i < graph_.node(node).results.size(); ++i) results.push_back({node, static_cast<int>(i)});
  }
  Value Placed(Value value) const {
    if (!IsCommon(value)) return exported_.at(value);
    return placed_[static_cast<size_t>(value.node)][static_cast<size_t>(value.index)];
  }
  Value SlotValue(int slot) const {
    const SlotPlan& plan = slots_[static_cast<size_t>(slot)];
    return IsUniform(plan.values) && IsCommon(plan.values[0]) ? Placed(plan.values[0]) : plan.placed;
  }

  const ReplicaSteps& steps_;
  const ValueNumbering& numbering_;
  BuildContext& merged_;
  Graph& graph_;
  int num_classes_ = 1;
  std::vector<SlotPlan> slots_;
  std::vector<std::vector<int>> placeholder_slots_;  // by placeholder, per operand
  std::vector<int> result_slots_;
  std::vector<int> hops_;  // by number
  std::map<CaseKey, CasePlan> case_plans_;
  std::vector<std::vector<int>> common_by_stage_;
  std::vector<std::vector<Value>> placed_;  // results of common nodes, by number
  std::map<Value, Value> exported_;         // of private values, by numbered value
  Tensor class_index_;
};

}  // namespace

std::vector<Value> MergeClasses(const ReplicaSteps& steps, const ValueNumbering& numbering,
                                const std::vector<Slot>& slots, BuildContext& merged) {
  const BuildContext::Scope scope(merged);
  return Merger(steps, numbering, slots, merged).Run();
}

}  // namespace replicator
