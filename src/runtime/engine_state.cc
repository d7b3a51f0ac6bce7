#include "runtime/engine_state.h"

#include <charconv>

#include "replicator/base/error.h"

namespace replicator {

std::string ExecutionsKey(int step) { return "executions." + std::to_string(step); }
std::string PositionKey(int input) { return "input." + std::to_string(input); }
std::string ReplicaKey(const std::string& variable, int replica) { return variable + "@" + std::to_string(replica); }

std::optional<int64_t> FindExecutions(const EngineState& state, int step) {
  const auto found = state.metadata.find(ExecutionsKey(step));
  if (found == state.metadata.end()) return std::nullopt;
  const std::string& text = found->second;
  int64_t executions = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), executions);
  if (error == std::errc() && end == text.data() + text.size() && executions >= 0) return executions;
  throw Error(ErrorCode::kInvalidArgument,
              "the state's entry '" + found->first + "' is '" + text + "', but must be a number of executions");
}

std::optional<data::Position> FindPosition(const EngineState& state, int input) {
  const auto found = state.metadata.find(PositionKey(input));
  if (found == state.metadata.end()) return std::nullopt;
  return data::PositionFromString(found->second);
}

std::optional<int64_t> TakeExecutions(EngineState& state, int step) {
  const auto executions = FindExecutions(state, step);
  state.metadata.erase(ExecutionsKey(step));
  return executions;
}

std::optional<data::Position> TakePosition(EngineState& state, int input) {
  const auto position = FindPosition(state, input);
  state.metadata.erase(PositionKey(input));
  return position;
}

}  // namespace replicator
