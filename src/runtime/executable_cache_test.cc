#include "runtime/executable_cache.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/testing/fault_file_system.h"
#include "platforms/platform.h"

namespace replicator {
namespace {

constexpr char kModule[] = R"(module @square { func.func public @main(%x: tensor<f32>) -> tensor<f32> {
  %y = stablehlo.multiply %x, %x : tensor<f32>
  return %y : tensor<f32>
} })";

class ExecutableCacheTest : public testing::Test {
 protected:
  // What a new process would do.
  struct Result {
    float value;
    ExecutableCache::Counts counts;
  };
  Result Square(float x, const std::string& module = kModule) {
    ExecutableCache cache(client_, "cache", &files_);
    const auto executable = cache.Get(module, {});
    pjrt::Buffer argument = client_->Put(Literal::Scalar(x), client_->devices()[0]);
    const pjrt::Launch launch = executable->Execute({{&argument}});
    return {launch.outputs[0][0].ToLiteral().Item<float>(), cache.counts()};
  }
  std::string EntryPath() {
    const auto names = files_.List("cache");
    EXPECT_EQ(names.size(), 1u);
    return JoinPath("cache", names.at(0));
  }
  void Overwrite(const std::string& content) {
    const auto file = files_.OpenForWriting(EntryPath());
    file->Append(std::string_view(content));
    file->Close();
  }

  FaultFileSystem files_;
  std::shared_ptr<pjrt::Client> client_ = platforms::CreateClient({});
};

TEST_F(ExecutableCacheTest, CompilesOnceAndLoadsThen) {
  EXPECT_EQ(Square(3).counts.compiled, 1);
  const Result second = Square(3);
  EXPECT_EQ(second.counts.compiled, 0);
  EXPECT_EQ(second.counts.loaded, 1);
  EXPECT_EQ(second.value, 9);
}

TEST_F(ExecutableCacheTest, ReusesInMemory) {
  ExecutableCache cache(client_, "", &files_);
  EXPECT_EQ(cache.Get(kModule, {}), cache.Get(kModule, {}));
  EXPECT_NE(cache.Get(kModule, {}), cache.Get(std::string(kModule) + " ", {}));
  EXPECT_EQ(cache.counts().compiled, 2);
  EXPECT_EQ(cache.counts().reused, 2);
  EXPECT_EQ(files_.operations(), 0);
}

TEST_F(ExecutableCacheTest, KeysDependOnTextOptionsAndEnvironment) {
  Square(3);
  ExecutableCache cache(client_, "cache", &files_);
  cache.Get(std::string(kModule) + "\n", {});
  cache.Get(kModule, {.overrides = {{"xla_dump_to", std::string()}}});
  EXPECT_EQ(cache.counts().compiled, 2);
  const char* before = std::getenv("XLA_FLAGS");
  setenv("XLA_FLAGS", "--xla_cpu_enable_fast_math=false", 1);
  EXPECT_EQ(Square(3).counts.compiled, 1);
  before != nullptr ? setenv("XLA_FLAGS", before, 1) : unsetenv("XLA_FLAGS");
  EXPECT_EQ(Square(3).counts.loaded, 1);
}

TEST_F(ExecutableCacheTest, CompilesAgainWhatCannotBeTrusted) {
  Square(3);
  const std::string good = files_.ReadFile(EntryPath());
  std::string flipped = good;
  flipped[good.size() / 2] = static_cast<char>(flipped[good.size() / 2] ^ 1);
  std::string other_key = good;
  other_key[30] = other_key[30] == '0' ? '1' : '0';
  for (const std::string& bad : {std::string(), std::string("rubbish"), good.substr(0, 20), good.substr(0, 60),
                                 good.substr(0, good.size() - 1), good + "x", flipped, other_key}) {
    Overwrite(bad);
    const Result again = Square(3);
    EXPECT_EQ(again.counts.compiled, 1) << bad.size();
    EXPECT_EQ(again.value, 9);
    EXPECT_EQ(Square(3).counts.loaded, 1) << "not overwritten";
  }
}

TEST_F(ExecutableCacheTest, AFailingFileSystemOnlyCostsTime) {
  for (const char* kind : {"open", "append", "sync", "close", "rename"}) {
    files_.FailAll(kind, ENOSPC);
    EXPECT_EQ(Square(4).value, 16) << kind;
    files_.FailAll(kind, 0);
  }
  EXPECT_EQ(Square(4).counts.compiled, 1);
  EXPECT_EQ(Square(4).counts.loaded, 1);
}

TEST_F(ExecutableCacheTest, AWrongModuleIsTheCompilersError) {
  ExecutableCache cache(client_, "cache", &files_);
  EXPECT_THROW(cache.Get("module {", {}), Error);
  EXPECT_THROW(cache.Get("module {", {}), Error);
}

}  // namespace
}  // namespace replicator
