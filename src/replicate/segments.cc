#include "replicate/segments.h"

#include <algorithm>
#include <map>

#include "replicate/schedule.h"

namespace replicator {
namespace {

bool IsOnDeviceZero(const Program& program) {
  const auto on_zero = [](const Node& node) { return node.logical_device == 0; };
  return std::all_of(program.graph->nodes().begin(), program.graph->nodes().end(), on_zero) &&
         std::all_of(program.updates.begin(), program.updates.end(),
                     [](const auto& def) { return def->logical_device == 0; });
}

void MakeOneSegment(Program& program) {
  Segment segment{.graph = program.graph};
  for (size_t i = 0; i < program.parameters.size(); ++i) {
    segment.parameters.push_back({.value = {-1, static_cast<int>(i)}, .alias = program.parameters[i].update});
  }
  program.segments = {std::move(segment)};
  for (size_t i = 0; i < program.graph->outputs().size(); ++i) program.results.push_back({0, static_cast<int>(i)});
}

// A parameter node for a value that another segment computes.
Node ParameterFor(const Graph& graph, Value value) {
  const Node& source = graph.node(value.node);
  const Shape& shape = graph.shape(value);
  Node node;
  node.op = &kParameter;
  node.attributes = Attributes{{"kind", std::string("value")},
                               {"name", "value" + std::to_string(value.node) + "." + std::to_string(value.index)},
                               {"dtype", shape.dtype},
                               {"dims", shape.dims},
                               {"varying", source.typing == Typing::kVarying}};
  node.results = {shape};
  node.typing = source.typing;
  node.user = source.user;
  node.inner = source.inner;
  node.scope = source.scope;
  return node;
}

class Cutter {
 public:
  explicit Cutter(Program& program)
      : program_(program), graph_(*program.graph), schedule_(ScheduleSegments(*program.graph)) {
    for (size_t i = 0; i < graph_.parameters().size(); ++i) {
      parameter_index_.emplace(graph_.parameters()[i], static_cast<int>(i));
    }
  }

  void Run() {
    PlaceResults();
    drafts_.resize(schedule_.devices.size());
    for (size_t i = 0; i < graph_.outputs().size(); ++i) {
      const ProgramValue& result = program_.results[i];
      drafts_[static_cast<size_t>(result.segment)].outputs.push_back(graph_.outputs()[i]);
    }
    for (size_t id = 0; id < graph_.nodes().size(); ++id) {
      const int segment = schedule_.segment_of[id];
      if (segment >= 0) CopyInto(drafts_[static_cast<size_t>(segment)], segment, static_cast<int>(id));
    }
    // What a segment only passes on is still to come, and becomes an output of the segment that computes it.
    for (size_t i = 0; i < graph_.outputs().size(); ++i) {
      const int segment = program_.results[i].segment;
      Resolve(drafts_[static_cast<size_t>(segment)], segment, graph_.outputs()[i]);
    }
    for (size_t s = 0; s < drafts_.size(); ++s) Finish(static_cast<int>(s));
    AliasUpdates();
  }

 private:
  // A segment while it is being filled. Values are those of the program's graph.
  struct Draft {
    std::shared_ptr<Graph> graph = Graph::Create();
    std::vector<SegmentParameter> parameters;
    std::map<int, int> nodes;          // copied nodes
    std::map<Value, Value> arguments;  // what comes from outside
    std::vector<Value> outputs;
  };

  int DeviceOf(int segment) const { return schedule_.devices[static_cast<size_t>(segment)]; }
  bool IsParameter(int node) const { return graph_.node(node).op == &kParameter; }

  // Each output has a place of its own, on the device of its node; a variable's new value on that of the variable.
  void PlaceResults() {
    std::vector<int> num_outputs(schedule_.devices.size(), 0);
    for (size_t i = 0; i < graph_.outputs().size(); ++i) {
      const int node = graph_.outputs()[i].node;
      const size_t update = i - program_.outputs.size();
      const bool is_update = i >= program_.outputs.size() && update < program_.updates.size();
      const int device = is_update ? program_.updates[update]->logical_device : graph_.node(node).logical_device;
      const int segment = SegmentForResult(schedule_.segment_of[static_cast<size_t>(node)], device);
      num_outputs.resize(schedule_.devices.size(), 0);
      program_.results.push_back({segment, num_outputs[static_cast<size_t>(segment)]++});
    }
  }

