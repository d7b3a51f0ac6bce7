// Actors in threads and a learner, as a whole program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/file_system.h"
#include "process.h"

namespace replicator::runs {
namespace {

using Json = nlohmann::json;

// Greedily, with the variables after training: what was learned, and not a lucky stretch of it.
TEST(ActorLearner, LearnsToBalanceAPole) {
  const TemporaryDirectory files;
  const Arguments easy = {"--episode-steps",     "200", "--target", "195", "--replicas", "2", "--quiet", "--json",
                          files / "summary.json"};
  const Outcome outcome =
      RunProgram("actor_learner", Soak() ? Arguments{"--quiet", "--json", files / "summary.json"} : easy);
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json summary = Json::parse(FileSystem::Default().ReadFile(files / "summary.json"));
  EXPECT_TRUE(summary["reached"]) << summary.dump(2);
  EXPECT_GE(summary["mean_return"], summary["target"]);
  EXPECT_GE(summary["greedy_return"], summary["target"]) << summary.dump(2);
  EXPECT_EQ(summary["replicas"], 2);
}

TEST(ActorLearner, EndsAtASignalWhateverItsThreadsWaitFor) {
  const TemporaryDirectory files;
  for (const int signal : {SIGINT, SIGTERM}) {
    const std::string logs = files / std::to_string(signal);
    Process process("actor_learner", {"--target", "1e9", "--updates", "1000000", "--quiet", "--logdir", logs});
    while (!std::filesystem::exists(logs) && !process.EndsWithin(0.02)) continue;
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    process.Send(signal);
    EXPECT_EQ(process.Wait().status, 130);
  }
}

}  // namespace
}  // namespace replicator::runs
