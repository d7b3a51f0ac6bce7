#include "platforms/platform.h"

#include <algorithm>
#include <array>

#include "pjrt/plugin_search.h"
#include "platforms/all.h"
#include "replicator/base/error.h"

namespace replicator::platforms {

std::span<const Platform* const> AllPlatforms() {
  static const std::array<const Platform*, 4> platforms = {&Cpu(), &Cuda(), &Rocm(), &Tpu()};
  return platforms;
}

const Platform& FindPlatform(std::string_view name) {
  std::string known;
  for (const Platform* platform : AllPlatforms()) {
    const auto& aliases = platform->aliases;
    if (platform->name == name || std::find(aliases.begin(), aliases.end(), name) != aliases.end()) return *platform;
    known += (known.empty() ? "" : ", ") + std::string(platform->name);
    for (std::string_view alias : aliases) known += " (or " + std::string(alias) + ")";
  }
  throw Error(ErrorCode::kInvalidArgument, "unknown platform '" + std::string(name) + "'; known are " + known);
}

const pjrt::Plugin& LoadPlugin(const Platform& platform, const std::string& path, Purpose purpose) {
  const std::string found = path.empty() ? pjrt::FindPlugin(platform.name, platform.plugin_files) : path;
  platform.prepare(purpose);
  return pjrt::Plugin::Load(found);
}

std::shared_ptr<pjrt::Client> CreateClient(const DeviceRequest& request) {
  const Platform& platform = FindPlatform(request.platform);
  if (request.num_devices < 1) {
    throw Error(ErrorCode::kInvalidArgument,
                std::to_string(request.num_devices) + " devices were asked for; at least 1 is needed");
  }
  const pjrt::Options options = platform.client_options(request);
  auto client = pjrt::Client::Create(LoadPlugin(platform, request.plugin_path), options);
  const auto available = client->devices().size();
  if (available < static_cast<size_t>(request.num_devices)) {
    throw Error(ErrorCode::kOutOfRange, std::to_string(request.num_devices) +
                                            " devices were asked for, but platform '" + std::string(platform.name) +
                                            "' has " + std::to_string(available));
  }
  return client;
}

pjrt::Topology CreateTopology(std::string_view platform, const std::string& name, const pjrt::Options& options,
                              const std::string& plugin_path) {
  return pjrt::Topology::Create(LoadPlugin(FindPlatform(platform), plugin_path, Purpose::kCompileOnly), name, options);
}

}  // namespace replicator::platforms
