#include "base/file_system.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <system_error>

#include "base/logging.h"

namespace replicator {
namespace {

ErrorCode CodeOf(int error_number) {
  switch (error_number) {
    case ENOENT:
      return ErrorCode::kNotFound;
    case EACCES:
    case EPERM:
    case EROFS:
      return ErrorCode::kPermissionDenied;
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
    case EMFILE:
    case ENFILE:
    case ENOMEM:
      return ErrorCode::kResourceExhausted;
    case EEXIST:
      return ErrorCode::kAlreadyExists;
    case ENOTDIR:
    case EISDIR:
    case ENAMETOOLONG:
    case EINVAL:
      return ErrorCode::kInvalidArgument;
    case EIO:
      return ErrorCode::kDataLoss;
    default:
      return ErrorCode::kUnknown;
  }
}

}  // namespace

Error FileError(std::string_view action, std::string_view path, int error_number) {
  return {CodeOf(error_number), "cannot " + std::string(action) + " '" + std::string(path) +
                                    "': " + std::generic_category().message(error_number)};
}

std::string FileSystem::ReadFile(const std::string& path) {
  const auto file = OpenForReading(path);
  std::string content(file->size(), '\0');
  file->Read(0, std::as_writable_bytes(std::span(content)));
  return content;
}

std::string JoinPath(std::string_view directory, std::string_view name) {
  std::string path(directory);
  if (!path.empty() && path.back() != '/') path += '/';
  return path += name;
}

std::string DirectoryOf(std::string_view path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return ".";
  return std::string(path.substr(0, slash == 0 ? 1 : slash));
}

std::string BaseName(std::string_view path) {
  return std::string(path.substr(path.rfind('/') + 1));  // npos + 1 is 0
}

void AtomicWriteFile(FileSystem& file_system, const std::string& path,
                     const std::function<void(WritableFile&)>& write) {
  static std::atomic<uint64_t> count{0};
  const std::string temporary =
      path + std::string(kTemporaryInfix) + std::to_string(::getpid()) + "-" + std::to_string(count++);
  try {
    const auto file = file_system.OpenForWriting(temporary);
    write(*file);
    file->Sync();
    file->Close();
    file_system.Rename(temporary, path);
  } catch (...) {
    try {
      if (file_system.Exists(temporary)) file_system.Remove(temporary);
    } catch (const Error& error) {
      LogWarning("a temporary file stays behind: " + error.message());
    }
    throw;
  }
  file_system.SyncDirectory(DirectoryOf(path));
}

}  // namespace replicator
