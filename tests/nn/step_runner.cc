#include "nn/step_runner.h"

#include <cstring>

#include "lower/lower.h"
#include "replicate/replica_step.h"
#include "replicate/rewrite.h"

namespace replicator::testing {

Program StepRunner::Build(const StepFn& step, const std::map<std::string, Shape>& inputs, Mode mode) {
  const StepOptions options{.num_replicas = num_replicas_,
                            .mode = mode,
                            .nan_guard = false,
                            .inputs = inputs,
                            .where = SourceLocation::current()};
  return Rewrite(BuildReplicaSteps(step, variables_, options), options);
}

Literal StepRunner::Initial(const VariableDef& def) {
  BuildContext build({});
  const BuildContext::Scope scope(build);
  const NameScope name(def.options.name);
  build.graph()->SetOutputs({def.options.initializer(def.options.shape).value()});
  const Literal seed = Literal::FromValues<uint32_t>({2}, {1, 2});
  Backend& backend = CpuBackend(backend_);
  const PerReplica arguments(1, std::vector<Literal>(build.graph()->parameters().size(), seed));
  return backend.Run(LowerToStableHlo(*build.graph(), {.target = backend.target()}), arguments)[0][0];
}

PerReplica StepRunner::Execute(const Program& program, const std::vector<Feeds>& feeds, uint32_t step_number) {
  Backend& backend = CpuBackend(backend_);
  PerReplica arguments(Replicas());
  for (const ProgramParameter& parameter : program.parameters) {
    if (parameter.variable != nullptr && !values_.contains(parameter.variable->options.name)) {
      Set(parameter.variable->options.name, Initial(*parameter.variable));
    }
    for (size_t r = 0; r < Replicas(); ++r) {
      switch (parameter.kind) {
        case ProgramParameter::Kind::kVariable:
          arguments[r].push_back(values_.at(parameter.variable->options.name)[r]);
          break;
        case ProgramParameter::Kind::kInput:
          arguments[r].push_back(feeds.at(r).at(parameter.name));
          break;
        case ProgramParameter::Kind::kStepKey:
          arguments[r].push_back(Literal::FromValues<uint32_t>({2}, {7, step_number}));
          break;
      }
    }
  }
  const std::string text =
      LowerToStableHlo(*program.graph, {.target = backend.target(), .num_replicas = num_replicas_});
  PerReplica results = backend.Run(text, arguments);
  for (size_t r = 0; r < Replicas(); ++r) {
    for (size_t i = 0; i < program.updates.size(); ++i) {
      const std::string& name = program.updates[i]->options.name;
      if (!values_.contains(name)) values_[name].resize(Replicas());
      values_[name][r] = results[r][program.outputs.size() + i];
    }
    results[r].resize(program.outputs.size());
  }
  return results;
}

PerReplica StepRunner::Run(const StepFn& step, const std::vector<Feeds>& feeds, Mode mode) {
  std::map<std::string, Shape> shapes;
  if (!feeds.empty()) {
    for (const auto& [name, value] : feeds[0]) shapes.emplace(name, value.shape());
  }
  return Execute(Build(step, shapes, mode), feeds);
}

std::vector<std::string> StepRunner::VariableNames() const {
  std::vector<std::string> names;
  for (const auto& def : variables_.all()) names.push_back(def->options.name);
  return names;
}

std::vector<Feeds> Split(const Feeds& global, int num_replicas) {
  std::vector<Feeds> feeds(static_cast<size_t>(num_replicas));
  for (const auto& [name, value] : global) {
    Shape shape = value.shape();
    shape.dims[0] /= num_replicas;
    for (size_t r = 0; r < feeds.size(); ++r) {
      Literal piece{shape};
      std::memcpy(piece.mutable_bytes(), value.bytes() + r * piece.byte_size(), piece.byte_size());
      feeds[r].emplace(name, std::move(piece));
    }
  }
  return feeds;
}

}  // namespace replicator::testing
