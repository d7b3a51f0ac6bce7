#include "replicate/dump.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/file_system.h"
#include "base/testing/xml.h"
#include "replicator/ops/collectives.h"
#include "replicator/ops/elementwise.h"
#include "replicator/ops/reduce.h"
#include "replicator/ops/shape.h"

namespace replicator {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Inputs = std::map<std::string, Tensor>;

int Replica() { return ReplicaContext::Current().replica_index(); }

size_t Occurrences(const std::string& text, const std::string& what) {
  size_t count = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

class DumpTest : public ::testing::Test {
 protected:
  DumpTest() {
    static int tests = 0;
    directory_ = std::filesystem::temp_directory_path() /
                 ("replicator_dump_test_" + std::to_string(::getpid()) + "_" + std::to_string(tests++));
    std::filesystem::remove_all(directory_);
    setenv("REPLICATOR_DUMP", directory_.c_str(), 1);
  }
  ~DumpTest() override {
    unsetenv("REPLICATOR_DUMP");
    std::filesystem::remove_all(directory_);
  }

  Program Build(int replicas, const StepFunction& step_fn) {
    options_.num_replicas = replicas;
    options_.inputs = {{"x", Shape{DType::kF32, {2}}}};
    return RewriteWithDump(BuildReplicaSteps(step_fn, variables_, options_), options_);
  }
  std::string Read(const std::string& name) const {
    return FileSystem::Default().ReadFile((directory_ / name).string());
  }
  bool Exists(const std::string& name) const { return std::filesystem::exists(directory_ / name); }

  std::filesystem::path directory_;
  VariableTable variables_;
  StepOptions options_{.where = SourceLocation::current()};
};

TEST_F(DumpTest, ShowsReplicasThatDifferBeforeAndAfter) {
  uint32_t lines[2] = {0, 0};
  const Program program = Build(3, [&](const Inputs& inputs) -> std::vector<Tensor> {
    const Tensor x = inputs.at("x");
    if (Replica() == 1) {
      lines[1] = __LINE__ + 1;
      return {AllSum(x * 2.5)};
    }
    lines[0] = __LINE__ + 1;
    return {AllSum(Exp(x))};
  });
  EXPECT_EQ(program.dump_folder, (directory_ / "step_000").string());
  const std::string table = Read("step_000/placeholders.txt");
  EXPECT_THAT(table, HasSubstr("1 placeholders over 3 replicas in 2 classes"));
  EXPECT_THAT(table, HasSubstr("class 0: replicas 0, 2\nclass 1: replica 1\n"));
  EXPECT_THAT(table,
              HasSubstr("dump_test.cc:" + std::to_string(lines[0]) + ", dump_test.cc:" + std::to_string(lines[1])));
  EXPECT_THAT(Read("step_000/class_0.txt"), HasSubstr("exponential(%0) : f32[2] varying"));
  EXPECT_THAT(Read("step_000/class_1.txt"), Not(HasSubstr("exponential")));
  EXPECT_THAT(Read("step_000/program.txt"), HasSubstr("= case("));

  const std::string replicas = Read("step_000/replicas.svg"), after = Read("step_000/program.svg");
  EXPECT_EQ(Occurrences(replicas, ">all_sum</text>"), 3u);
  EXPECT_EQ(Occurrences(replicas, "stroke-opacity"), 1u) << "the placeholder is joined through the lanes";
  EXPECT_EQ(Occurrences(after, ">all_sum</text>"), 1u);
  EXPECT_THAT(after, HasSubstr(">class 1: replica 1</text>"));
  EXPECT_THAT(after, HasSubstr(">multiply(\xC2\xB7, 2.5)</text>"));
  for (const char* name : {"replicas.svg", "program.svg", "class_0.svg", "class_1.svg"}) {
    EXPECT_EQ(XmlFault(Read(std::string("step_000/") + name)), "") << name;
  }
}

TEST_F(DumpTest, StepsAreNumberedAndReplicasThatDoNotMatchCanBeLookedAt) {
  const auto good = [](const Inputs& inputs) { return std::vector<Tensor>{AllSum(inputs.at("x"))}; };
  Build(2, good);
  EXPECT_THROW(Build(2,
                     [](const Inputs& inputs) {
                       return std::vector<Tensor>{Replica() == 0 ? AllSum(inputs.at("x")) : AllMean(inputs.at("x"))};
                     }),
               Error);
  EXPECT_EQ(Build(2, good).dump_folder, (directory_ / "step_002").string());
  EXPECT_THAT(Read("step_001/class_0.txt"), HasSubstr("all_sum"));
  EXPECT_THAT(Read("step_001/class_1.txt"), HasSubstr("all_mean"));
  EXPECT_TRUE(Exists("step_001/replicas.svg"));
  EXPECT_FALSE(Exists("step_001/program.txt"));
}

TEST_F(DumpTest, NothingIsWrittenUnlessAsked) {
  unsetenv("REPLICATOR_DUMP");
  EXPECT_EQ(Build(1, [](const Inputs& inputs) { return std::vector<Tensor>{inputs.at("x")}; }).dump_folder, "");
  EXPECT_FALSE(std::filesystem::exists(directory_));
}

TEST_F(DumpTest, AFolderThatCannotBeMadeIsOneWarning) {
  std::ofstream(directory_) << "a file is in the way";
  ::testing::internal::CaptureStderr();
  const auto step = [](const Inputs& inputs) { return std::vector<Tensor>{inputs.at("x")}; };
  EXPECT_EQ(Build(1, step).dump_folder, "");
  Build(1, step);
  const std::string warnings = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(Occurrences(warnings, "nothing is dumped"), 1u) << warnings;
  EXPECT_THAT(warnings, HasSubstr(directory_.string()));
  ::testing::internal::CaptureStderr();
  WriteDump(directory_.string(), "x.txt", "text");
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), HasSubstr("REPLICATOR_DUMP"));
}

// 60 blocks of 80 operations in nested scopes, with a collective in each.
TEST_F(DumpTest, ALargeStepIsCollapsedByScope) {
  const auto begin = std::chrono::steady_clock::now();
  const Program program = Build(4, [](const Inputs& inputs) {
    Tensor x = inputs.at("x");
    for (int stage = 0; stage < 6; ++stage) {
      const NameScope outer("stage_" + std::to_string(stage));
      for (int block = 0; block < 10; ++block) {
        const NameScope inner("block_" + std::to_string(block));
        for (int i = 0; i < 80; ++i) x = Tanh(x + i);
        x = x - AllMean(ReduceMean(x));
      }
    }
    return std::vector<Tensor>{x};
  });
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
  const std::string svg = ProgramPicture(program);
  EXPECT_EQ(XmlFault(svg), "");
  EXPECT_LT(Occurrences(svg, "<title>"), 60u);
  for (int stage = 0; stage < 6; ++stage) {
    EXPECT_THAT(svg, HasSubstr(">stage_" + std::to_string(stage) + "</text>"));
  }
  EXPECT_THAT(svg, HasSubstr(">10 collectives</text>"));
}

}  // namespace
}  // namespace replicator
