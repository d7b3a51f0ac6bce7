#include "replicator/io/checkpoint.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <string_view>

#include "base/file_system.h"
#include "base/logging.h"
#include "io/crc32c.h"
#include "replicator/base/error.h"

namespace replicator::io {
namespace {

constexpr std::string_view kPrefix = "ckpt-";
constexpr std::string_view kSuffix = ".safetensors";
constexpr std::string_view kLockName = "ckpt.lock";

constexpr const char* kFormatKey = "format";
constexpr const char* kVersionKey = "version";
constexpr const char* kChecksumKey = "crc32c";
constexpr const char* kFormat = "replicator-checkpoint";
constexpr const char* kVersion = "1";

FileSystem& OrDefault(FileSystem* file_system) { return file_system != nullptr ? *file_system : FileSystem::Default(); }

// Over all metadata except the checksum itself, and all names, shapes and bytes.
std::string Checksum(const Checkpoint& checkpoint) {
  uint32_t crc = 0;
  const auto add = [&](std::string_view text) {
    crc = Crc32c(text, crc);
    crc = Crc32c(std::string_view("\0", 1), crc);
  };
  for (const auto& [key, value] : checkpoint.metadata) {
    if (key == kChecksumKey) continue;
    add(key);
    add(value);
  }
  for (const auto& [name, literal] : checkpoint.tensors) {
    add(name);
    add(ToString(literal.shape()));
    crc = Crc32c(std::span(literal.bytes(), literal.byte_size()), crc);
  }
  std::array<char, 9> text{};
  std::snprintf(text.data(), text.size(), "%08x", crc);
  return text.data();
}

// The step in "ckpt-<step>.safetensors"; nothing for any other name.
std::optional<int64_t> StepOf(std::string_view name) {
  if (name.substr(0, kPrefix.size()) != kPrefix || name.size() <= kPrefix.size() + kSuffix.size()) return std::nullopt;
  if (name.substr(name.size() - kSuffix.size()) != kSuffix) return std::nullopt;
  const std::string_view digits = name.substr(kPrefix.size(), name.size() - kPrefix.size() - kSuffix.size());
  int64_t step = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), step);
  if (error != std::errc() || end != digits.data() + digits.size() || std::to_string(step) != digits)
    return std::nullopt;
  return step < 0 ? std::nullopt : std::optional(step);
}

bool IsTemporary(std::string_view name) {
  const size_t infix = name.rfind(kTemporaryInfix);
  return infix != std::string_view::npos && StepOf(name.substr(0, infix)).has_value();
}

// What the user can do about a corrupt checkpoint: the end of an error's sentence.
std::string AdviseOlder(const std::string& directory, int64_t corrupt, const std::vector<int64_t>& steps,
                        FileSystem& fs) {
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    if (*step >= corrupt) continue;
    const std::string path = CheckpointPath(directory, *step);
    try {
      LoadCheckpoint(path, &fs);
      return "; the newest good checkpoint is '" + path + "': to continue from it, move the corrupt file away";
    } catch (const Error&) {
      continue;  // corrupt as well
    }
  }
  return "; no older checkpoint in the directory is good";
}

}  // namespace

Checkpoint LoadCheckpoint(const std::string& path, FileSystem* file_system) {
  Checkpoint checkpoint = ReadSafetensors(path, file_system);
  auto& metadata = checkpoint.metadata;
  const auto format = metadata.find(kFormatKey);
  if (format == metadata.end() || format->second != kFormat) {
    throw Error(ErrorCode::kInvalidArgument,
                "'" + path + "' is a safetensors file but not a checkpoint of this library: its metadata has " +
                    (format == metadata.end() ? "no 'format'" : "the format '" + format->second + "'") + ", not '" +
                    kFormat + "'");
  }
  if (metadata[kVersionKey] != kVersion) {
    throw Error(ErrorCode::kInvalidArgument, "'" + path + "' is a checkpoint of version '" + metadata[kVersionKey] +
                                                 "'; this library reads version " + kVersion);
  }
  const std::string expected = metadata[kChecksumKey];
  const std::string actual = Checksum(checkpoint);
  if (actual != expected) {
    throw Error(ErrorCode::kDataLoss, "'" + path + "' is corrupt: its content has the checksum " + actual + ", but " +
                                          (expected.empty() ? "none" : expected) + " was saved");
  }
  for (const char* key : {kFormatKey, kVersionKey, kChecksumKey}) metadata.erase(key);
  return checkpoint;
}

std::string CheckpointPath(const std::string& directory, int64_t step) {
  return JoinPath(directory, std::string(kPrefix) + std::to_string(step) + std::string(kSuffix));
}

