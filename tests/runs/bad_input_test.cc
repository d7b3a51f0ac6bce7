// What users get wrong: each ends in one sentence that says what would be right, and in the right exit status.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/file_system.h"
#include "process.h"
#include "replicator/io/checkpoint.h"

namespace replicator::runs {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr int kError = 1, kWrongUsage = 2;
const std::string kDataDirectory = "/usr/share/datasets/fashion-mnist";

void ExpectRefused(const Arguments& arguments, int status, const std::vector<std::string>& texts,
                   const std::string& program = "fashion_mnist") {
  const Outcome outcome = RunProgram(program, arguments);
  EXPECT_EQ(outcome.status, status) << outcome.err;
  for (const std::string& text : texts) EXPECT_THAT(outcome.err, HasSubstr(text));
  EXPECT_THAT(outcome.err, Not(HasSubstr("terminate")));
  EXPECT_LE(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 4) << outcome.err;
}

TEST(BadFlags, AreWrongUsage) {
  ExpectRefused({"--replcias", "4"}, kWrongUsage, {"--replcias", "--help"});
  ExpectRefused({"--replicas", "0"}, kWrongUsage, {"--replicas", "1"});
  ExpectRefused({"--replicas", "four"}, kWrongUsage, {"--replicas", "four"});
  ExpectRefused({"--optimizer", "lion"}, kWrongUsage, {"lion", "adam", "momentum", "sgd"});
  ExpectRefused({"--learning-rate", "-1"}, kWrongUsage, {"--learning-rate"});
  ExpectRefused({"--replicas", "3", "--global-batch", "128"}, kWrongUsage, {"--global-batch", "126", "129"});
  ExpectRefused({"--resume"}, kWrongUsage, {"--resume", "--checkpoint-dir"});
  ExpectRefused({"--json", "/no/such/directory/summary.json"}, kWrongUsage, {"/no/such/directory/summary.json"});
  ExpectRefused({"--function", "ackley"}, kWrongUsage, {"ackley", "rastrigin", "rosenbrock"}, "evolution");
  ExpectRefused({"--population", "100"}, kWrongUsage, {"--population", "multiple of 8"}, "evolution");
  ExpectRefused({"--sheet", "/no/such/directory/sheet.pgm"}, kWrongUsage, {"/no/such/directory/sheet.pgm"}, "gan");
  ExpectRefused({"--replicas", "3", "--global-batch", "32"}, kWrongUsage, {"--global-batch", "33"}, "actor_learner");
}

TEST(BadFlags, HelpIsNotAnError) {
  for (const std::string program : {"fashion_mnist", "evolution", "gan", "actor_learner"}) {
    const Outcome outcome = RunProgram(program, {"--help"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("Examples:"), HasSubstr("--replicas")));
    EXPECT_EQ(outcome.err, "");
  }
}

TEST(BadPlatform, IsNamed) {
  const TemporaryDirectory files;
  ExpectRefused({"--platform", "abacus"}, kError, {"error: ", "abacus", "cpu"});
  ExpectRefused({"--plugin", "/no/such/plugin.so"}, kError, {"error: ", "/no/such/plugin.so"});
  std::ofstream(files / "plugin.so") << "not a plugin";
  ExpectRefused({"--plugin", files / "plugin.so"}, kError, {"error: ", files / "plugin.so"});
  ExpectRefused({"--plugin", "/usr/lib/x86_64-linux-gnu/libz.so.1"}, kError, {"error: ", "libz.so.1", "GetPjrtApi"});
}

TEST(BadData, IsNamed) {
  const TemporaryDirectory files;
  ExpectRefused({"--data-dir", files / "none"}, kError, {"error: ", files / "none", "dataset-fashion-mnist"});

  const std::vector<std::string> names = {"train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz",
                                          "t10k-images-idx3-ubyte.gz", "t10k-labels-idx1-ubyte.gz"};
  const auto copy = [&](const std::string& name) {
    std::filesystem::create_directory(files / name);
    for (const std::string& file : names) {
      std::filesystem::create_symlink(JoinPath(kDataDirectory, file), JoinPath(files / name, file));
    }
    return files / name;
  };
  const auto replace = [](const std::string& path, const std::string& content) {
    std::filesystem::remove(path);
    std::ofstream(path, std::ios::binary) << content;
  };
  const std::string labels = FileSystem::Default().ReadFile(kDataDirectory + "/" + names[1]);

  const std::string truncated = copy("truncated");
  replace(truncated + "/" + names[1], labels.substr(0, labels.size() / 2));
  ExpectRefused({"--data-dir", truncated}, kError, {"error: ", truncated + "/" + names[1]});

  const std::string corrupt = copy("corrupt");
  std::string flipped = labels;
  flipped[flipped.size() / 2] = static_cast<char>(flipped[flipped.size() / 2] ^ 0x10);
  replace(corrupt + "/" + names[1], flipped);
  ExpectRefused({"--data-dir", corrupt}, kError, {"error: ", corrupt + "/" + names[1]});

  const std::string mislabelled = copy("mislabelled");
  std::filesystem::remove(mislabelled + "/" + names[0]);
  std::filesystem::create_symlink(kDataDirectory + "/" + names[1], mislabelled + "/" + names[0]);
  ExpectRefused({"--data-dir", mislabelled}, kError, {"error: ", mislabelled + "/" + names[0]});
}

TEST(BadDirectory, IsKnownBeforeTraining) {
  const TemporaryDirectory files;
  std::ofstream(files / "file") << "in the way";
  ExpectRefused(SmallTraining(files / "file/run", 4), kError, {"error: ", files / "file"});
  ExpectRefused(SmallTraining("/proc/run", 4), kError, {"error: ", "/proc/run"});
  ExpectRefused(SmallTraining(files / "run", 4) + Arguments{"--logdir", "/proc/logs"}, kError,
                {"error: ", "/proc/logs"});
}

TEST(BadCheckpoint, IsNamedOnResume) {
  const TemporaryDirectory files;
  const std::string run = files / "run";
  const Arguments resume = SmallTraining(run, 4) + Arguments{"--resume"};
  ASSERT_EQ(RunProgram("fashion_mnist", resume).status, 0);

  ExpectRefused(SmallTraining(run, 4), kError, {"error: ", "'" + run + "' holds checkpoints of another run"});
  ExpectRefused(resume + Arguments{"--optimizer", "sgd"}, kError,
                {"error: cannot resume from '" + io::CheckpointPath(run, 4) + "'", "'sgd/iterations'"});
  ExpectRefused(resume + Arguments{"--global-batch", "10"}, kError,
                {"error: cannot resume from '" + io::CheckpointPath(run, 4) + "'", "multiple"});

  const std::string path = io::CheckpointPath(run, 4);
  const std::string good = FileSystem::Default().ReadFile(path);
  std::string flipped = good;
  flipped[good.size() - 100] = static_cast<char>(flipped[good.size() - 100] ^ 1);
  std::ofstream(path, std::ios::binary) << flipped;
  ExpectRefused(resume, kError, {"error: ", path, "corrupt", io::CheckpointPath(run, 2), "move the corrupt file away"});
  std::ofstream(path, std::ios::binary) << good.substr(0, good.size() / 2);
  ExpectRefused(resume, kError, {"error: ", path, io::CheckpointPath(run, 2)});
  std::ofstream(path, std::ios::binary) << "{\"foreign\": true}";
  ExpectRefused(resume, kError, {"error: ", path});

  // As the message says: the older one is good.
  std::filesystem::remove(path);
  EXPECT_EQ(RunProgram("fashion_mnist", resume).status, 0);
}

TEST(NotFinite, StopsTrainingAndKeepsGoodValues) {
  const TemporaryDirectory files;
  const std::string run = files / "run";
  const Outcome outcome =
      RunProgram("fashion_mnist",
                 SmallTraining(run, 1000) + Arguments{"--optimizer", "sgd", "--learning-rate", "1e30", "--quiet"});
  EXPECT_EQ(outcome.status, kError);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("error: step "), HasSubstr("the variable 'cnn/"),
                                 HasSubstr("infinite or NaN"), HasSubstr("are saved in '" + run)));
  for (const auto& [name, value] : NewestTensors(run)) {
    for (const double element : value.ToDoubles()) ASSERT_TRUE(std::isfinite(element)) << name;
  }
}

TEST(TwoTrainings, DoNotShareACheckpointDirectory) {
  const TemporaryDirectory files;
  const std::string run = files / "run";
  Process first("fashion_mnist", SmallTraining(run, 1'000'000));
  while (!std::filesystem::exists(run) || io::CheckpointSteps(run).empty()) ASSERT_FALSE(first.EndsWithin(0.05));
  ExpectRefused(SmallTraining(run, 4) + Arguments{"--resume"}, kError, {"error: cannot save checkpoints in '" + run});
}

}  // namespace
}  // namespace replicator::runs
