// For tests only: the plugins against which everything is tested, and small programs.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "pjrt/client.h"
#include "pjrt/executable.h"
#include "pjrt/plugin_search.h"

namespace replicator::pjrt {

struct TestPlugin {
  std::string name;
  std::string file;  // below the plugin directory
};

// The default plugin (PJRT API 0.81) and one with a newer API (0.115).
inline std::vector<TestPlugin> TestPlugins() {
  return {{"c1", "xla_cpu_pjrt/xla_cpu_pjrt.so"}, {"c2", "lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so"}};
}

inline std::string PathOf(const TestPlugin& plugin) { return PluginDirectories().back() + "/" + plugin.file; }

// A test that runs once with each plugin.
class PluginTest : public testing::TestWithParam<TestPlugin> {
 protected:
  const Plugin& plugin() const { return Plugin::Load(PathOf(GetParam())); }
  std::shared_ptr<Client> MakeClient(int num_devices = 1) const {
    return Client::Create(plugin(), {{"cpu_device_count", int64_t{num_devices}}});
  }
};

inline std::string NameOf(const testing::TestParamInfo<TestPlugin>& tested) { return tested.param.name; }

#define REPLICATOR_WITH_EACH_PLUGIN(suite) \
  INSTANTIATE_TEST_SUITE_P(Plugins, suite, testing::ValuesIn(TestPlugins()), NameOf)

// x + y, of one shape such as "3xf32" ("f32" for scalars). `donate`: x may be donated to the result.
inline std::string AddModule(const std::string& type, bool donate = false) {
  const std::string t = "tensor<" + type + ">";
  return "module @add { func.func public @main(%x: " + t + (donate ? " {tf.aliasing_output = 0 : i32}" : "") +
         ", %y: " + t + ") -> " + t + " {\n  %z = stablehlo.add %x, %y : " + t + "\n  return %z : " + t + "\n} }";
}

// The sum of x over all replicas.
inline std::string AllReduceModule(const std::string& type, int num_replicas) {
  const std::string t = "tensor<" + type + ">";
  std::string group;
  for (int i = 0; i < num_replicas; ++i) group += (i == 0 ? "" : ", ") + std::to_string(i);
  return "module @all_reduce attributes {mhlo.num_replicas = " + std::to_string(num_replicas) +
         " : i32} { func.func public @main(%x: " + t + ") -> " + t +
         " {\n  %z = \"stablehlo.all_reduce\"(%x) ({\n  ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
         "    %s = stablehlo.add %a, %b : tensor<f32>\n    stablehlo.return %s : tensor<f32>\n  }) {replica_groups = "
         "dense<[[" +
         group + "]]> : tensor<1x" + std::to_string(num_replicas) + "xi64>} : (" + t + ") -> " + t +
         "\n  return %z : " + t + "\n} }";
}

}  // namespace replicator::pjrt
