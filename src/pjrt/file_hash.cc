#include "pjrt/file_hash.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cstring>

#include "replicator/base/error.h"

namespace replicator::pjrt {
namespace {

constexpr uint64_t kOdd1 = 0x9e3779b97f4a7c15u;
constexpr uint64_t kOdd2 = 0xc2b2ae3d27d4eb4fu;

uint64_t Mix(uint64_t state, uint64_t word) { return std::rotl((state ^ word) * kOdd1, 29) * kOdd2; }

// Four independent lanes, so that the multiplications overlap.
uint64_t Hash(const unsigned char* data, size_t size) {
  std::array<uint64_t, 4> lanes = {1, 2, 3, 4};
  size_t offset = 0;
  for (; offset + 32 <= size; offset += 32) {
    std::array<uint64_t, 4> words;
    std::memcpy(words.data(), data + offset, sizeof(words));
    for (size_t i = 0; i < 4; ++i) lanes[i] = Mix(lanes[i], words[i]);
  }
  std::array<uint64_t, 4> tail = {};
  if (offset < size) std::memcpy(tail.data(), data + offset, size - offset);
  uint64_t hash = size;
  for (size_t i = 0; i < 4; ++i) hash = Mix(Mix(hash, lanes[i]), tail[i]);
  return hash ^ (hash >> 32);
}

[[noreturn]] void ThrowUnreadable(const std::string& path) {
  throw Error(ErrorCode::kNotFound, "cannot read '" + path + "': " + std::strerror(errno));
}

}  // namespace

uint64_t HashFile(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) ThrowUnreadable(path);
  struct stat status{};
  if (fstat(file, &status) != 0) {
    close(file);
    ThrowUnreadable(path);
  }
  const auto size = static_cast<size_t>(status.st_size);
  void* data = size == 0 ? nullptr : mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (data == MAP_FAILED) ThrowUnreadable(path);
  const uint64_t hash = Hash(static_cast<const unsigned char*>(data), size);
  if (data != nullptr) munmap(data, size);
  return hash;
}

}  // namespace replicator::pjrt
