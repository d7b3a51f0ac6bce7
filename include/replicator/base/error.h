// The one way in which the library reports that something went wrong.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "replicator/base/source_location.h"

namespace replicator {

// What kind of thing went wrong. The numbers are those of absl::StatusCode and PJRT_Error_Code.
enum class ErrorCode {
  kCancelled = 1,
  kUnknown = 2,
  kInvalidArgument = 3,  // the caller passed something that can never be right
  kDeadlineExceeded = 4,
  kNotFound = 5,       // a file, a plugin, a name
  kAlreadyExists = 6,  // a name used twice
  kPermissionDenied = 7,
  kResourceExhausted = 8,   // memory, disk
  kFailedPrecondition = 9,  // right in itself, wrong now
  kAborted = 10,
  kOutOfRange = 11,  // the end of the input
  kUnimplemented = 12,
  kInternal = 13,     // a fault of the library or of the plugin
  kUnavailable = 14,  // a peer that does not answer
  kDataLoss = 15,     // a corrupt or truncated file
};

// "INVALID_ARGUMENT", ...
std::string_view ToString(ErrorCode code);

// Thrown by every function of the library that cannot do what it was asked. Says what was wrong, what would be right,
// and where in the user's program it was asked for. Copyable; safe to carry across threads in a std::exception_ptr.
class Error : public std::runtime_error {
 public:
  // `where`: the user's line first, then inner ones. Leave it empty where no line of the user's is known.
  Error(ErrorCode code, std::string message, std::vector<SourceLocation> where = {});

  ErrorCode code() const { return code_; }
  // The sentence alone; what() adds the code and the source lines.
  const std::string& message() const { return message_; }
  const std::vector<SourceLocation>& where() const { return where_; }

 private:
  ErrorCode code_;
  std::string message_;
  std::vector<SourceLocation> where_;
};

// The input has ended: a sweep over a dataset is complete, or a queue was closed. Code kOutOfRange.
class OutOfRange : public Error {
 public:
  explicit OutOfRange(std::string message, std::vector<SourceLocation> where = {})
      : Error(ErrorCode::kOutOfRange, std::move(message), std::move(where)) {}
};

}  // namespace replicator
