#include "replicator/replicators/replicator.h"

#include <optional>

#include "graph/build_context.h"
#include "replicate/dump.h"
#include "replicate/repeat.h"
#include "replicator/ops/shape.h"
#include "runtime/engine.h"
#include "runtime/fetch_node.h"
#include "runtime/input_iterator_impl.h"

namespace replicator {
namespace {

void RequireSameStructure(const std::string& of_replica_0, const FlatNest& result) {
  if (result.structure == of_replica_0) return;
  throw Error(ErrorCode::kInvalidArgument,
              "the step function returned " + result.structure + " in replica " +
                  std::to_string(ReplicaContext::Current().replica_index()) + ", but " + of_replica_0 +
                  " in replica 0; all replicas must return the same structure",
              {result.where});
}

}  // namespace

const Tensor& Batch::operator[](const std::string& name) const {
  if (auto found = components_.find(name); found != components_.end()) return found->second;
  std::string known;
  for (const auto& [component, tensor] : components_) known += (known.empty() ? "'" : ", '") + component + "'";
  throw Error(ErrorCode::kNotFound,
              "the batch has no component '" + name + "'; it has " + (known.empty() ? "none" : known));
}

ContextScope::ContextScope(std::shared_ptr<Engine> engine, SourceLocation where)
    : engine_(std::move(engine)), context_(std::make_unique<ReplicatorContext>(&engine_->variables(), where)) {}
ContextScope::~ContextScope() = default;

Replicator::Replicator(std::shared_ptr<Engine> engine) : engine_(std::move(engine)) {}
Replicator::~Replicator() = default;

int Replicator::num_replicas() const { return engine_->num_replicas(); }

ContextScope Replicator::Context(SourceLocation where) { return {engine_, where}; }

optim::Optimizer Replicator::WrapOptimizer(const optim::Optimizer& optimizer, optim::GradientReduction reduction,
                                           SourceLocation where) {
  return optimizer.WithReduction(reduction, where);
}

InputIterator Replicator::MakeInputIterator(const InputFn& input_fn, InputReplicationMode mode, SourceLocation where) {
  const int groups = engine_->options().async.num_sync_groups;
  if (groups == 0 || input_fn == nullptr)
    return InputIterator(std::make_shared<InputIterator::Impl>(input_fn, mode, num_replicas(), where));
  std::vector<std::shared_ptr<InputIterator::Impl>> of_groups;
  for (int g = 0; g < groups; ++g) {
    const auto of_group = [&](const InputContext& context) { return input_fn(context.InSyncGroup(g, groups)); };
    of_groups.push_back(std::make_shared<InputIterator::Impl>(of_group, mode, num_replicas(), where));
  }
  return InputIterator(std::move(of_groups));
}

int64_t Replicator::CheckedSteps(int64_t k, SourceLocation where) {
  if (k >= 1 && k <= INT32_MAX) return k;
  throw Error(
      ErrorCode::kInvalidArgument,
      "RunSteps was asked for " + std::to_string(k) + " steps in one run; at least 1 and fewer than 2^31 are needed",
      {where});
}

std::vector<PerReplica> Replicator::BuildStep(const std::function<FlatNest(const Batch&)>& build,
                                              const InputIterator& input, const Repeat& repeat,
                                              const RunOptions& options, SourceLocation where) {
  if (ReplicaContext::InStep()) {
    throw Error(ErrorCode::kFailedPrecondition,
                "Run was called inside a step function; build the steps one after another", {where});
  }
  const ContextScope scope = Context(where);
  StepOptions step_options{.num_replicas = num_replicas(),
                           .mode = options.mode,
                           .nan_guard = options.nan_guard,
                           .asynchronous = engine_->options().async.num_sync_groups > 0,
                           .inputs = {},
                           .where = where};
  if (input.defined()) step_options.inputs = input.Spec();
  std::optional<std::string> structure;  // of replica 0's result
  const ReplicaSteps steps = BuildReplicaSteps(
      [&](const std::map<std::string, Tensor>& inputs) {
        FlatNest result = build(Batch(inputs));
        if (!structure.has_value()) structure = result.structure;
        RequireSameStructure(*structure, result);
        return std::move(result.leaves);
      },
      engine_->variables(), step_options);
  Program program = RewriteWithDump(steps, step_options);
  const int num_outputs = static_cast<int>(program.outputs.size());
  program.executions_per_run = repeat.steps;
  if (repeat.single_launch.value_or(engine_->options().fast_loops) && CanRepeat(program, repeat.steps)) {
    program.repeated = std::make_shared<const Program>(RepeatProgram(program, repeat.steps));
  }
  const int step = engine_->AddStep(std::move(program), input);
  if (num_outputs == 0) return {MakePerReplica(engine_, step, -1)};
  std::vector<PerReplica> results;
  for (int i = 0; i < num_outputs; ++i) results.push_back(MakePerReplica(engine_, step, i));
  return results;
}

PerReplica Replicator::Update(const Variable& variable, const std::function<Tensor(const Tensor& before)>& fn,
                              SourceLocation where) {
  const auto update = [&] {
    const Tensor before = variable.Read(where);
    variable.Assign({fn(before), where});
  };
  return Run(update, {.nan_guard = false}, where);
}

PerReplica Replicator::Update(const Variable& variable, const Literal& value, SourceLocation where) {
  return Update(variable, [&](const Tensor&) { return Constant(value, where); }, where);
}

std::vector<Variable> Replicator::Variables() const {
  const auto& defs = engine_->variables().all();
  return std::vector<Variable>(defs.begin(), defs.end());
}

Variable Replicator::FindVariable(const std::string& name, SourceLocation where) const {
  if (auto def = engine_->variables().Find(name)) return Variable(std::move(def));
  std::string known;
  for (const auto& def : engine_->variables().all()) known += (known.empty() ? "" : ", ") + def->options.name;
  throw Error(ErrorCode::kNotFound,
              "no variable is named '" + name + "'; there are: " + (known.empty() ? "none" : known), {where});
}

void Replicator::Init(Session& session) { session.Attach(engine_); }

void Replicator::Shutdown(Session& session) {
  if (session.engine() == engine_) session.Detach();
}

}  // namespace replicator
