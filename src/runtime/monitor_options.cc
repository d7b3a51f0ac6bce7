#include "runtime/monitor_options.h"

#include <cmath>
#include <string>

#include "graph/graph.h"
#include "replicator/base/error.h"

namespace replicator {
namespace {

void CheckAtLeast(const char* name, double value, int least) {
  if (std::isfinite(value) && value >= least) return;
  throw Error(ErrorCode::kInvalidArgument, std::string("the session's option ") + name + " is " +
                                               std::to_string(value) + "; it must be at least " +
                                               std::to_string(least));
}

}  // namespace

MonitoredSessionOptions Validated(MonitoredSessionOptions options) {
  CheckAtLeast("save_every_steps", static_cast<double>(options.save_every_steps), 0);
  CheckAtLeast("save_every_seconds", options.save_every_seconds, 0);
  CheckAtLeast("keep_last", options.keep_last, 1);
  CheckAtLeast("scalars_every_steps", static_cast<double>(options.scalars_every_steps), 1);
  CheckAtLeast("stop_at_step", static_cast<double>(options.stop_at_step.value_or(0)), 0);
  CheckAtLeast("stop_after_seconds", options.stop_after_seconds.value_or(0), 0);
  CheckAtLeast("check_mirrored_every_steps", static_cast<double>(options.check_mirrored_every_steps), 0);
  CheckAtLeast("examples_per_step", static_cast<double>(options.examples_per_step), 0);
  for (const auto& hook : options.hooks) {
    if (hook == nullptr) throw Error(ErrorCode::kInvalidArgument, "one of the session's hooks is null");
  }
  return options;
}

SessionEnvironment EnvironmentOf(const MonitoredSessionOptions& options) {
  SessionEnvironment environment = SessionEnvironment::Default();
  if (const SessionEnvironment* given = options.environment; given != nullptr) {
    if (given->clock != nullptr) environment.clock = given->clock;
    if (given->interrupts != nullptr) environment.interrupts = given->interrupts;
    if (given->progress != nullptr) environment.progress = given->progress;
    if (given->file_system != nullptr) environment.file_system = given->file_system;
  }
  return environment;
}

int64_t ExamplesPerStepOf(const Program& program) {
  for (size_t i = 0; i < program.parameters.size(); ++i) {
    if (program.parameters[i].kind != ProgramParameter::Kind::kInput) continue;
    const Shape& shape = program.graph->shape({.node = program.graph->parameters()[i]});
    if (shape.rank() > 0) return shape.dims[0] * program.num_replicas;
  }
  return 0;
}

}  // namespace replicator
