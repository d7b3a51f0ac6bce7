#include "platforms/platform.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <functional>

#include "pjrt/testing.h"
#include "platforms/all.h"
#include "replicator/base/error.h"

namespace replicator::platforms {
namespace {

using testing::HasSubstr;

std::pair<ErrorCode, std::string> ErrorOf(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return {error.code(), error.message()};
  }
  ADD_FAILURE() << "no Error was thrown";
  return {};
}

TEST(Platforms, AreFoundByNameAndAlias) {
  EXPECT_EQ(FindPlatform("cpu").name, "cpu");
  EXPECT_EQ(FindPlatform("cuda").name, "cuda");
  EXPECT_EQ(FindPlatform("gpu").name, "cuda");
  EXPECT_EQ(FindPlatform("rocm").name, "rocm");
  EXPECT_EQ(FindPlatform("tpu").name, "tpu");
  for (const char* unknown : {"", "CPU", "cp", "metal"}) {
    const auto [code, message] = ErrorOf([&] { FindPlatform(unknown); });
    EXPECT_EQ(code, ErrorCode::kInvalidArgument);
    for (const Platform* platform : AllPlatforms()) EXPECT_THAT(message, HasSubstr(std::string(platform->name)));
  }
}

TEST(Platforms, CpuMakesAsManyDevicesAsAskedFor) {
  for (const pjrt::TestPlugin& plugin : pjrt::TestPlugins()) {
    for (int count : {1, 3, 8}) {
      const auto client = CreateClient({.plugin_path = PathOf(plugin), .num_devices = count});
      EXPECT_EQ(client->devices().size(), static_cast<size_t>(count));
      EXPECT_EQ(client->platform_name(), "cpu");
      EXPECT_EQ(client->plugin().path(), pjrt::Plugin::Load(PathOf(plugin)).path());
    }
  }
}

TEST(Platforms, CpuIsTheDefaultAndItsPluginIsFound) {
  unsetenv("PJRT_NAMES_AND_LIBRARY_PATHS");
  const auto client = CreateClient({});
  EXPECT_EQ(client->devices().size(), 1u);
  EXPECT_EQ(client->plugin().api_minor_version(), 81);
}

TEST(Platforms, WrongRequests) {
  EXPECT_EQ(ErrorOf([] { CreateClient({.platform = "abacus"}); }).first, ErrorCode::kInvalidArgument);
  EXPECT_EQ(ErrorOf([] { CreateClient({.num_devices = 0}); }).first, ErrorCode::kInvalidArgument);
  EXPECT_EQ(ErrorOf([] { CreateClient({.num_devices = -4}); }).first, ErrorCode::kInvalidArgument);
  EXPECT_EQ(ErrorOf([] { CreateClient({.plugin_path = "/nowhere.so"}); }).first, ErrorCode::kNotFound);
  for (const double fraction : {0.0, -0.5, 1.5}) {
    EXPECT_EQ(ErrorOf([&] { CreateClient({.platform = "gpu", .memory_fraction = fraction}); }).first,
              ErrorCode::kInvalidArgument);
  }
}

TEST(Platforms, MoreDevicesThanThereAre) {
  // A TPU request takes the devices as they are: given a CPU plugin, which then has one, it wants more.
  const auto [code, message] = ErrorOf(
      [] { CreateClient({.platform = "tpu", .plugin_path = PathOf(pjrt::TestPlugins()[0]), .num_devices = 4096}); });
  EXPECT_EQ(code, ErrorCode::kOutOfRange);
  EXPECT_THAT(message, HasSubstr("4096 devices were asked for, but platform 'tpu' has"));
}

TEST(Platforms, MissingPluginSaysWhereItWasLookedFor) {
  setenv("PJRT_NAMES_AND_LIBRARY_PATHS", "rocm:/nowhere/rocm.so", 1);
  const auto [code, message] = ErrorOf([] { CreateClient({.platform = "rocm"}); });
  unsetenv("PJRT_NAMES_AND_LIBRARY_PATHS");
  EXPECT_EQ(code, ErrorCode::kNotFound);
  EXPECT_THAT(message, HasSubstr("/nowhere/rocm.so"));
}

TEST(Platforms, GpuOptions) {
  const pjrt::Options plain = Cuda().client_options({.platform = "cuda", .num_devices = 2});
  EXPECT_EQ(plain, (pjrt::Options{{"platform_name", "CUDA"}, {"visible_devices", std::vector<int64_t>{0, 1}}}));
  const pjrt::Options all = Rocm().client_options({.platform = "rocm", .memory_fraction = 0.5, .preallocate = false});
  EXPECT_EQ(all, (pjrt::Options{{"platform_name", "ROCM"},
                                {"visible_devices", std::vector<int64_t>{0}},
                                {"memory_fraction", 0.5},
                                {"preallocate", false}}));
}

TEST(Platforms, TpuEnvironmentIsSetForCompilingOnlyAndNotOverridden) {
  for (const char* name : {"TPU_SKIP_MDS_QUERY", "TPU_ACCELERATOR_TYPE", "TPU_WORKER_HOSTNAMES"}) unsetenv(name);
  Tpu().prepare(Purpose::kRun);
  EXPECT_EQ(std::getenv("TPU_SKIP_MDS_QUERY"), nullptr);
  setenv("TPU_ACCELERATOR_TYPE", "v4-8", 1);
  Tpu().prepare(Purpose::kCompileOnly);
  EXPECT_STREQ(std::getenv("TPU_SKIP_MDS_QUERY"), "1");
  EXPECT_STREQ(std::getenv("TPU_WORKER_HOSTNAMES"), "localhost");
  EXPECT_STREQ(std::getenv("TPU_ACCELERATOR_TYPE"), "v4-8");
}

}  // namespace
}  // namespace replicator::platforms
