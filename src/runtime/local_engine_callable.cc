// What callables ask of the engine.
#include "lower/lower.h"
#include "runtime/dump_compiled.h"
#include "runtime/local_engine.h"

namespace replicator {

CompiledCallable LocalEngine::AddCallable(const Program& program, int replica) {
  const std::string mlir =
      LowerToStableHlo(*program.graph, {.target = target_.lowering, .num_replicas = program.num_replicas});
  pjrt::CompileOptions options{.num_replicas = program.num_replicas, .overrides = target_.overrides};
  // On the replicas' logical devices 0, whatever the operations' own.
  options.device_assignment = grid_.Assignment(0, program.num_replicas);
  if (program.num_replicas == 1 && replica > 0) options.device_assignment = {grid_.At(replica, 0).id()};
  const std::lock_guard lock(mutex_);
  // Made here, by the thread that builds, so that a snapshot need not look into the table of variables.
  for (const ProgramParameter& parameter : program.parameters) {
    if (parameter.kind == ProgramParameter::Kind::kVariable) store_.At(parameter.variable);
  }
  const std::shared_ptr<pjrt::Executable> executable = cache_.Get(mlir, options);
  DumpCompiled(program.dump_folder, "", mlir, executable->unloaded());
  return {executable, callables_++};
}

VariableSnapshot LocalEngine::TakeSnapshot(std::span<const std::shared_ptr<const VariableDef>> variables,
                                           std::span<const int> replicas) {
  VariableSnapshot snapshot;
  snapshot.values.resize(replicas.size());
  const std::lock_guard lock(mutex_);
  std::vector<Slot*> slots;
  for (const auto& def : variables) slots.push_back(&store_.At(def));
  FillLocked(slots);
  for (Slot* slot : slots) snapshot.versions.push_back(VariableStore::Hold(*slot));
  for (size_t r = 0; r < replicas.size(); ++r) {
    for (const Slot* slot : slots) {
      const pjrt::Buffer& value = slot->values[static_cast<size_t>(replicas[r])];
      const bool elsewhere = slot->def->logical_device != 0;
      snapshot.values[r].push_back(elsewhere ? value.CopyTo(grid_.At(replicas[r], 0)) : value.Borrowed());
    }
  }
  return snapshot;
}

}  // namespace replicator
