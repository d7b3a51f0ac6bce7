// What is being built on this thread: the replicator whose variables may be declared, and the replica whose graph
// grows.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <typeinfo>
#include <unordered_map>
#include <vector>

#include "graph/graph.h"
#include "replicator/graph/replica_context.h"
#include "replicator/graph/variable.h"

namespace replicator {

// The variables that a replicator has declared, in order, and the devices of a replica that may hold them. Not
// thread-safe.
class VariableTable {
 public:
  explicit VariableTable(int num_logical_devices = 1) : num_logical_devices_(num_logical_devices) {}

  int num_logical_devices() const { return num_logical_devices_; }
  // The variable is placed by the scopes that are active. Throws Error(kAlreadyExists), naming both lines, for a name
  // in use.
  std::shared_ptr<const VariableDef> Declare(VariableOptions options, std::vector<SourceLocation> where);
  std::shared_ptr<const VariableDef> Find(std::string_view name) const;  // null if there is none
  const std::vector<std::shared_ptr<const VariableDef>>& all() const { return all_; }

 private:
  const int num_logical_devices_;
  std::vector<std::shared_ptr<const VariableDef>> all_;
  std::unordered_map<std::string, int> by_name_;
};

// Entered by Replicator::Context(). Contexts nest; the same replicator may be entered again, another may not.
class ReplicatorContext {
 public:
  ReplicatorContext(VariableTable* variables, SourceLocation where);
  ~ReplicatorContext();
  ReplicatorContext(const ReplicatorContext&) = delete;
  ReplicatorContext& operator=(const ReplicatorContext&) = delete;

  static ReplicatorContext* CurrentOrNull();
  static ReplicatorContext& Current(SourceLocation where);  // throws Error(kFailedPrecondition) if there is none
  VariableTable& variables() { return *variables_; }

 private:
  VariableTable* variables_;
  SourceLocation where_;
  ReplicatorContext* outer_;
};

// A function that is called once for all replicas of a step (MergeCall), as replica 0 has called it.
struct MergedCall {
  const std::type_info* function = nullptr;
  std::string arguments;  // their structures and shapes
  Region region;
  std::shared_ptr<const void> result;  // what the function returned
  SourceLocation where;
};

// One replica's step while it is being built.
class BuildContext {
 public:
  struct Options {
    int replica_index = 0;
    int num_replicas = 1;
    Mode mode = Mode::kTrain;
    VariableTable* variables = nullptr;  // null: no variable may be declared or read
    // Shared by the builds of all replicas of a step; null: this one has its own.
    std::vector<MergedCall>* merged_calls = nullptr;
    // Whether what is assigned will be computed by a store that other groups update too: ops/push.h.
    bool asynchronous = false;
  };
  struct VariableUse {
    std::shared_ptr<const VariableDef> def;
    Value read;     // the parameter node
    Value current;  // what a read now gives
    bool assigned = false;
    std::vector<Value> versions;  // every value it has had in this step, oldest first
    SourceLocation assigned_at;   // the user's line of the last assignment
  };

  explicit BuildContext(Options options);

  // Makes `context` the one being built on this thread while it lives.
  class Scope {
   public:
    explicit Scope(BuildContext& context);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    BuildContext* outer_;
  };
  static BuildContext* CurrentOrNull();
  static BuildContext& Current(SourceLocation where);  // throws Error(kFailedPrecondition) if there is none

  // While it lives, operations go into a region of the graph that was current: the body of an operation.
  class RegionScope {
   public:
    // `what` names it in errors: "the body of the loop at a.cc:12".
    RegionScope(BuildContext& context, std::string what);
    ~RegionScope();
    RegionScope(const RegionScope&) = delete;
    RegionScope& operator=(const RegionScope&) = delete;

    const std::shared_ptr<Graph>& graph() const { return graph_; }
    // Before anything else is built in it.
    Tensor Parameter(const Shape& shape, Typing typing, SourceLocation where);
    // The region's parameter (an integer scalar) that tells its executions apart: random draws fold it into their key.
    void SetIteration(const Tensor& iteration);

   private:
    BuildContext& context_;
    std::shared_ptr<Graph> graph_;
    size_t outer_iterations_;
  };

  const Options& options() const { return options_; }
  // The graph that grows: the step's, or that of the innermost region.
  const std::shared_ptr<Graph>& graph() const { return regions_.empty() ? graph_ : regions_.back(); }
  // The step's graph, to which inputs and variables belong.
  const Graph& root() const { return *graph_; }

  // A component of the batch, on logical device 0. Typed varying.
  Tensor Input(const std::string& name, const Shape& shape, SourceLocation where);
  Tensor Read(const std::shared_ptr<const VariableDef>& def, SourceLocation where);
  void Assign(const std::shared_ptr<const VariableDef>& def, const Tensor& value, SourceLocation where);
  std::shared_ptr<const VariableDef> Declare(VariableOptions options, std::vector<SourceLocation> where);

  // The key of this step's random numbers, u32[2]; the runtime derives it from (seed, step).
  Tensor StepKey(SourceLocation where);
  // The key of the next draw under the current name scope: a hash of (path, ordinal).
  uint64_t NextDraw();
  // The iterations of the loops around what is being built, the outermost first.
  const std::vector<Tensor>& iterations() const { return iterations_; }
  // How many draws each scope has made: a body that is built once more starts from the same.
  const std::map<std::string, int>& draws() const { return draws_; }
  void set_draws(std::map<std::string, int> draws) { draws_ = std::move(draws); }

  // Those of the step so far, and the number of this replica's next one.
  std::vector<MergedCall>& merged_calls() {
    return options_.merged_calls != nullptr ? *options_.merged_calls : own_merged_calls_;
  }
  size_t NextMergedCall() { return next_merged_call_++; }

  // `owner` uses the name scope `path` in this step. Throws Error(kAlreadyExists), naming both lines, if another owner
  // does: the variables and random draws of the two would be mixed up.
  void ClaimScope(const std::string& path, std::shared_ptr<const void> owner, SourceLocation where);

  const std::vector<VariableUse>& variable_uses() const { return uses_; }
  const VariableUse* Find(const VariableDef& def) const;
  // Names of the inputs in the order of their parameters.
  const std::vector<std::string>& inputs() const { return inputs_; }

 private:
  Tensor AddParameter(const std::string& kind, const std::string& name, const Shape& shape, Typing typing,
                      SourceLocation where);
  struct Claim {
    std::shared_ptr<const void> owner;  // kept alive, so that no other owner gets its address
    SourceLocation where;
  };
  VariableUse& Use(const std::shared_ptr<const VariableDef>& def, SourceLocation where);

  Options options_;
  std::shared_ptr<Graph> graph_;
  std::vector<std::shared_ptr<Graph>> regions_;  // open, the innermost last
  std::vector<Tensor> iterations_;
  std::vector<VariableUse> uses_;
  std::unordered_map<const VariableDef*, int> use_of_;
  std::vector<std::string> inputs_;
  Tensor step_key_;
  std::map<std::string, int> draws_;
  std::vector<MergedCall> own_merged_calls_;
  size_t next_merged_call_ = 0;
  std::map<std::string, Claim> claims_;
};

// Appends a node for `op` to the graph being built on this thread.
Tensor AddOp(const OpDef& op, std::span<const Tensor> operands, Attributes attributes, SourceLocation where);

}  // namespace replicator
