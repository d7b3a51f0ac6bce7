// The seam to the operating system's files, so that tests can make any operation fail.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "replicator/base/error.h"

namespace replicator {

// Every function of these classes that fails throws the Error that FileError makes: it names the path and the system's
// reason. Codes: kNotFound (no such file or directory), kPermissionDenied (also a read-only file system),
// kResourceExhausted (disk full, quota, too many open files), kAlreadyExists, kInvalidArgument (a directory where a
// file is needed, or the reverse; a name too long), kDataLoss (the medium failed, or the file ended early), else
// kUnknown.
Error FileError(std::string_view action, std::string_view path, int error_number);

// A file open for writing at its end. Not thread-safe. The destructor closes without reporting: call Close.
class WritableFile {
 public:
  virtual ~WritableFile() = default;
  virtual void Append(std::span<const std::byte> bytes) = 0;
  // Returns when everything appended so far would survive a loss of power.
  virtual void Sync() = 0;
  // Nothing may be called after it, not even when it fails.
  virtual void Close() = 0;

  void Append(std::string_view text) { Append(std::as_bytes(std::span(text))); }
};

// A file open for reading. Thread-safe.
class ReadableFile {
 public:
  virtual ~ReadableFile() = default;
  virtual uint64_t size() const = 0;
  // Fills `out` with the bytes that start at `offset`; kDataLoss where the file ends before that.
  virtual void Read(uint64_t offset, std::span<std::byte> out) const = 0;
};

// An exclusive claim that lasts as long as this object, or until the process ends in whatever way.
class FileLock {
 public:
  virtual ~FileLock() = default;
};

// Thread-safe.
class FileSystem {
 public:
  virtual ~FileSystem() = default;

  // The operating system's.
  static FileSystem& Default();

  virtual std::unique_ptr<ReadableFile> OpenForReading(const std::string& path) = 0;
  // Creates the file, or empties an existing one.
  virtual std::unique_ptr<WritableFile> OpenForWriting(const std::string& path) = 0;
  // Replaces `to` when it exists; afterwards `to` is either the old file or the new one, never something between.
  virtual void Rename(const std::string& from, const std::string& to) = 0;
  // A file, not a directory.
  virtual void Remove(const std::string& path) = 0;
  // The names in a directory, sorted, without "." and "..".
  virtual std::vector<std::string> List(const std::string& directory) = 0;
  // Also the missing parents; nothing happens when it is there already.
  virtual void CreateDirectories(const std::string& directory) = 0;
  virtual bool Exists(const std::string& path) = 0;
  virtual uint64_t FileSize(const std::string& path) = 0;
  // Returns when the names in the directory (creations, renames, removals) would survive a loss of power.
  virtual void SyncDirectory(const std::string& directory) = 0;
  // Claims `path`, which is created when missing and stays afterwards. Throws Error(kFailedPrecondition) naming the
  // process that holds it already (which may be this one).
  virtual std::unique_ptr<FileLock> Lock(const std::string& path) = 0;

  std::string ReadFile(const std::string& path);
};

// "a/b" for ("a", "b"); "b" for ("", "b").
std::string JoinPath(std::string_view directory, std::string_view name);
// "a" for "a/b", "/" for "/b", "." for "b".
std::string DirectoryOf(std::string_view path);
// "b" for "a/b".
std::string BaseName(std::string_view path);

// Between a file's name and whatever makes the name of its temporary unique: "model.txt.tmp-4711-3".
inline constexpr std::string_view kTemporaryInfix = ".tmp-";

// Makes `path` hold what `write` appends, or leaves it as it was: writes a temporary in the same directory, syncs it,
// renames it, syncs the directory. Whatever fails, `write` included, is rethrown after the temporary has been removed.
// Only when the last step fails is the new content in place already, and then it may not survive a loss of power.
void AtomicWriteFile(FileSystem& file_system, const std::string& path, const std::function<void(WritableFile&)>& write);

}  // namespace replicator
