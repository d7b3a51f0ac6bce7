// What a training leaves behind, read by the packages that its users read it with.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/file_system.h"
#include "process.h"

namespace replicator::runs {
namespace {

using Json = nlohmann::json;

Json ReadJson(const std::string& path) { return Json::parse(FileSystem::Default().ReadFile(path)); }

// What a script of tests/reference prints.
Json Reference(const std::string& script, const std::string& argument) {
  const std::string source = REPLICATOR_SOURCE_DIR;
  FILE* pipe = ::popen(
      ("'" + source + "/build/venv/bin/python' '" + source + "/tests/reference/" + script + "' '" + argument + "'")
          .c_str(),
      "r");
  std::string output;
  std::array<char, 4096> buffer{};
  while (const size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe)) output.append(buffer.data(), count);
  EXPECT_EQ(::pclose(pipe), 0) << script;
  return Json::parse(output);
}

TEST(Outputs, SummaryCheckpointAndEvents) {
  const TemporaryDirectory files;
  const Outcome outcome =
      RunProgram("fashion_mnist", SmallTraining(files / "run", 20) +
                                      Arguments{"--logdir", files / "logs", "--json", files / "summary.json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;

  const Json summary = ReadJson(files / "summary.json");
  EXPECT_EQ(summary["replicas"], 2);
  EXPECT_EQ(summary["test_examples"], 20);
  EXPECT_EQ(summary["logdir"], files / "logs");
  EXPECT_EQ(summary["checkpoint"], files / "run/ckpt-20.safetensors");
  EXPECT_GT(summary["examples_per_second"], 0);
  EXPECT_NEAR(summary["examples_per_second"].get<double>() * summary["train_seconds"].get<double>(), 20 * 8, 1e-6);
  const double accuracy = summary["test_accuracy"];
  EXPECT_NEAR(accuracy * 20, std::round(accuracy * 20), 1e-9) << "of 20 images";

  const Json checkpoint = Reference("read_checkpoint.py", summary["checkpoint"]);
  const Json& tensors = checkpoint["tensors"];
  EXPECT_EQ(tensors["cnn/conv2/kernel"]["shape"], Json({3, 3, 32, 64}));
  EXPECT_EQ(tensors["cnn/logits/bias"]["dtype"], "F32");
  EXPECT_EQ(tensors["adam/iterations"]["values"], Json({20.0}));
  EXPECT_TRUE(tensors.contains("adam/cnn/hidden/kernel/m"));
  const auto ours = NewestTensors(files / "run");
  EXPECT_EQ(tensors.size(), ours.size());
  EXPECT_EQ(tensors["cnn/logits/bias"]["values"], Json(ours.at("cnn/logits/bias").ToDoubles()));

  const Json events = Reference("read_events.py", files / "logs")["scalars"];
  std::vector<int> steps;
  for (const Json& event : events["loss"]) {
    steps.push_back(event[0]);
    EXPECT_GT(event[1].get<double>(), 0);
    EXPECT_LT(event[1].get<double>(), 20);
  }
  EXPECT_THAT(steps, ::testing::ElementsAre(1, 10, 20));
  ASSERT_EQ(events["test_accuracy"].size(), 1u);
  EXPECT_EQ(events["test_accuracy"][0][0], 20);
  EXPECT_FLOAT_EQ(events["test_accuracy"][0][1].get<float>(), static_cast<float>(accuracy));
}

// Every replica contributes its candidates, and nothing else depends on how many there are.
TEST(Outputs, EvolutionIsTheSameForEveryNumberOfReplicas) {
  const TemporaryDirectory files;
  std::map<int, Json> results;
  for (const int replicas : {1, 2, 4, 8}) {
    const std::string path = files / std::to_string(replicas);
    const Outcome outcome = RunProgram("evolution", {"--replicas", std::to_string(replicas), "--json", path});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    results[replicas] = ReadJson(path);
    EXPECT_LT(results[replicas]["value"], 1e-5) << "the global minimum of Rastrigin's function is 0";
    EXPECT_EQ(results[replicas]["generations"], 400);
    for (size_t i = 0; i < 8; ++i) {
      EXPECT_NEAR(results[replicas]["mean"][i].get<double>(), results[1]["mean"][i].get<double>(), 1e-9);
    }
  }
}

}  // namespace
}  // namespace replicator::runs
