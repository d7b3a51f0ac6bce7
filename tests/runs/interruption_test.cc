// Training that is killed or interrupted, and goes on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <functional>
#include <numeric>
#include <random>

#include "process.h"
#include "replicator/base/error.h"
#include "replicator/io/checkpoint.h"

namespace replicator::runs {
namespace {

using ::testing::HasSubstr;

// The step of the newest checkpoint; -1 if there is none.
int64_t NewestStep(const std::string& run) {
  try {
    const auto steps = io::CheckpointSteps(run);
    return steps.empty() ? -1 : steps.back();
  } catch (const Error&) {
    return -1;  // no such directory yet
  }
}

// What was killed at any moment and resumed ends bit for bit as what was not: parameters, statistics, optimizer.
TEST(Interruption, KilledAtRandomMomentsAndResumedItEndsAsUnbroken) {
  constexpr int kSteps = 40;
  const int kills_wanted = Soak() ? 30 : 5;
  std::mt19937_64 random(Seed());
  const TemporaryDirectory files;
  // Processes that are killed share a cache of executables as well.
  const ProcessOptions options{.environment = {{"REPLICATOR_CACHE_DIR", files / "cache"}}};
  const auto start = [&](const std::string& name) {
    return SmallTraining(files / name, kSteps) + Arguments{"--resume", "--quiet"};
  };
  RunProgram("fashion_mnist", start("warm"), options);
  const Outcome unbroken = RunProgram("fashion_mnist", start("unbroken"), options);
  ASSERT_EQ(unbroken.status, 0) << unbroken.err;
  const auto expected = NewestTensors(files / "unbroken");
  ASSERT_GT(expected.size(), 10u);

  std::uniform_real_distribution<double> moment(0, unbroken.seconds);
  int kills = 0, resumed = 0;
  for (int trial = 0; kills < kills_wanted; ++trial) {
    const std::string name = "trial" + std::to_string(trial);
    for (bool complete = false; !complete;) {
      Process process("fashion_mnist", start(name), options);
      if (kills < kills_wanted && !process.EndsWithin(moment(random))) {
        process.Send(SIGKILL);
        ++kills;
        if (NewestStep(files / name) >= 0) ++resumed;
        continue;
      }
      const Outcome outcome = process.Wait();
      ASSERT_EQ(outcome.status, 0) << outcome.err;
      EXPECT_EQ(outcome.out, unbroken.out) << "the accuracy on the test images";
      complete = true;
    }
    const auto actual = NewestTensors(files / name);
    ASSERT_EQ(actual.size(), expected.size());
    for (const auto& [tensor, value] : expected) EXPECT_EQ(actual.at(tensor), value) << tensor << " in " << name;
  }
  EXPECT_GT(resumed, 0) << "no kill came after a checkpoint: the test has shown nothing";
}

// Runs until a checkpoint later than what there was is saved, then sends the signal.
Outcome InterruptAfterASave(const std::string& run, int signal, const Arguments& arguments) {
  const int64_t before = NewestStep(run);
  Process process("fashion_mnist", arguments);
  while (NewestStep(run) <= before && !process.EndsWithin(0.02)) continue;
  process.Send(signal);
  return process.Wait();
}

TEST(Interruption, ASignalFinishesTheStepAndSaves) {
  const TemporaryDirectory files;
  for (const int signal : {SIGINT, SIGTERM}) {
    const std::string run = files / std::to_string(signal);
    const Outcome outcome = InterruptAfterASave(run, signal, SmallTraining(run, 1'000'000));
    EXPECT_EQ(outcome.status, 130);
    EXPECT_THAT(outcome.err, HasSubstr("interrupted: finishing the step and saving"));
    const auto newest = io::LoadLatestCheckpoint(run);
    ASSERT_TRUE(newest.has_value());
    EXPECT_EQ(newest->checkpoint.tensors.at("adam/iterations").Item<int64_t>(), newest->step);
    EXPECT_THAT(outcome.err, HasSubstr("step " + std::to_string(newest->step) + "/1000000"));
  }
}

double Norm(const std::vector<double>& values) {
  return std::sqrt(std::inner_product(values.begin(), values.end(), values.begin(), 0.0));
}

// A checkpoint does not know how many replicas wrote it.
TEST(Interruption, ResumesOnAnotherNumberOfReplicas) {
  constexpr int kSteps = 40;
  const TemporaryDirectory files;
  const auto training = [&](const std::string& name, const std::string& replicas) {
    return SmallTraining(files / name, kSteps) +
           Arguments{"--resume", "--quiet", "--dtype", "f64", "--replicas", replicas};
  };
  EXPECT_EQ(RunProgram("fashion_mnist", training("unbroken", "2")).status, 0);
  EXPECT_EQ(InterruptAfterASave(files / "moved", SIGINT, training("moved", "2")).status, 130);
  EXPECT_EQ(InterruptAfterASave(files / "moved", SIGINT, training("moved", "4")).status, 130);
  EXPECT_EQ(RunProgram("fashion_mnist", training("moved", "1")).status, 0);
  const auto actual = NewestTensors(files / "moved");
  for (const auto& [name, value] : NewestTensors(files / "unbroken")) {
    const std::vector<double> expected = value.ToDoubles(), other = actual.at(name).ToDoubles();
    std::vector<double> difference(expected.size());
    std::transform(expected.begin(), expected.end(), other.begin(), difference.begin(), std::minus<>());
    EXPECT_LE(Norm(difference), 1e-8 * Norm(expected)) << name;
  }
}

}  // namespace
}  // namespace replicator::runs
