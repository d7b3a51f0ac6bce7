// From a MonitoredSession's options to what its parts need.
#pragma once

#include <cstdint>

#include "replicate/program.h"
#include "replicator/runtime/monitored_session.h"
#include "runtime/session_environment.h"

namespace replicator {

// Throws Error(kInvalidArgument), naming the option, unless all are in range.
MonitoredSessionOptions Validated(MonitoredSessionOptions options);

// The given one, completed with the real world.
SessionEnvironment EnvironmentOf(const MonitoredSessionOptions& options);

// Examples in the program's global batch: the leading extent of its first input that has one, times the replicas; 0
// where there is none.
int64_t ExamplesPerStepOf(const Program& program);

}  // namespace replicator
