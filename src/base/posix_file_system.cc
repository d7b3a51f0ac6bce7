// FileSystem::Default on POSIX.
#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/file_system.h"

namespace replicator {
namespace {

// Owns a file descriptor.
class Descriptor {
 public:
  Descriptor(const std::string& path, int flags, std::string_view action) : fd_(Open(path, flags)) {
    if (fd_ < 0) throw FileError(action, path, errno);
  }
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  int Release() { return std::exchange(fd_, -1); }

 private:
  static int Open(const std::string& path, int flags) {
    int fd;
    do fd = ::open(path.c_str(), flags | O_CLOEXEC, 0666);
    while (fd < 0 && errno == EINTR);
    return fd;
  }

  int fd_;
};

// One call never moves more than this: Linux itself stops at about 2 GiB.
constexpr size_t kLargestTransfer = size_t{1} << 30;

void WriteAll(int fd, std::span<const std::byte> bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), std::min(bytes.size(), kLargestTransfer));
    if (written >= 0) {
      bytes = bytes.subspan(static_cast<size_t>(written));
    } else if (errno != EINTR) {
      throw FileError("write", path, errno);
    }
  }
}

class PosixWritableFile final : public WritableFile {
 public:
  PosixWritableFile(std::string path, Descriptor fd) : path_(std::move(path)), fd_(std::move(fd)) {}

  void Append(std::span<const std::byte> bytes) override { WriteAll(fd_.get(), bytes, path_); }
  void Sync() override {
    if (::fsync(fd_.get()) != 0) throw FileError("sync", path_, errno);
  }
  void Close() override {
    if (::close(fd_.Release()) != 0 && errno != EINTR) throw FileError("close", path_, errno);
  }

 private:
  std::string path_;
  Descriptor fd_;
};

class PosixReadableFile final : public ReadableFile {
 public:
  PosixReadableFile(std::string path, Descriptor fd) : path_(std::move(path)), fd_(std::move(fd)) {
    struct stat status{};
    if (::fstat(fd_.get(), &status) != 0) throw FileError("read", path_, errno);
    if (S_ISDIR(status.st_mode)) throw FileError("read", path_, EISDIR);
    size_ = static_cast<uint64_t>(status.st_size);
  }

  uint64_t size() const override { return size_; }
  void Read(uint64_t offset, std::span<std::byte> out) const override {
    while (!out.empty()) {
      const size_t count = std::min(out.size(), kLargestTransfer);
      const ssize_t read = ::pread(fd_.get(), out.data(), count, static_cast<off_t>(offset));
      if (read > 0) {
        out = out.subspan(static_cast<size_t>(read));
        offset += static_cast<uint64_t>(read);
      } else if (read == 0) {
        throw Error(ErrorCode::kDataLoss, "cannot read '" + path_ + "': it ends at byte " + std::to_string(offset) +
                                              ", " + std::to_string(out.size()) + " bytes early");
      } else if (errno != EINTR) {
        throw FileError("read", path_, errno);
      }
    }
  }

 private:
  std::string path_;
  Descriptor fd_;
  uint64_t size_ = 0;
};

class PosixFileLock final : public FileLock {
 public:
  explicit PosixFileLock(Descriptor fd) : fd_(std::move(fd)) {}

 private:
  Descriptor fd_;  // closing it releases the lock
};

class PosixFileSystem final : public FileSystem {
 public:
  std::unique_ptr<ReadableFile> OpenForReading(const std::string& path) override {
    return std::make_unique<PosixReadableFile>(path, Descriptor(path, O_RDONLY, "read"));
  }

  std::unique_ptr<WritableFile> OpenForWriting(const std::string& path) override {
    return std::make_unique<PosixWritableFile>(path, Descriptor(path, O_WRONLY | O_CREAT | O_TRUNC, "write"));
  }

  void Rename(const std::string& from, const std::string& to) override {
    if (::rename(from.c_str(), to.c_str()) != 0) throw FileError("rename '" + from + "' to", to, errno);
  }

  void Remove(const std::string& path) override {
    if (::unlink(path.c_str()) != 0) throw FileError("remove", path, errno);
  }

  std::vector<std::string> List(const std::string& directory) override {
    std::unique_ptr<DIR, int (*)(DIR*)> stream(::opendir(directory.c_str()), &::closedir);
    if (stream == nullptr) throw FileError("list", directory, errno);
    std::vector<std::string> names;
    for (;;) {
      errno = 0;
      const dirent* entry = ::readdir(stream.get());
      if (entry == nullptr) break;
      std::string name = static_cast<const char*>(entry->d_name);
      if (name != "." && name != "..") names.push_back(std::move(name));
    }
    if (errno != 0) throw FileError("list", directory, errno);
    std::sort(names.begin(), names.end());
    return names;
  }

  void CreateDirectories(const std::string& directory) override {
    std::error_code error;
    std::filesystem::create_directories(directory, error);
    if (error) throw FileError("create the directory", directory, error.value());
    if (!std::filesystem::is_directory(directory, error)) throw FileError("create the directory", directory, ENOTDIR);
  }

  bool Exists(const std::string& path) override {
    struct stat status{};
    if (::stat(path.c_str(), &status) == 0) return true;
    if (errno == ENOENT || errno == ENOTDIR) return false;
    throw FileError("examine", path, errno);
  }

  uint64_t FileSize(const std::string& path) override {
    struct stat status{};
    if (::stat(path.c_str(), &status) != 0) throw FileError("examine", path, errno);
    return static_cast<uint64_t>(status.st_size);
  }

  void SyncDirectory(const std::string& directory) override {
    const Descriptor fd(directory, O_RDONLY | O_DIRECTORY, "sync the directory");
    // EINVAL: the file system does not sync directories, and there is nothing better to do.
    if (::fsync(fd.get()) != 0 && errno != EINVAL) throw FileError("sync the directory", directory, errno);
  }

  std::unique_ptr<FileLock> Lock(const std::string& path) override {
    Descriptor fd(path, O_RDWR | O_CREAT, "lock");
    if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK) throw FileError("lock", path, errno);
      std::string holder(32, '\0');
      const ssize_t length = ::pread(fd.get(), holder.data(), holder.size(), 0);
      holder.resize(length > 0 ? static_cast<size_t>(length) : 0);
      holder.erase(std::find(holder.begin(), holder.end(), '\n'), holder.end());
      if (holder == std::to_string(::getpid())) {
        holder = "this process (" + holder + ")";
      } else {
        holder = holder.empty() ? "another process" : "process " + holder;
      }
      throw Error(ErrorCode::kFailedPrecondition, "cannot lock '" + path + "': " + holder + " holds it");
    }
    if (::ftruncate(fd.get(), 0) != 0) throw FileError("lock", path, errno);
    const std::string owner = std::to_string(::getpid()) + "\n";
    WriteAll(fd.get(), std::as_bytes(std::span(owner)), path);
    return std::make_unique<PosixFileLock>(std::move(fd));
  }
};

}  // namespace

FileSystem& FileSystem::Default() {
  static FileSystem* const file_system =
      new PosixFileSystem;  // never destroyed: static objects may still write at exit
  return *file_system;
}

}  // namespace replicator
