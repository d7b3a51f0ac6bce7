// Checkpoints: a training run's state at one step, complete or absent.
//
// A checkpoint is a safetensors file, "ckpt-<step>.safetensors", that any reader of that format opens. Its metadata has
// three keys of ours: "format" ("replicator-checkpoint"), "version" ("1") and "crc32c", a checksum over everything else
// in the file, so that also a flipped bit inside a tensor is noticed.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "replicator/io/safetensors.h"

namespace replicator {
class FileLock;
}

namespace replicator::io {

using Checkpoint = NamedTensors;

// Reads one checkpoint file, without the three keys of ours. Throws as ReadSafetensors does; also Error(kDataLoss) when
// the checksum is wrong, and Error(kInvalidArgument) for a valid safetensors file that is not a checkpoint of this
// library or is of a later version.
Checkpoint LoadCheckpoint(const std::string& path, FileSystem* file_system = nullptr);

// "<directory>/ckpt-<step>.safetensors"
std::string CheckpointPath(const std::string& directory, int64_t step);

// The steps of the checkpoints in a directory, ascending. Temporaries and other files are passed over. Throws
// Error(kNotFound) when there is no such directory. These two functions need no lock: they may be used while another
// process saves.
std::vector<int64_t> CheckpointSteps(const std::string& directory, FileSystem* file_system = nullptr);

// A checkpoint and the step it was saved at.
struct SavedCheckpoint {
  int64_t step = 0;
  Checkpoint checkpoint;
};

// The newest checkpoint; nothing when there is none, or no such directory. When the newest is corrupt, throws
// Error(kDataLoss) that names it, what is wrong, and the newest older one that is good: training further back than its
// user believes is for the user to decide (by moving the corrupt file away), never silent.
std::optional<SavedCheckpoint> LoadLatestCheckpoint(const std::string& directory, FileSystem* file_system = nullptr);

struct CheckpointManagerOptions {
  int keep_last = 5;                  // checkpoints kept, at least 1
  FileSystem* file_system = nullptr;  // null: the operating system's; must outlive the manager
};

// The one writer of a checkpoint directory. Not thread-safe.
class CheckpointManager {
 public:
  // Creates the directory if need be, claims it, and removes the temporaries that an earlier, killed process has left.
  // Throws Error(kFailedPrecondition) naming the other process when another writer has the directory, kInvalidArgument
  // for keep_last < 1, and what the file system throws, so that an unwritable directory is known before training
  // starts.
  explicit CheckpointManager(std::string directory, CheckpointManagerOptions options = {});
  ~CheckpointManager();
  CheckpointManager(const CheckpointManager&) = delete;
  CheckpointManager& operator=(const CheckpointManager&) = delete;

  // Saves atomically and durably, and returns the file's path. Then, and only then, the oldest are removed until
  // keep_last are left; the one just saved always stays. (A checkpoint that cannot be removed is a logged warning.)
  // Throws Error(kInvalidArgument) for a negative step or metadata that uses one of our three keys, and what
  // WriteSafetensors throws (kResourceExhausted when the disk is full); the checkpoints that were there are untouched.
  std::string Save(int64_t step, const Checkpoint& checkpoint);

  // As the functions above, for this directory. Load throws Error(kNotFound), listing the steps there are, when `step`
  // is not among them.
  std::vector<int64_t> Steps() const;
  Checkpoint Load(int64_t step) const;
  std::optional<SavedCheckpoint> LoadLatest() const;

  const std::string& directory() const { return directory_; }

 private:
  void RemoveStaleTemporaries();
  void Prune(int64_t just_saved);

  std::string directory_;
  int keep_last_;
  FileSystem& file_system_;
  std::unique_ptr<FileLock> lock_;
};

}  // namespace replicator::io
