// A step after rewriting: what is compiled and how its arguments and results are bound.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "graph/build_context.h"
#include "graph/graph.h"

namespace replicator {

// Where a parameter of the program's graph comes from at each execution.
struct ProgramParameter {
  enum class Kind { kVariable, kInput, kStepKey };
  Kind kind = Kind::kInput;
  std::string name;                             // of the variable or of the batch's component
  std::shared_ptr<const VariableDef> variable;  // for kVariable
  int update = -1;                              // for kVariable: the output with its new value, or -1
  int64_t batch = 0;                            // for kInput: of which execution in the launch
};

struct ProgramOutput {
  Shape shape;
  Typing typing = Typing::kVarying;  // replicated: replica 0's value stands for all
};

// One row of the table of matched placeholders.
struct MatchedPlaceholder {
  std::string op;
  Shape shape;
  // The user's line in each class of equal replicas.
  std::vector<SourceLocation> where;
};

// A value that segments pass on: an output of a segment or, if `segment` is -1, a parameter of the program.
struct ProgramValue {
  int segment = -1;
  int index = 0;
  friend auto operator<=>(const ProgramValue&, const ProgramValue&) = default;
};

// A copy of `value` to another of the replica's devices, once it has been launched.
struct Transfer {
  ProgramValue value;
  int logical_device = 0;
  friend auto operator<=>(const Transfer&, const Transfer&) = default;
};

// Where a segment's parameter comes from: a transfer, or `value`, which is then on the segment's device. (The step key
// is put onto every device that draws.)
struct SegmentParameter {
  ProgramValue value;
  int transfer = -1;
  int alias = -1;  // the segment's output that may take over the memory, or -1
};

// One SPMD module over the replicas' devices of one number.
struct Segment {
  int logical_device = 0;
  std::shared_ptr<const Graph> graph;
  std::vector<SegmentParameter> parameters;  // as graph->parameters()
};

// One SPMD computation over `num_replicas` replicas. The graph's outputs are, in this order: the `outputs` of the step
// function, the new values of `updates`, and, if has_guard, one bool[updates.size()] that tells which new values were
// finite (where one was not, all updates keep their old values).
//
// What runs are the segments, in order; there is one, of the same graph, unless the step uses several logical devices.
struct Program {
  std::shared_ptr<const Graph> graph;
  int num_replicas = 1;
  Mode mode = Mode::kTrain;
  std::vector<ProgramParameter> parameters;  // as graph->parameters()
  std::vector<ProgramOutput> outputs;
  std::vector<std::shared_ptr<const VariableDef>> updates;
  bool has_guard = false;
  // For a step that is to be split (split.h): whether the store guards its updates.
  bool nan_guard = false;
  // How many executions of the step function one launch is (RepeatProgram): then the outputs and the flags have a
  // leading axis of that extent, and the step key is u32[executions, 2].
  int64_t executions = 1;
  // For RunSteps: how many executions one run is, whose outputs are stacked; 0 otherwise. They are one launch of
  // `repeated` if there is one.
  int64_t executions_per_run = 0;
  std::shared_ptr<const Program> repeated = nullptr;
  std::vector<Segment> segments;
  std::vector<Transfer> transfers;
  // Where the graph's outputs are, each at a place of its own; an update on the device of its variable.
  std::vector<ProgramValue> results;
  std::vector<int> class_of_replica;  // equal replicas share a class
  std::vector<MatchedPlaceholder> placeholders;
  SourceLocation where;          // the line of Run
  std::string dump_folder = {};  // of NextDumpFolder (dump.h); empty: nothing is dumped
};

}  // namespace replicator
