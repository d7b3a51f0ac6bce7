// The drift guard: checks now and then that mirrored variables are mirrored.
#pragma once

#include <cstdint>

#include "replicator/runtime/hook.h"
#include "runtime/engine.h"

namespace replicator {

class DriftHook final : public Hook {
 public:
  // Checks when the step passes a multiple of `every_steps`. The engine must outlive the hook.
  DriftHook(int64_t every_steps, Engine& engine) : every_steps_(every_steps), engine_(engine) {}

  void Begin(HookContext& context) override { last_step_ = context.step(); }
  // Waits for the step, copies every mirrored variable from every replica to the host, and throws ReplicasDiffer.
  void AfterRun(HookContext& context, const std::vector<std::optional<Fetched>>& values) override;

 private:
  const int64_t every_steps_;
  Engine& engine_;
  int64_t last_step_ = 0;
};

}  // namespace replicator
