// Diagnostics for a person. Never used for what a program must react to: that is an Error.
#pragma once

#include <string_view>

namespace replicator {

// One line on stderr, with level and time. Info is shown only when the environment variable REPLICATOR_LOG is "info" or
// "debug". Safe from any thread.
void LogInfo(std::string_view message);
void LogWarning(std::string_view message);
void LogError(std::string_view message);

}  // namespace replicator