  // Where a value leaves the program: its own segment, or one that passes on what it gets.
  int SegmentForResult(int computed_in, int device) {
    if (computed_in >= 0 && DeviceOf(computed_in) == device) return computed_in;
    const int count = static_cast<int>(schedule_.devices.size());
    for (int segment = count - 1; segment > computed_in; --segment) {
      if (DeviceOf(segment) == device) return segment;
    }
    schedule_.devices.push_back(device);
    return count;
  }

  void CopyInto(Draft& draft, int segment, int id) {
    Node node = graph_.node(id);
    node.logical_device = DeviceOf(segment);
    for (Value& operand : node.operands) operand = Resolve(draft, segment, operand);
    draft.nodes.emplace(id, draft.graph->Append(std::move(node)));
  }

  // The value in the segment's graph.
  Value Resolve(Draft& draft, int segment, Value value) {
    if (!draft.nodes.contains(value.node)) {
      if (!schedule_.constant[static_cast<size_t>(value.node)]) return Argument(draft, segment, value);
      CopyInto(draft, segment, value.node);
    }
    return {draft.nodes.at(value.node), value.index};
  }

  Value Argument(Draft& draft, int segment, Value value) {
    if (const auto found = draft.arguments.find(value); found != draft.arguments.end()) return found->second;
    const int device = DeviceOf(segment);
    SegmentParameter parameter;
    Node node;
    bool travels = false;
    if (IsParameter(value.node)) {
      parameter.value = {-1, parameter_index_.at(value.node)};
      node = graph_.node(value.node);
      const auto kind = program_.parameters[static_cast<size_t>(parameter.value.index)].kind;
      travels = kind != ProgramParameter::Kind::kStepKey && node.logical_device != device;
    } else {
      const int source = schedule_.segment_of[static_cast<size_t>(value.node)];
      parameter.value = {source, OutputOf(drafts_[static_cast<size_t>(source)], value)};
      node = ParameterFor(graph_, value);
      travels = DeviceOf(source) != device;
    }
    node.logical_device = device;
    if (travels) parameter.transfer = TransferOf({parameter.value, device});
    draft.parameters.push_back(parameter);
    const Value argument{draft.graph->Append(std::move(node)), 0};
    draft.arguments.emplace(value, argument);
    return argument;
  }

  static int OutputOf(Draft& draft, Value value) {
    const auto found = std::find(draft.outputs.begin(), draft.outputs.end(), value);
    const auto index = static_cast<int>(found - draft.outputs.begin());
    if (found == draft.outputs.end()) draft.outputs.push_back(value);
    return index;
  }

  int TransferOf(const Transfer& transfer) {
    const auto [found, inserted] = transfer_index_.try_emplace(transfer, static_cast<int>(program_.transfers.size()));
    if (inserted) program_.transfers.push_back(transfer);
    return found->second;
  }

  void Finish(int segment) {
    Draft& draft = drafts_[static_cast<size_t>(segment)];
    std::vector<Value> outputs;
    for (Value output : draft.outputs) outputs.push_back(Resolve(draft, segment, output));
    draft.graph->SetOutputs(std::move(outputs));
    draft.graph->Freeze();
    program_.segments.push_back({DeviceOf(segment), draft.graph, std::move(draft.parameters)});
  }

  void AliasUpdates() {
    for (size_t i = 0; i < program_.parameters.size(); ++i) {
      const int update = program_.parameters[i].update;
      if (update < 0) continue;
      const ProgramValue& result = program_.results[static_cast<size_t>(update)];
      SegmentParameter* last = nullptr;  // of the last segment that reads the variable where it lives
      int last_segment = -1;
      for (size_t s = 0; s < program_.segments.size(); ++s) {
        for (SegmentParameter& parameter : program_.segments[s].parameters) {
          if (parameter.transfer >= 0 || parameter.value != ProgramValue{-1, static_cast<int>(i)}) continue;
          last = &parameter;
          last_segment = static_cast<int>(s);
        }
      }
      if (last_segment == result.segment) last->alias = result.index;
    }
  }

  Program& program_;
  const Graph& graph_;
  Schedule schedule_;
  std::map<int, int> parameter_index_;  // by node
  std::vector<Draft> drafts_;
  std::map<Transfer, int> transfer_index_;
};

}  // namespace

void CutIntoSegments(Program& program) {
  if (IsOnDeviceZero(program)) {
    MakeOneSegment(program);
  } else {
    Cutter(program).Run();
  }
}

}  // namespace replicator
