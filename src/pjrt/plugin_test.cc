#include "pjrt/plugin.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "pjrt/file_hash.h"
#include "pjrt/testing.h"
#include "replicator/base/error.h"

namespace replicator::pjrt {
namespace {

using testing::HasSubstr;

// The code and sentence of the Error that `call` throws.
template <typename Call>
std::pair<ErrorCode, std::string> ErrorOf(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return {error.code(), error.message()};
  }
  ADD_FAILURE() << "no Error was thrown";
  return {};
}

class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& content)
      : path_(testing::TempDir() + "replicator_plugin_test_" + std::to_string(getpid()) + ".so") {
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// The library that this very program has loaded, from the list of its mappings.
std::string PathOfLoaded(const std::string& part) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.find(part) != std::string::npos) return line.substr(line.find('/'));
  }
  ADD_FAILURE() << "no library " << part << " is loaded";
  return {};
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

class LoadTest : public PluginTest {};
REPLICATOR_WITH_EACH_PLUGIN(LoadTest);

TEST_P(LoadTest, SameFileGivesSamePlugin) {
  const std::string path = PathOf(GetParam());
  const Plugin& first = Plugin::Load(path);
  const auto [directory, name] =
      std::pair(std::filesystem::path(path).parent_path(), std::filesystem::path(path).filename());
  EXPECT_EQ(&first, &Plugin::Load((directory / "." / name).string()));
  EXPECT_EQ(first.api_major_version(), 0);
  EXPECT_EQ(first.api_minor_version(), GetParam().name == "c1" ? 81 : 115);
  EXPECT_EQ(first.attributes().count("stablehlo_current_version"), 1u);
  EXPECT_TRUE(std::filesystem::path(first.path()).is_absolute());
}

TEST_P(LoadTest, ContentHashIsThatOfTheFile) {
  EXPECT_EQ(plugin().ContentHash(), HashFile(PathOf(GetParam())));
  EXPECT_EQ(plugin().ContentHash(), plugin().ContentHash());
}

TEST(PluginLoad, MissingFile) {
  const auto [code, message] = ErrorOf([] { Plugin::Load("/nowhere/plugin.so"); });
  EXPECT_EQ(code, ErrorCode::kNotFound);
  EXPECT_THAT(message, HasSubstr("/nowhere/plugin.so"));
}

TEST(PluginLoad, Directory) {
  EXPECT_EQ(ErrorOf([] { Plugin::Load("/tmp"); }).first, ErrorCode::kInvalidArgument);
}

