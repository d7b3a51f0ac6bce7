#include "pjrt/compile_options.h"

#include <gmock/gmock.h>

#include "pjrt/testing.h"
#include "replicator/base/error.h"

namespace replicator::pjrt {
namespace {

std::string Bytes(std::initializer_list<int> values) {
  std::string bytes;
  for (int value : values) bytes.push_back(static_cast<char>(value));
  return bytes;
}

// Field 1 of the build options: device_ordinal = -1, ten bytes of two's complement.
const std::string kOrdinal = Bytes({0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01});

TEST(CompileOptions, Defaults) { EXPECT_EQ(Encode({}), Bytes({0x1a, 15}) + kOrdinal + Bytes({0x20, 1, 0x28, 1})); }

TEST(CompileOptions, ReplicasAndAssignment) {
  // 300 = 0xac 0x02 as a varint; the assignment is transposed: one list per partition.
  const std::string ids = Bytes({0x08, 2, 0x10, 2, 0x1a, 5, 0x0a, 3, 5, 0xac, 0x02, 0x1a, 4, 0x0a, 2, 6, 7});
  const std::string build = kOrdinal + Bytes({0x20, 2, 0x28, 2, 0x30, 1, 0x4a, static_cast<int>(ids.size())}) + ids;
  EXPECT_EQ(Encode({.num_replicas = 2, .num_partitions = 2, .device_assignment = {5, 6, 300, 7}}),
            Bytes({0x1a, static_cast<int>(build.size())}) + build);
}

TEST(CompileOptions, Overrides) {
  const std::string tail = Encode({.overrides = {{"a", true}, {"b", int64_t{3}}, {"c", 0.5}, {"d", "x"}}}).substr(17);
  EXPECT_EQ(tail, Bytes({0x3a, 7, 0x0a, 1, 'a', 0x12, 2, 0x10, 1}) + Bytes({0x3a, 7, 0x0a, 1, 'b', 0x12, 2, 0x18, 3}) +
                      Bytes({0x3a, 14, 0x0a, 1, 'c', 0x12, 9, 0x21, 0, 0, 0, 0, 0, 0, 0xe0, 0x3f}) +
                      Bytes({0x3a, 8, 0x0a, 1, 'd', 0x12, 3, 0x0a, 1, 'x'}));
}

TEST(CompileOptions, Refused) {
  EXPECT_THROW(Encode({.num_replicas = 0}), Error);
  EXPECT_THROW(Encode({.num_partitions = -1}), Error);
  EXPECT_THROW(Encode({.num_replicas = 2, .device_assignment = {0}}), Error);
  EXPECT_THROW(Encode({.num_replicas = 2, .device_assignment = {1, 1}}), Error);
  EXPECT_THROW(Encode({.overrides = {{"a", std::vector<int64_t>{1}}}}), Error);
}

class CompileTest : public PluginTest {};
REPLICATOR_WITH_EACH_PLUGIN(CompileTest);

TEST_P(CompileTest, ErrorsHaveCodeAndMessage) {
  const auto client = MakeClient();
  for (const std::string module : {"", "not mlir", "module { func.func public @main() -> tensor<f32> { return } }"}) {
    try {
      client->Compile(module);
      ADD_FAILURE() << "compiled: " << module;
    } catch (const Error& error) {
      EXPECT_THAT(error.code(), testing::AnyOf(ErrorCode::kInvalidArgument, ErrorCode::kUnknown)) << module;
      EXPECT_GT(error.message().size(), std::string("compilation failed: ").size());
    }
  }
}

TEST_P(CompileTest, UnknownOverrideIsRefusedAndKnownOneTaken) {
  const auto client = MakeClient();
  EXPECT_NO_THROW(client->Compile(AddModule("3xf32"), {.overrides = {{"xla_cpu_enable_fast_math", false}}}));
  try {
    client->Compile(AddModule("3xf32"), {.overrides = {{"xla_no_such_option", true}}});
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    EXPECT_NE(error.message().find("xla_no_such_option"), std::string::npos);
  }
}

TEST_P(CompileTest, MoreReplicasThanDevices) {
  EXPECT_THROW(MakeClient(2)->Compile(AllReduceModule("f32", 4), {.num_replicas = 4}), Error);
}

}  // namespace
}  // namespace replicator::pjrt
