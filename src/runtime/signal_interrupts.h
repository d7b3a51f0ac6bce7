// Ctrl-C and SIGTERM.
#pragma once

#include "runtime/session_environment.h"

namespace replicator {

// The first signal is remembered and said on stderr; the second, while installed, ends the process with status 130.
// Installations nest; the last Uninstall restores the handlers that were there before, and the next Install forgets
// what was remembered.
InterruptSource& SignalInterrupts();

}  // namespace replicator