TEST(PluginLoad, NotALibrary) {
  for (const std::string& content : {std::string(), std::string("#!/bin/sh\n"), std::string(1000, '\x7f')}) {
    const TemporaryFile file(content);
    const auto [code, message] = ErrorOf([&] { Plugin::Load(file.path()); });
    EXPECT_EQ(code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(message, HasSubstr("is not a shared library"));
  }
}

TEST(PluginLoad, OtherArchitecture) {
  std::string library = ReadFile(PathOfLoaded("/libm.so.6"));
  library[18] = static_cast<char>(0xf3);  // e_machine: RISC-V
  const TemporaryFile file(library);
  const auto [code, message] = ErrorOf([&] { Plugin::Load(file.path()); });
  EXPECT_EQ(code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(message, HasSubstr("ELF machine 243"));
}

TEST(PluginLoad, TruncatedLibrary) {
  const std::string library = ReadFile(PathOfLoaded("/libm.so.6"));
  for (const size_t size : {size_t{64}, size_t{100}, size_t{5000}, library.size() / 2}) {
    const TemporaryFile file(library.substr(0, size));
    const auto [code, message] = ErrorOf([&] { Plugin::Load(file.path()); });
    EXPECT_EQ(code, ErrorCode::kDataLoss);
    EXPECT_THAT(message, HasSubstr("truncated: it has " + std::to_string(size)));
  }
}

TEST(PluginLoad, LibraryThatIsNotAPlugin) {
  const auto [code, message] = ErrorOf([] { Plugin::Load(PathOfLoaded("/libc.so.6")); });
  EXPECT_EQ(code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(message, HasSubstr("does not export GetPjrtApi"));
}

TEST(PluginLoad, ApiVersion) {
  EXPECT_NO_THROW(CheckApiVersion(0, 54, "p.so"));
  EXPECT_NO_THROW(CheckApiVersion(0, 1000, "p.so"));
  const auto [code, message] = ErrorOf([] { CheckApiVersion(0, 53, "p.so"); });
  EXPECT_EQ(code, ErrorCode::kFailedPrecondition);
  EXPECT_THAT(message, HasSubstr("0.53, but 0.54 or later"));
  EXPECT_EQ(ErrorOf([] { CheckApiVersion(1, 60, "p.so"); }).first, ErrorCode::kFailedPrecondition);
}

TEST(HashFileTest, DependsOnEveryByteAndTheLength) {
  std::vector<uint64_t> hashes;
  std::string content(100, 'a');
  for (size_t i = 0; i <= content.size(); ++i) {
    std::string changed = content;
    if (i < content.size()) changed[i] = 'b';
    const TemporaryFile file(changed);
    hashes.push_back(HashFile(file.path()));
  }
  for (const std::string& other : {std::string(), std::string(1, '\0'), std::string(2, '\0'), std::string(32, '\0'),
                                   std::string(64, '\0'), content + std::string(1, '\0')}) {
    const TemporaryFile file(other);
    hashes.push_back(HashFile(file.path()));
  }
  std::sort(hashes.begin(), hashes.end());
  EXPECT_EQ(std::adjacent_find(hashes.begin(), hashes.end()), hashes.end());
}

TEST(PluginSearch, ParsesPaths) {
  EXPECT_TRUE(ParsePluginPaths("").empty());
  EXPECT_TRUE(ParsePluginPaths(" , ").empty());
  const std::map<std::string, std::string> expected = {{"cpu", "/a/b.so"}, {"gpu", "/c:d.so"}};
  EXPECT_EQ(ParsePluginPaths("cpu:/a/b.so, gpu:/c:d.so"), expected);
  EXPECT_EQ(ParsePluginPaths("gpu : /c:d.so,cpu:/a/b.so,"), expected);
  for (const char* wrong : {"cpu", "cpu:", ":/a.so", "cpu:/a.so,gpu", "cpu:/a.so,cpu:/b.so"}) {
    EXPECT_EQ(ErrorOf([&] { ParsePluginPaths(wrong); }).first, ErrorCode::kInvalidArgument) << wrong;
  }
}

TEST(PluginSearch, EnvironmentBeforeInstalled) {
  const std::vector<std::string> files = {"no/such.so", TestPlugins()[0].file};
  unsetenv("PJRT_NAMES_AND_LIBRARY_PATHS");
  EXPECT_EQ(FindPlugin("cpu", files), PathOf(TestPlugins()[0]));
  setenv("PJRT_NAMES_AND_LIBRARY_PATHS", "other:/x.so,cpu:/y.so", 1);
  EXPECT_EQ(FindPlugin("cpu", files), "/y.so");
  EXPECT_EQ(FindPlugin("third", files), PathOf(TestPlugins()[0]));
  const auto [code, message] = ErrorOf([] { FindPlugin("third", {"no/such.so"}); });
  unsetenv("PJRT_NAMES_AND_LIBRARY_PATHS");
  EXPECT_EQ(code, ErrorCode::kNotFound);
  EXPECT_THAT(message, HasSubstr("other:/x.so,cpu:/y.so"));
  for (const std::string& directory : PluginDirectories()) EXPECT_THAT(message, HasSubstr(directory + "/no/such.so"));
}

}  // namespace
}  // namespace replicator::pjrt
