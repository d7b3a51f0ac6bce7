#include "replicator/base/error.h"

#include <array>

namespace replicator {
namespace {

std::string Compose(ErrorCode code, const std::string& message, const std::vector<SourceLocation>& where) {
  std::string text = std::string(ToString(code)) + ": " + message;
  for (const SourceLocation& location : where) text += "\n    at " + ToString(location, /*with_function=*/true);
  return text;
}

}  // namespace

std::string ToString(const SourceLocation& location, bool with_function) {
  std::string text = std::string(location.file_name()) + ":" + std::to_string(location.line());
  if (with_function && *location.function_name() != '\0') text += " (" + std::string(location.function_name()) + ")";
  return text;
}

std::string_view ToString(ErrorCode code) {
  static constexpr std::array<std::string_view, 16> kNames = {
      "OK",        "CANCELLED",      "UNKNOWN",           "INVALID_ARGUMENT",   "DEADLINE_EXCEEDED",
      "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
      "ABORTED",   "OUT_OF_RANGE",   "UNIMPLEMENTED",     "INTERNAL",           "UNAVAILABLE",
      "DATA_LOSS"};
  const auto index = static_cast<size_t>(code);
  return index < kNames.size() ? kNames[index] : "UNKNOWN";
}

Error::Error(ErrorCode code, std::string message, std::vector<SourceLocation> where)
    : std::runtime_error(Compose(code, message, where)),
      code_(code),
      message_(std::move(message)),
      where_(std::move(where)) {}

}  // namespace replicator
