#include "runtime/executable_cache.h"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/hash.h"
#include "base/logging.h"
#include "replicator/base/error.h"

namespace replicator {
namespace {

// An entry: this line, the key, the hash and size of the rest, the rest.
constexpr std::string_view kMagic = "replicator executable 1\n";
constexpr size_t kKeySize = 32;
constexpr size_t kHeaderSize = kMagic.size() + kKeySize + 2 * sizeof(uint64_t);

void Append(std::string& bytes, uint64_t number) {
  char raw[sizeof(number)];
  std::memcpy(raw, &number, sizeof(number));
  bytes.append(raw, sizeof(number));
}

std::string Pack(const std::string& key, const std::string& payload) {
  std::string entry(kMagic);
  entry += key;
  Append(entry, HashString(payload));
  Append(entry, payload.size());
  return entry + payload;
}

// The payload; none, with the reason in `wrong`, where the entry is not whole or not for this key.
std::optional<std::string> Unpack(const std::string& entry, const std::string& key, std::string& wrong) {
  if (entry.size() < kHeaderSize || std::string_view(entry).substr(0, kMagic.size()) != kMagic) {
    wrong = "is not a compiled program of this version";
    return std::nullopt;
  }
  if (std::string_view(entry).substr(kMagic.size(), kKeySize) != key) {
    wrong = "holds another program";
    return std::nullopt;
  }
  uint64_t numbers[2];
  std::memcpy(numbers, entry.data() + kMagic.size() + kKeySize, sizeof(numbers));
  std::string payload = entry.substr(kHeaderSize);
  if (payload.size() != numbers[1]) {
    wrong = "is truncated";
    return std::nullopt;
  }
  if (HashString(payload) != numbers[0]) {
    wrong = "is corrupt";
    return std::nullopt;
  }
  return payload;
}

// What this processor can do, as far as a compiler asks.
std::string ProcessorFeatures() {
  std::ifstream file("/proc/cpuinfo");
  std::string features;
  for (std::string line; std::getline(file, line) && !line.empty();) {
    for (const char* field : {"model name", "flags", "Features", "CPU part"}) {
      if (line.starts_with(field)) features += line + "\n";
    }
  }
  return features;
}

std::string Environment(const pjrt::Client& client) {
  const char* flags = std::getenv("XLA_FLAGS");
  std::string environment = fmt::format("plugin {:016x} {} {}\n", client.plugin().ContentHash(), client.platform_name(),
                                        client.platform_version());
  for (const pjrt::Device& device : client.devices()) environment += device.description().kind + "\n";
  return environment + ProcessorFeatures() + (flags != nullptr ? flags : "");
}

}  // namespace

ExecutableCache::ExecutableCache(std::shared_ptr<pjrt::Client> client, std::string directory, FileSystem* file_system)
    : client_(std::move(client)),
      directory_(std::move(directory)),
      file_system_(file_system != nullptr ? *file_system : FileSystem::Default()) {}

std::shared_ptr<pjrt::Executable> ExecutableCache::Get(const std::string& mlir, const pjrt::CompileOptions& options) {
  const std::string key = Key(mlir, pjrt::Encode(options));
  auto& cached = in_memory_[key];
  if (cached != nullptr) {
    ++counts_.reused;
    return cached;
  }
  if (!directory_.empty()) {
    cached = Load(key, static_cast<size_t>(options.num_replicas) * static_cast<size_t>(options.num_partitions));
  }
  if (cached != nullptr) {
    ++counts_.loaded;
    return cached;
  }
  cached = client_->Compile(mlir, options);
  ++counts_.compiled;
  if (!directory_.empty() && writable_) Store(key, *cached);
  return cached;
}

std::string ExecutableCache::Key(const std::string& mlir, const std::string& options) {
  if (!directory_.empty() && environment_.empty()) environment_ = Environment(*client_);
  std::string key;
  for (uint64_t seed : {uint64_t{1}, uint64_t{2}}) {
    key += fmt::format("{:016x}", HashString(mlir, HashString(options, HashString(environment_, seed))));
  }
  return key;
}

std::shared_ptr<pjrt::Executable> ExecutableCache::Load(const std::string& key, size_t num_devices) {
  const std::string path = JoinPath(directory_, key + ".executable");
  std::string wrong;
  try {
    if (!file_system_.Exists(path)) return nullptr;
    if (const auto payload = Unpack(file_system_.ReadFile(path), key, wrong)) {
      std::shared_ptr<pjrt::Executable> executable = client_->Load(*payload);
      if (executable->devices().size() == num_devices) return executable;
      wrong = "is for another number of devices";
    }
  } catch (const Error& error) {
    wrong = "cannot be loaded: " + error.message();
  }
  LogWarning("the cached program " + path + " " + wrong + "; it is compiled again");
  return nullptr;
}

void ExecutableCache::Store(const std::string& key, const pjrt::Executable& executable) {
  try {
    const std::string entry = Pack(key, executable.unloaded().Serialize());
    file_system_.CreateDirectories(directory_);
    AtomicWriteFile(file_system_, JoinPath(directory_, key + ".executable"),
                    [&](WritableFile& file) { file.Append(std::string_view(entry)); });
  } catch (const Error& error) {
    writable_ = false;
    LogWarning("compiled programs cannot be kept in " + directory_ + ": " + error.message());
  }
}

}  // namespace replicator
