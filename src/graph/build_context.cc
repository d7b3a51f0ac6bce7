#include "graph/build_context.h"

#include "base/hash.h"
#include "graph/placement.h"
#include "replicator/graph/logical_device.h"

namespace replicator {
namespace {

thread_local ReplicatorContext* current_replicator = nullptr;
thread_local BuildContext* current_build = nullptr;

// Replica 0 has declared it on one of its devices; the others must do so on the same one.
void CheckSamePlace(const VariableDef& def, int replica, const std::vector<SourceLocation>& where) {
  if (def.logical_device == LogicalDeviceForVariables::Current()) return;
  std::vector<SourceLocation> lines = where;
  lines.push_back(def.where.front());
  throw Error(ErrorCode::kInvalidArgument,
              "replica " + std::to_string(replica) + " declares the variable '" + def.options.name +
                  "' on logical device " + std::to_string(LogicalDeviceForVariables::Current()) + " at " +
                  ToString(where.front()) + ", but replica 0 has it on logical device " +
                  std::to_string(def.logical_device) + ", from " + ToString(def.where.front()),
              lines);
}

}  // namespace

std::shared_ptr<const VariableDef> VariableTable::Declare(VariableOptions options, std::vector<SourceLocation> where) {
  if (auto existing = Find(options.name)) {
    std::vector<SourceLocation> lines = where;
    lines.insert(lines.end(), existing->where.begin(), existing->where.end());
    throw Error(ErrorCode::kAlreadyExists,
                "a variable named '" + options.name + "' was already declared at " + ToString(existing->where.front()) +
                    "; give one of the two modules (or optimizers) another .name",
                lines);
  }
  auto def = std::make_shared<VariableDef>();
  def->index = static_cast<int>(all_.size());
  by_name_.emplace(options.name, def->index);
  def->logical_device = LogicalDeviceForVariables::Current();
  def->options = std::move(options);
  def->where = std::move(where);
  all_.push_back(def);
  return def;
}

std::shared_ptr<const VariableDef> VariableTable::Find(std::string_view name) const {
  auto found = by_name_.find(std::string(name));
  return found == by_name_.end() ? nullptr : all_[static_cast<size_t>(found->second)];
}

ReplicatorContext::ReplicatorContext(VariableTable* variables, SourceLocation where)
    : variables_(variables), where_(where), outer_(current_replicator) {
  if (outer_ != nullptr && outer_->variables_ != variables) {
    throw Error(ErrorCode::kFailedPrecondition,
                "the context of another replicator is active on this thread, entered at " + ToString(outer_->where_) +
                    "; leave it before entering this one",
                {where, outer_->where_});
  }
  current_replicator = this;
}
ReplicatorContext::~ReplicatorContext() { current_replicator = outer_; }
ReplicatorContext* ReplicatorContext::CurrentOrNull() { return current_replicator; }
ReplicatorContext& ReplicatorContext::Current(SourceLocation where) {
  if (current_replicator != nullptr) return *current_replicator;
  throw Error(ErrorCode::kFailedPrecondition,
              "no replicator context is active on this thread; keep `auto scope = replicator.Context();` alive here",
              CallSite::Chain(where));
}

BuildContext::BuildContext(Options options) : options_(options), graph_(Graph::Create()) {}

BuildContext::Scope::Scope(BuildContext& context) : outer_(current_build) { current_build = &context; }
BuildContext::Scope::~Scope() { current_build = outer_; }
BuildContext* BuildContext::CurrentOrNull() { return current_build; }
BuildContext& BuildContext::Current(SourceLocation where) {
  if (current_build != nullptr) return *current_build;
  throw Error(
      ErrorCode::kFailedPrecondition,
      "operations can be built only inside a step function (or an initializer), and none is being built on this thread",
      CallSite::Chain(where));
}

BuildContext::RegionScope::RegionScope(BuildContext& context, std::string what)
    : context_(context),
      graph_(Graph::CreateRegion(*context.graph(), std::move(what))),
      outer_iterations_(context.iterations_.size()) {
  context_.regions_.push_back(graph_);
}
BuildContext::RegionScope::~RegionScope() {
  context_.regions_.pop_back();
  context_.iterations_.resize(outer_iterations_);
  graph_->CloseRegion();
}
Tensor BuildContext::RegionScope::Parameter(const Shape& shape, Typing typing, SourceLocation where) {
  const std::string name = std::to_string(graph_->parameters().size());
  return graph_->Add(kParameter, {}, ParameterAttributes("region", name, shape, typing), where)[0];
}
void BuildContext::RegionScope::SetIteration(const Tensor& iteration) { context_.iterations_.push_back(iteration); }

Tensor BuildContext::AddParameter(const std::string& kind, const std::string& name, const Shape& shape, Typing typing,
                                  SourceLocation where) {
  return graph_->Add(kParameter, {}, ParameterAttributes(kind, name, shape, typing), where)[0];
}

Tensor BuildContext::Input(const std::string& name, const Shape& shape, SourceLocation where) {
  inputs_.push_back(name);
  const PlacementScope placement(0);
  return AddParameter("input", name, shape, Typing::kVarying, where);
}

BuildContext::VariableUse& BuildContext::Use(const std::shared_ptr<const VariableDef>& def, SourceLocation where) {
  if (options_.variables == nullptr) {
    throw Error(ErrorCode::kFailedPrecondition,
                "the variable '" + def->options.name + "' cannot be read here; pass its value in from outside",
                CallSite::Chain(where));
  }
  if (options_.variables->Find(def->options.name) != def) {
    throw Error(ErrorCode::kFailedPrecondition,
                "the variable '" + def->options.name + "' belongs to another replicator", CallSite::Chain(where));
  }
  auto [found, inserted] = use_of_.emplace(def.get(), static_cast<int>(uses_.size()));
  if (inserted) {
    const Typing typing = def->options.aggregation == Aggregation::kNone ? Typing::kReplicated : Typing::kVarying;
    const PlacementScope placement(def->logical_device);
    const Value read = AddParameter("variable", def->options.name, def->options.shape, typing, where).value();
    uses_.push_back({def, read, read, false, {read}, where});
  }
  return uses_[static_cast<size_t>(found->second)];
}

Tensor BuildContext::Read(const std::shared_ptr<const VariableDef>& def, SourceLocation where) {
  return {graph_, Use(def, where).current};
}

void BuildContext::Assign(const std::shared_ptr<const VariableDef>& def, const Tensor& value, SourceLocation where) {
  const std::vector<SourceLocation> chain = CallSite::Chain(where);
  if (!regions_.empty()) {
    throw GraphError("assign", {value.shape()},
                     "the variable '" + def->options.name + "' would be assigned in " + regions_.back()->region_name() +
                         ", but only a step itself assigns variables; return the value from there, and assign it "
                         "afterwards",
                     chain);
  }
  if (value.graph() != graph_) {
    throw GraphError("assign", {value.shape()},
                     "a Tensor made at " + ToString(value.location()) + " in another graph cannot be assigned to '" +
                         def->options.name + "'",
                     {chain.front(), value.location()});
  }
  if (value.shape() != def->options.shape) {
    throw GraphError("assign", {value.shape()},
                     "the variable '" + def->options.name + "' is " + ToString(def->options.shape) +
                         "; a value of the same dtype and shape is needed",
                     chain);
  }
  if (def->options.aggregation == Aggregation::kNone && value.typing() == Typing::kVarying) {
    throw GraphError(
        "assign", {value.shape()},
        "the mirrored variable '" + def->options.name +
            "' would get a varying value, so that replicas drift apart; reduce it first (AllMean, AllSum), "
            "wrap the optimizer with WrapOptimizer, or declare the variable with an aggregation",
        chain);
  }
  VariableUse& use = Use(def, where);
  use.current = value.value();
  use.versions.push_back(use.current);
  use.assigned = true;
  use.assigned_at = chain.front();
}

std::shared_ptr<const VariableDef> BuildContext::Declare(VariableOptions options, std::vector<SourceLocation> where) {
  if (options_.variables == nullptr) {
    throw Error(ErrorCode::kFailedPrecondition, "no variable can be declared here", std::move(where));
  }
  if (options_.replica_index > 0) {
    // Replica 0 was built first and has declared it, unless the replicas differ.
    if (auto def = options_.variables->Find(options.name)) {
      CheckSamePlace(*def, options_.replica_index, where);
      if (def->options.shape == options.shape) return def;
    } else if (options.aggregation == Aggregation::kNone) {
      throw Error(ErrorCode::kInvalidArgument,
                  "replica " + std::to_string(options_.replica_index) + " declares the mirrored variable '" +
                      options.name +
                      "', which replica 0 does not have; declare it in every replica, or with an aggregation",
                  std::move(where));
    }
  }
  return options_.variables->Declare(std::move(options), std::move(where));
}

Tensor BuildContext::StepKey(SourceLocation where) {
  if (!step_key_.defined()) {
    const PlacementScope placement(0);  // in name only: every device that draws gets it
    step_key_ = AddParameter("step_key", "step_key", Shape{DType::kU32, {2}}, Typing::kReplicated, where);
  }
  return step_key_;
}

uint64_t BuildContext::NextDraw() {
  const std::string& path = NameScope::Current();
  return HashCombine(HashString(path), static_cast<uint64_t>(draws_[path]++));
}

void BuildContext::ClaimScope(const std::string& path, std::shared_ptr<const void> owner, SourceLocation where) {
  std::vector<SourceLocation> lines = CallSite::Chain(where);
  const auto [found, inserted] = claims_.try_emplace(path, Claim{owner, lines.front()});
  const Claim& claim = found->second;
  if (inserted || claim.owner == owner) return;
  lines.insert(lines.begin() + 1, claim.where);
  throw Error(ErrorCode::kAlreadyExists,
              "two modules are named '" + path + "': the one called at " + ToString(lines[0]) +
                  " and the one called at " + ToString(claim.where) + "; give one of them another .name",
              lines);
}

const BuildContext::VariableUse* BuildContext::Find(const VariableDef& def) const {
  auto found = use_of_.find(&def);
  return found == use_of_.end() ? nullptr : &uses_[static_cast<size_t>(found->second)];
}

Tensor AddOp(const OpDef& op, std::span<const Tensor> operands, Attributes attributes, SourceLocation where) {
  return BuildContext::Current(where).graph()->Add(op, operands, std::move(attributes), where)[0];
}

ReplicaContext ReplicaContext::Current(SourceLocation where) {
  BuildContext::Current(where);
  return {};
}
bool ReplicaContext::InStep() { return current_build != nullptr; }
int ReplicaContext::replica_index() const {
  return BuildContext::Current(SourceLocation::current()).options().replica_index;
}
int ReplicaContext::num_replicas() const {
  return BuildContext::Current(SourceLocation::current()).options().num_replicas;
}
Mode ReplicaContext::mode() const { return BuildContext::Current(SourceLocation::current()).options().mode; }

}  // namespace replicator
