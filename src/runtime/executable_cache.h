// Compiled programs, kept in memory and, where there is a directory, between processes.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>

#include "base/file_system.h"
#include "pjrt/client.h"
#include "pjrt/compile_options.h"
#include "pjrt/executable.h"

namespace replicator {

// An entry is the file "<key>.executable", whose key is a hash of everything that decides what compiling gives: the
// module's text, the options, the plugin's content, the devices, the processor's features and XLA_FLAGS. An entry that
// is missing, truncated, corrupt or of another key is compiled anew (with a warning, unless it is missing) and
// overwritten. A directory that cannot be written is one warning. Nothing is ever removed. Not thread-safe; several
// processes may share a directory.
class ExecutableCache {
 public:
  struct Counts {
    int compiled = 0;
    int loaded = 0;  // from the directory
    int reused = 0;  // from memory
  };

  // An empty `directory`: in memory only. A null `file_system` is the operating system's.
  ExecutableCache(std::shared_ptr<pjrt::Client> client, std::string directory, FileSystem* file_system = nullptr);

  // Throws as pjrt::Client::Compile.
  std::shared_ptr<pjrt::Executable> Get(const std::string& mlir, const pjrt::CompileOptions& options);
  const Counts& counts() const { return counts_; }

 private:
  std::string Key(const std::string& mlir, const std::string& options);
  std::shared_ptr<pjrt::Executable> Load(const std::string& key, size_t num_devices);
  void Store(const std::string& key, const pjrt::Executable& executable);

  const std::shared_ptr<pjrt::Client> client_;
  const std::string directory_;
  FileSystem& file_system_;
  std::string environment_;  // of the key; found when first needed
  bool writable_ = true;
  Counts counts_;
  std::unordered_map<std::string, std::shared_ptr<pjrt::Executable>> in_memory_;  // by key
};

}  // namespace replicator
