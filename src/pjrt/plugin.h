// A PJRT plugin: a shared library that compiles and runs programs on one kind of device.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>

#include "pjrt/options.h"

struct PJRT_Api;

namespace replicator::pjrt {

// Lives until the process ends and is never unloaded; thread-safe.
class Plugin {
 public:
  // Loads and initialises the plugin, or returns the one already loaded from the same file. Quietens the plugin's log
  // (TF_CPP_MIN_LOG_LEVEL=1) unless the environment sets a level. Throws Error:
  //   kNotFound            no such file, or a library it needs is missing
  //   kInvalidArgument     not a shared library for this machine, or not a PJRT plugin
  //   kDataLoss            a truncated file
  //   kFailedPrecondition  its PJRT API is older than 0.54, or of another major version
  // and whatever error the plugin's own initialisation gives.
  static const Plugin& Load(const std::string& path);

  Plugin(const Plugin&) = delete;
  Plugin& operator=(const Plugin&) = delete;

  // Absolute, links resolved.
  const std::string& path() const { return path_; }
  int api_major_version() const;
  int api_minor_version() const;
  // "xla_version", "stablehlo_current_version", ...
  const Options& attributes() const { return attributes_; }
  // Of the file's content, for the key of a cache of executables. Computed at the first call (some 50 ms).
  uint64_t ContentHash() const;

  // For this room, extensions, and measurements against the bare C API.
  const PJRT_Api* api() const { return api_; }

 private:
  Plugin(std::string path, const PJRT_Api* api);

  const std::string path_;
  const PJRT_Api* const api_;
  Options attributes_;
  mutable std::once_flag hash_once_;
  mutable uint64_t hash_ = 0;
};

// Throws Error(kFailedPrecondition) unless the library can work with a plugin of this API version.
void CheckApiVersion(int major, int minor, const std::string& path);

}  // namespace replicator::pjrt
