// The kinds of hardware the library runs on: how each is found, configured and named. One file per platform.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pjrt/client.h"
#include "pjrt/options.h"
#include "pjrt/topology.h"

namespace replicator::platforms {

// What a program asks of a platform.
struct DeviceRequest {
  std::string platform = "cpu";  // a name or alias of AllPlatforms()
  // A plugin file to use instead of the one that is found (see pjrt::FindPlugin).
  std::string plugin_path = {};
  // At least 1. On CPU, that many devices are made; elsewhere the first so many of the machine's.
  int num_devices = 1;
  // GPU only: the share of device memory that the plugin may take, in (0, 1], and whether it takes it at once. The
  // plugin's own defaults are 0.75 and true.
  std::optional<double> memory_fraction = {};
  std::optional<bool> preallocate = {};
};

// What a plugin is loaded for: some must be told before.
enum class Purpose { kRun, kCompileOnly };

struct Platform {
  std::string_view name;
  std::vector<std::string_view> aliases;
  // The files that hold its plugin, below a plugin directory, best first.
  std::vector<std::string> plugin_files;
  // The rules by which programs for it are lowered (see src/lower).
  std::string_view legalisation;
  // Whether a loop in a program is as fast as the host starting its iterations one by one.
  bool fast_loops;
  // XLA options with which its programs are compiled.
  pjrt::Options compile_overrides;
  // Sets the environment that the plugin wants. Runs before the plugin is loaded; never overrides what the user has
  // set.
  void (*prepare)(Purpose purpose);
  // What Client::Create gets.
  pjrt::Options (*client_options)(const DeviceRequest& request);
};

// cpu, cuda, rocm, tpu.
std::span<const Platform* const> AllPlatforms();

// By name or alias. Throws Error(kInvalidArgument), listing the known names.
const Platform& FindPlatform(std::string_view name);

// The plugin at `path`, or, where that is empty, the one that pjrt::FindPlugin finds under the platform's name. Throws
// the errors of pjrt::FindPlugin and pjrt::Plugin::Load.
const pjrt::Plugin& LoadPlugin(const Platform& platform, const std::string& path, Purpose purpose = Purpose::kRun);

// A client with at least `request.num_devices` devices; use the first of them. Throws Error: kInvalidArgument for a
// wrong request, kNotFound for a missing plugin, kOutOfRange when there are fewer devices, and the plugin's own errors.
std::shared_ptr<pjrt::Client> CreateClient(const DeviceRequest& request);

// A topology to compile for, on a machine that need not have such devices: `name` and `options` as
// pjrt::Topology::Create. After this, a process should not ask for a TPU client: its plugin was told that there is no
// TPU.
pjrt::Topology CreateTopology(std::string_view platform, const std::string& name, const pjrt::Options& options = {},
                              const std::string& plugin_path = {});

}  // namespace replicator::platforms
