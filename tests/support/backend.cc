#include "support/backend.h"

#include <map>
#include <memory>

#include "pjrt/client.h"
#include "pjrt/executable.h"
#include "pjrt/plugin_search.h"
#include "platforms/platform.h"
#include "replicator/base/error.h"

namespace replicator::testing {
namespace {

constexpr int kDevices = 8;

class PluginBackend : public Backend {
 public:
  PluginBackend(std::string name, const std::string& file)
      : name_(std::move(name)),
        client_(pjrt::Client::Create(pjrt::Plugin::Load(pjrt::PluginDirectories().back() + "/" + file),
                                     {{"cpu_device_count", int64_t{kDevices}}})) {}

  std::string name() const override { return name_; }
  LoweringTarget target() const override { return LoweringTarget::kCpu; }
  int max_replicas() const override { return kDevices; }

  PerReplica Run(const std::string& mlir, const PerReplica& arguments) override {
    const auto executable = client_->Compile(mlir, {.num_replicas = static_cast<int>(arguments.size()),
                                                    .overrides = platforms::FindPlatform("cpu").compile_overrides});
    std::vector<std::vector<pjrt::Buffer>> buffers(arguments.size());
    std::vector<std::vector<pjrt::Buffer*>> pointers(arguments.size());
    for (size_t r = 0; r < arguments.size(); ++r) {
      buffers[r].reserve(arguments[r].size());
      for (const Literal& argument : arguments[r]) {
        buffers[r].push_back(client_->Put(argument, *executable->devices()[r]));
        pointers[r].push_back(&buffers[r].back());
      }
    }
    pjrt::Launch launch = executable->Execute(pointers);
    launch.Await();
    PerReplica results(arguments.size());
    for (size_t r = 0; r < arguments.size(); ++r) {
      for (const pjrt::Buffer& output : launch.outputs[r]) results[r].push_back(output.ToLiteral());
    }
    return results;
  }

 private:
  std::string name_;
  std::shared_ptr<pjrt::Client> client_;
};

const std::map<std::string, std::string>& Files() {
  static const std::map<std::string, std::string> files = {{"c1", "xla_cpu_pjrt/xla_cpu_pjrt.so"},
                                                           {"c2", "lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so"}};
  return files;
}

}  // namespace

Backend& CpuBackend(const std::string& name) {
  static auto* const backends = new std::map<std::string, std::unique_ptr<PluginBackend>>;
  std::unique_ptr<PluginBackend>& backend = (*backends)[name];
  if (backend == nullptr) backend = std::make_unique<PluginBackend>(name, Files().at(name));
  return *backend;
}

std::vector<std::string> CpuBackendNames() {
  std::vector<std::string> names;
  for (const auto& [name, file] : Files()) names.push_back(name);
  return names;
}

}  // namespace replicator::testing
