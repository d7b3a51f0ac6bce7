// A file system in memory for tests: it makes chosen operations fail, dies at a chosen operation, fills up, and forgets
// after a loss of power what was not synced.
#pragma once

#include <cerrno>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/file_system.h"

namespace replicator {

class FaultFileSystem final : public FileSystem {
 public:
  // The operations that count, since each changes something: opening for writing, appending, syncing, closing,
  // renaming, removing, syncing a directory. Operation numbers start at 0.
  int operations() const { return operations_; }

  // Operation `index` (from now) fails with `error_number`; an append first writes half of its bytes. Later operations
  // work.
  void FailOperation(int index, int error_number) { Arm(index, error_number, /*dies=*/false); }
  // The process is killed at operation `index` (from now): it and all later ones fail with EIO, until Restart.
  void KillAtOperation(int index) { Arm(index, EIO, /*dies=*/true); }
  // Every operation named `kind` fails with `error_number`: "open", "append", "sync", "close", "rename", "remove",
  // "sync directory". 0 ends it.
  void FailAll(const std::string& kind, int error_number) { fail_kind_[kind] = error_number; }
  // Appends beyond `bytes` in total fail with ENOSPC after writing what still fits.
  void SetCapacity(uint64_t bytes) { capacity_ = bytes; }
  // A new process on the same machine: nothing written is lost, locks are free.
  void Restart() {
    fail_index_ = -1;
    locks_.clear();
  }

  enum class Names { kSyncedOnly, kAll };
  // A loss of power: files keep only the content that was synced. With kSyncedOnly names changed since the last sync of
  // their directory are lost too; with kAll they survive, which a real file system may also do.
  void LosePower(Names names) {
    if (names == Names::kSyncedOnly) files_ = synced_files_;
    for (auto& [path, file] : files_) file->content = file->synced;
    synced_files_ = files_;
    Restart();
  }

  std::unique_ptr<ReadableFile> OpenForReading(const std::string& path) override {
    return std::make_unique<Reader>(Get("read", path)->content, path);
  }
  std::unique_ptr<WritableFile> OpenForWriting(const std::string& path) override {
    Count("open", "write", path);
    auto& file = files_[path];
    if (file == nullptr) file = std::make_shared<File>();
    file->content.clear();
    return std::make_unique<Writer>(*this, path, file);
  }
  void Rename(const std::string& from, const std::string& to) override {
    Count("rename", "rename", from);
    files_[to] = Get("rename", from);
    files_.erase(from);
  }
  void Remove(const std::string& path) override {
    Count("remove", "remove", path);
    Get("remove", path);
    files_.erase(path);
  }
  std::vector<std::string> List(const std::string& directory) override {
    std::vector<std::string> names;
    for (const auto& [path, file] : files_) {
      if (DirectoryOf(path) == directory) names.push_back(BaseName(path));
    }
    return names;
  }
  void CreateDirectories(const std::string&) override {}
  bool Exists(const std::string& path) override { return files_.count(path) != 0; }
  uint64_t FileSize(const std::string& path) override { return Get("examine", path)->content.size(); }
  void SyncDirectory(const std::string& directory) override {
    Count("sync directory", "sync the directory", directory);
    for (const auto* names : {&synced_files_, &files_}) {
      std::vector<std::string> paths;
      for (const auto& [path, file] : *names) {
        if (DirectoryOf(path) == directory) paths.push_back(path);
      }
      for (const auto& path : paths) {
        if (files_.count(path) != 0) {
          synced_files_[path] = files_[path];
        } else {
          synced_files_.erase(path);
        }
      }
    }
  }
  std::unique_ptr<FileLock> Lock(const std::string& path) override {
    auto& held = locks_[path];
    if (!held.expired()) throw Error(ErrorCode::kFailedPrecondition, "cannot lock '" + path + "': a test holds it");
    auto lock = std::make_unique<MemoryLock>();
    held = lock->alive;
    return lock;
  }

  // Direct access to a file's bytes, to corrupt them.
  std::string& content(const std::string& path) { return Get("edit", path)->content; }

 private:
  struct File {
    std::string content;
    std::string synced;
  };
  struct MemoryLock final : FileLock {
    std::shared_ptr<int> alive = std::make_shared<int>();
  };

  class Reader final : public ReadableFile {
   public:
    Reader(std::string content, std::string path) : content_(std::move(content)), path_(std::move(path)) {}
    uint64_t size() const override { return content_.size(); }
    void Read(uint64_t offset, std::span<std::byte> out) const override {
      if (offset + out.size() > content_.size()) throw Error(ErrorCode::kDataLoss, "'" + path_ + "' ends early");
      const auto bytes = std::as_bytes(std::span(content_)).subspan(offset, out.size());
      std::copy(bytes.begin(), bytes.end(), out.begin());
    }

   private:
    std::string content_, path_;
  };

  class Writer final : public WritableFile {
   public:
    Writer(FaultFileSystem& owner, std::string path, std::shared_ptr<File> file)
        : owner_(owner), path_(std::move(path)), file_(std::move(file)) {}

    using WritableFile::Append;
    void Append(std::span<const std::byte> bytes) override {
      const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      try {
        owner_.Count("append", "write", path_);
      } catch (const Error&) {
        file_->content += text.substr(0, text.size() / 2);
        throw;
      }
      uint64_t used = 0;
      for (const auto& [path, file] : owner_.files_) used += file->content.size();
      const uint64_t room = owner_.capacity_ - std::min(owner_.capacity_, used);
      file_->content += text.substr(0, room);
      if (text.size() > room) throw FileError("write", path_, ENOSPC);
    }
    void Sync() override {
      owner_.Count("sync", "sync", path_);
      file_->synced = file_->content;
    }
    void Close() override { owner_.Count("close", "close", path_); }

   private:
    FaultFileSystem& owner_;
    std::string path_;
    std::shared_ptr<File> file_;
  };

  void Arm(int index, int error_number, bool dies) {
    fail_index_ = operations_ + index;
    fail_error_ = error_number;
    dies_ = dies;
  }
  void Count(const std::string& kind, std::string_view action, const std::string& path) {
    const int operation = operations_++;
    if (const int error_number = fail_kind_[kind]; error_number != 0) throw FileError(action, path, error_number);
    if (fail_index_ < 0 || operation < fail_index_ || (operation > fail_index_ && !dies_)) return;
    throw FileError(action, path, fail_error_);
  }
  std::shared_ptr<File> Get(std::string_view action, const std::string& path) {
    const auto found = files_.find(path);
    if (found == files_.end()) throw FileError(action, path, ENOENT);
    return found->second;
  }

  std::map<std::string, std::shared_ptr<File>> files_;
  std::map<std::string, std::shared_ptr<File>> synced_files_;
  std::map<std::string, std::weak_ptr<int>> locks_;
  std::map<std::string, int> fail_kind_;
  uint64_t capacity_ = UINT64_MAX;
  int operations_ = 0;
  int fail_index_ = -1;
  int fail_error_ = 0;
  bool dies_ = false;
};

}  // namespace replicator
