// docs/semantics.md, "Memory and batch size".
#include <unistd.h>

#include <filesystem>

#include "program.h"

namespace replicator::testing_support {
namespace {

// w -= the mean of three batches' means, where `steps` micro-steps are run here.
double Train(const std::string& directory, int num_replicas, int steps, bool accumulate_first) {
  LocalReplicator repl = Replicas(num_replicas);
  const auto scope = repl.Context();
  const Variable w = ScalarVariable("w");
  const auto sgd = optim::Sgd({.learning_rate = 1});
  const auto mean = optim::GradientReduction::kMean;
  const auto optimizer = accumulate_first ? repl.WrapOptimizer(optim::Accumulate(sgd, 3), mean)
                                          : optim::Accumulate(repl.WrapOptimizer(sgd, mean), 3);
  const auto step = repl.Run([&](const Batch& batch) { optimizer.Minimize(w * ReduceMean(batch["x"])); },
                             Counting(12, 4 / num_replicas));
  MonitoredSession session({.checkpoint_dir = directory,
                            .step_counter = optimizer.micro_steps(),
                            .progress = Progress::kQuiet,
                            .handle_interrupt = false});
  repl.Init(session);
  for (int i = 0; i < steps; ++i) session.Run(step);
  const double value = session.Read(w).Item<float>();
  repl.Shutdown(session);
  return value;
}

// A checkpoint between two updates holds what has been accumulated, for any number of replicas and either order of
// wrapping.
TEST(Memory, AccumulationGoesOnFromACheckpointOnAnotherNumberOfReplicas) {
  const std::string directory =
      (std::filesystem::temp_directory_path() / ("replicator_memory_test_" + std::to_string(::getpid()))).string();
  EXPECT_EQ(Train(directory, 2, 2, true), 0);      // batches 0..3 and 4..7
  EXPECT_EQ(Train(directory, 1, 1, false), -5.5);  // 8..11: -(1.5 + 5.5 + 9.5) / 3
  EXPECT_EQ(Train(directory, 1, 2, false), -5.5);  // the next update has begun
  std::filesystem::remove_all(directory);
}

TEST(Memory, RematerialisedBlocksTrainAlike) {
  const auto train = [](bool rematerialise) {
    LocalReplicator repl = Replicas(2);
    const auto scope = repl.Context();
    const Variable w = ScalarVariable("w", 0.5);
    const auto optimizer = repl.WrapOptimizer(optim::Sgd({.learning_rate = 0.1}), optim::GradientReduction::kMean);
    const auto step = repl.Run(
        [&](const Batch& batch) {
          const auto block = [&](const Tensor& x) { return Tanh(x * w) * AllMean(ReduceMean(x)); };
          Tensor x = batch["x"];
          for (int i = 0; i < 2; ++i) x = rematerialise ? Rematerialise(block)(x) : block(x);
          optimizer.Minimize(ReduceMean(Square(x)));
        },
        Counting(8, 2));
    Session session;
    repl.Init(session);
    for (int i = 0; i < 3; ++i) session.Run(step);
    return session.Read(w).Item<float>();
  };
  EXPECT_EQ(train(true), train(false));
}

}  // namespace
}  // namespace replicator::testing_support