std::vector<int64_t> CheckpointSteps(const std::string& directory, FileSystem* file_system) {
  std::vector<int64_t> steps;
  for (const std::string& name : OrDefault(file_system).List(directory)) {
    if (const auto step = StepOf(name)) steps.push_back(*step);
  }
  std::sort(steps.begin(), steps.end());
  return steps;
}

std::optional<SavedCheckpoint> LoadLatestCheckpoint(const std::string& directory, FileSystem* file_system) {
  FileSystem& fs = OrDefault(file_system);
  std::vector<int64_t> steps;
  try {
    steps = CheckpointSteps(directory, &fs);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kNotFound) return std::nullopt;
    throw;
  }
  if (steps.empty()) return std::nullopt;
  const int64_t step = steps.back();
  try {
    return SavedCheckpoint{.step = step, .checkpoint = LoadCheckpoint(CheckpointPath(directory, step), &fs)};
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kDataLoss) throw;
    throw Error(ErrorCode::kDataLoss, error.message() + AdviseOlder(directory, step, steps, fs));
  }
}

CheckpointManager::CheckpointManager(std::string directory, CheckpointManagerOptions options)
    : directory_(std::move(directory)), keep_last_(options.keep_last), file_system_(OrDefault(options.file_system)) {
  if (keep_last_ < 1) {
    throw Error(ErrorCode::kInvalidArgument, "keep_last is " + std::to_string(keep_last_) + "; it must be at least 1");
  }
  file_system_.CreateDirectories(directory_);
  try {
    lock_ = file_system_.Lock(JoinPath(directory_, kLockName));
  } catch (const Error& error) {
    throw Error(error.code(), "cannot save checkpoints in '" + directory_ + "': " + error.message());
  }
  RemoveStaleTemporaries();
}

CheckpointManager::~CheckpointManager() = default;

// Only the holder of the lock writes temporaries, and it has not begun to: whatever is there has no owner.
void CheckpointManager::RemoveStaleTemporaries() {
  for (const std::string& name : file_system_.List(directory_)) {
    if (!IsTemporary(name)) continue;
    LogInfo("removing '" + JoinPath(directory_, name) + "', which an interrupted save has left");
    file_system_.Remove(JoinPath(directory_, name));
  }
}

std::string CheckpointManager::Save(int64_t step, const Checkpoint& checkpoint) {
  if (step < 0) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot save a checkpoint of step " + std::to_string(step) + "; steps are >= 0");
  }
  Checkpoint stamped = checkpoint;  // shares the tensors' bytes
  for (const char* key : {kFormatKey, kVersionKey, kChecksumKey}) {
    if (checkpoint.metadata.count(key) != 0) {
      throw Error(ErrorCode::kInvalidArgument,
                  std::string("the metadata key '") + key + "' is reserved for the checkpoint's own");
    }
  }
  stamped.metadata[kFormatKey] = kFormat;
  stamped.metadata[kVersionKey] = kVersion;
  stamped.metadata[kChecksumKey] = Checksum(stamped);

  const std::string path = CheckpointPath(directory_, step);
  try {
    WriteSafetensors(path, stamped, &file_system_);
  } catch (const Error& error) {
    throw Error(error.code(), "could not save the checkpoint of step " + std::to_string(step) + ": " + error.message() +
                                  "; the checkpoints saved before it are untouched");
  }
  Prune(step);
  return path;
}

void CheckpointManager::Prune(int64_t just_saved) {
  try {
    std::vector<int64_t> steps = Steps();
    steps.erase(std::remove(steps.begin(), steps.end(), just_saved), steps.end());
    const size_t others_kept = static_cast<size_t>(keep_last_) - 1;
    for (size_t i = 0; i + others_kept < steps.size(); ++i) file_system_.Remove(CheckpointPath(directory_, steps[i]));
  } catch (const Error& error) {
    LogWarning("an old checkpoint stays: " + error.message());
  }
}

std::vector<int64_t> CheckpointManager::Steps() const { return CheckpointSteps(directory_, &file_system_); }

Checkpoint CheckpointManager::Load(int64_t step) const {
  const std::vector<int64_t> steps = Steps();
  if (!std::binary_search(steps.begin(), steps.end(), step)) {
    throw Error(ErrorCode::kNotFound, "'" + directory_ + "' has no checkpoint of step " + std::to_string(step) +
                                          "; it has those of " + ToString(steps));
  }
  return LoadCheckpoint(CheckpointPath(directory_, step), &file_system_);
}

std::optional<SavedCheckpoint> CheckpointManager::LoadLatest() const {
  return LoadLatestCheckpoint(directory_, &file_system_);
}

}  // namespace replicator::io
