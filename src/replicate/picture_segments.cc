#include "replicate/picture_segments.h"

#include <algorithm>
#include <map>

#include "replicate/picture_draw.h"

namespace replicator {
namespace {

constexpr int kMaxBoxes = 24;  // of one segment

// What becomes of output `value` of a segment: "result 0", "w", "to device 1".
DrawOptions::End EndOf(const Program& program, ProgramValue value, Value output) {
  DrawOptions::End end{.label = "", .value = output};
  for (size_t i = 0; i < program.results.size(); ++i) {
    if (program.results[i] != value) continue;
    const size_t num_outputs = program.outputs.size();
    if (i < num_outputs) return {"result " + std::to_string(i), output};
    if (i < num_outputs + program.updates.size()) {
      return {program.updates[i - num_outputs]->options.name, output, /*is_update=*/true};
    }
    end.label = "finite?";
  }
  for (const Transfer& transfer : program.transfers) {
    if (transfer.value == value)
      end.label += (end.label.empty() ? "to device " : ", ") + std::to_string(transfer.logical_device);
  }
  if (end.label.empty()) end.label = "to a later segment";
  return end;
}

Box DrawSegment(const Program& program, int index, const std::vector<std::string>& class_titles) {
  const Segment& segment = program.segments[static_cast<size_t>(index)];
  DrawOptions options{.title = "", .max_boxes = kMaxBoxes, .name_devices = false, .class_titles = class_titles};
  const std::vector<Value>& outputs = segment.graph->outputs();
  for (size_t i = 0; i < outputs.size(); ++i) {
    options.ends.push_back(EndOf(program, {index, static_cast<int>(i)}, outputs[i]));
  }
  Box box{.kind = BoxKind::kRegion};
  box.lines = {"segment " + std::to_string(index), "on logical device " + std::to_string(segment.logical_device)};
  box.insides = {Draw(*segment.graph, options)};
  return box;
}

}  // namespace

Lane DrawSegments(const Program& program, const std::vector<std::string>& class_titles) {
  Lane lane{.title = std::to_string(program.num_replicas) + " replicas"};
  std::map<std::pair<int, int>, bool> arrows;  // whether varying
  for (size_t s = 0; s < program.segments.size(); ++s) {
    lane.boxes.push_back(DrawSegment(program, static_cast<int>(s), class_titles));
    for (const SegmentParameter& parameter : program.segments[s].parameters) {
      const ProgramValue& value = parameter.value;
      if (value.segment < 0) continue;
      const Graph& source = *program.segments[static_cast<size_t>(value.segment)].graph;
      const Typing typing = source.typing(source.outputs()[static_cast<size_t>(value.index)]);
      arrows[{value.segment, static_cast<int>(s)}] |= typing == Typing::kVarying;
    }
  }
  for (const auto& [ends, varying] : arrows) lane.arrows.push_back({ends.first, ends.second, varying});
  return lane;
}

}  // namespace replicator
