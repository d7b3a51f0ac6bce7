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

// One SPMD module over `num_replicas` replicas. The graph's outputs are, in this order: the `outputs` of the step
// function, the new values of `updates`, and, if has_guard, one bool[updates.size()] that tells which new values were
// finite (where one was not, all updates keep their old values).
struct Program {
  std::shared_ptr<const Graph> graph;
  int num_replicas = 1;
  Mode mode = Mode::kTrain;
  std::vector<ProgramParameter> parameters;  // as graph->parameters()
  std::vector<ProgramOutput> outputs;
  std::vector<std::shared_ptr<const VariableDef>> updates;
  bool has_guard = false;
  std::vector<int> class_of_replica;  // equal replicas share a class
  std::vector<MatchedPlaceholder> placeholders;
  SourceLocation where;          // the line of Run
  std::string dump_folder = {};  // of NextDumpFolder (dump.h); empty: nothing is dumped
};

}  // namespace replicator
