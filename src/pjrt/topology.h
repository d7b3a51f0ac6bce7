// Devices that need not exist here, to compile for.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pjrt/compile_options.h"
#include "pjrt/device.h"
#include "pjrt/plugin.h"
#include "pjrt/unloaded_executable.h"

struct PJRT_TopologyDescription;

namespace replicator::pjrt {

// Movable; thread-safe.
class Topology {
 public:
  // `name` and `options` are the plugin's own: "v3:16x16" of a TPU; "" with {"topology", "1x1x8"} and {"target_config",
  // ...} of a GPU. Throws the plugin's Error.
  static Topology Create(const Plugin& plugin, const std::string& name, const Options& options = {});
  Topology(Topology&& other) noexcept : plugin_(other.plugin_), topology_(std::exchange(other.topology_, nullptr)) {}
  Topology& operator=(Topology&&) = delete;
  ~Topology();

  const Plugin& plugin() const { return plugin_; }
  std::string PlatformName() const;
  std::string PlatformVersion() const;
  std::vector<DeviceDescription> Devices() const;
  // "device_memory_bytes_limit", ...
  Options Attributes() const;
  // As Client::Compile, without a device. The result must not outlive the topology.
  UnloadedExecutable Compile(std::string_view mlir, const CompileOptions& options = {}) const;

 private:
  Topology(const Plugin& plugin, PJRT_TopologyDescription* topology) : plugin_(plugin), topology_(topology) {}

  const Plugin& plugin_;
  PJRT_TopologyDescription* topology_;
};

}  // namespace replicator::pjrt
