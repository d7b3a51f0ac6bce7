#include <map>
#include <utility>

#include "replicate/dump.h"
#include "replicator/base/error.h"
#include "runtime/callable_impl.h"

namespace replicator {
namespace {

void CheckOptions(const Engine& engine, const CallableOptions& options, SourceLocation where) {
  if (ReplicaContext::InStep()) {
    throw Error(ErrorCode::kFailedPrecondition,
                "MakeCallable was called inside a step function; build steps and callables one after another", {where});
  }
  if (options.replica < 0 || options.replica >= engine.num_replicas()) {
    throw Error(ErrorCode::kInvalidArgument,
                "a callable was asked to read the variables of replica " + std::to_string(options.replica) +
                    "; there are " + std::to_string(engine.num_replicas()) + ", from 0",
                {where});
  }
  if (options.replicated && options.replica != 0) {
    throw Error(ErrorCode::kInvalidArgument,
                "a replicated callable reads every replica's variables; leave out .replica, or .replicated", {where});
  }
}

void CheckReadsOnly(const ReplicaSteps& built, SourceLocation where) {
  for (const ReplicaStep& step : built.classes) {
    for (const BuildContext::VariableUse& use : step.uses) {
      if (!use.assigned) continue;
      throw Error(ErrorCode::kInvalidArgument,
                  "a callable only reads variables, but this one assigns '" + use.def->options.name + "' at " +
                      ToString(use.assigned_at) + "; what changes variables is a step: build it with Replicator::Run",
                  {where, use.assigned_at});
    }
    if (step.graph->outputs().empty()) {
      throw Error(ErrorCode::kInvalidArgument, "the function of a callable returns nothing, so that it does nothing",
                  {where});
    }
  }
}

}  // namespace

void internal::ThrowArity(size_t inputs, SourceLocation where) {
  throw Error(ErrorCode::kInvalidArgument,
              "a callable has " + std::to_string(inputs) +
                  " inputs, but its function does not take so many Tensors; give it one for each, or let it take a "
                  "const std::vector<Tensor>&",
              {where});
}

Callable BuildCallable(const std::shared_ptr<Engine>& engine, const CallableFn& fn, const std::vector<Shape>& inputs,
                       const CallableOptions& options, SourceLocation where) {
  CheckOptions(*engine, options, where);
  const ReplicatorContext context(&engine->variables(), where);
  StepOptions step{.num_replicas = options.replicated ? engine->num_replicas() : 1,
                   .mode = options.mode,
                   .nan_guard = false,
                   .where = where};
  for (size_t i = 0; i < inputs.size(); ++i) step.inputs.emplace(Callable::Impl::InputName(i), inputs[i]);
  const auto build = [&](const std::map<std::string, Tensor>& components) {
    std::vector<Tensor> tensors;
    for (size_t i = 0; i < inputs.size(); ++i) tensors.push_back(components.at(Callable::Impl::InputName(i)));
    return fn(tensors);
  };
  const ReplicaSteps built = BuildReplicaSteps(build, engine->variables(), step);
  CheckReadsOnly(built, where);
  return Callable(std::make_shared<Callable::Impl>(engine, RewriteWithDump(built, step), inputs, options));
}

}  // namespace replicator
