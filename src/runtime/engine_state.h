// The names under which an engine's state stands in a checkpoint. They are stable.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "replicator/data/element.h"
#include "runtime/engine.h"

namespace replicator {

inline constexpr char kSeedKey[] = "seed";
// Of step `step`, and of the input that was the `input`-th to be given to a step.
std::string ExecutionsKey(int step);
std::string PositionKey(int input);
// Of one replica's exact value of a per-replica variable.
std::string ReplicaKey(const std::string& variable, int replica);

// Each parses an entry of the metadata; none where there is no such entry. Throws Error(kInvalidArgument) for one that
// does not parse. Take also removes it.
std::optional<int64_t> FindExecutions(const EngineState& state, int step);
std::optional<data::Position> FindPosition(const EngineState& state, int input);
std::optional<int64_t> TakeExecutions(EngineState& state, int step);
std::optional<data::Position> TakePosition(EngineState& state, int input);

}  // namespace replicator
