// MonitoredSession with sync groups in threads: checkpoints while they run, stopping, and resuming.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "replicator/ops/collectives.h"
#include "replicator/ops/elementwise.h"
#include "replicator/ops/reduce.h"
#include "replicator/ops/shape.h"
#include "replicator/optim/optimizers.h"
#include "replicator/replicators/multi_worker_async_replicator.h"
#include "replicator/runtime/monitored_session.h"
#include "runtime/testing.h"

namespace replicator {
namespace {

using optim::GradientReduction;

class AsyncSession : public testing::Test {
 protected:
  AsyncSession() { std::filesystem::remove_all(directory_); }
  ~AsyncSession() override { std::filesystem::remove_all(directory_); }

  struct Result {
    std::vector<double> w;
    int64_t iterations = 0, seen = 0, step = 0;
    AsyncStatistics statistics;
  };

  // Fits w to 24 numbers, dealt to the groups; `seen` adds up what has been applied.
  Result Train(const AsyncPolicy& policy, int64_t max_steps, std::optional<int64_t> stop_at_step, bool resume,
               int64_t epochs = 0) const {
    MultiWorkerAsyncReplicator repl({.num_sync_groups = 3, .policy = policy, .max_steps = max_steps});
    const auto scope = repl.Context();
    const auto zeros = [](const Shape& shape) { return Zeros(shape); };
    const Variable w({.name = "w", .shape = {DType::kF64, {2}}, .initializer = zeros});
    const Variable seen({.name = "seen", .shape = {DType::kI64, {}}, .initializer = zeros, .trainable = false});
    const optim::Optimizer optimizer =
        repl.WrapOptimizer(optim::Adam({.learning_rate = 0.01}), GradientReduction::kMean);
    const PerReplica loss = repl.Run(
        [&](const Batch& batch) {
          const Tensor error = ReduceMean(Square(w.Read() - ReduceMean(batch["x"])));
          optimizer.Minimize(error);
          seen.AssignAdd(Convert(AllSum(ReduceSum(batch["one"])), DType::kI64));
          return error;
        },
        [&](const InputContext& context) {
          Literal x(Shape{DType::kF64, {24}}), one(Shape{DType::kF64, {24}});
          for (size_t i = 0; i < 24; ++i) {
            x.mutable_data<double>()[i] = static_cast<double>(i);
            one.mutable_data<double>()[i] = 1;
          }
          const auto examples = data::Dataset::FromTensors({{"x", x}, {"one", one}});
          return (epochs == 0 ? examples.Repeat() : examples.Repeat(epochs)).Shard(context).Batch(2);
        });
    MonitoredSession session({.checkpoint_dir = directory_,
                              .save_every_steps = 5,
                              .resume = resume,
                              .stop_at_step = stop_at_step,
                              .step_counter = optimizer.iterations(),
                              .progress = Progress::kQuiet});
    session.AddScalar("loss", ReduceMean(loss));
    repl.Init(session);
    Result result;
    result.statistics = repl.RunGroups(session, loss);
    result.step = session.step();
    result.w = session.Read(w).ToDoubles();
    result.iterations = session.Read(optimizer.iterations()).Item<int64_t>();
    result.seen = session.Read(seen).Item<int64_t>();
    repl.Shutdown(session);
    return result;
  }

  const std::string directory_ = testing::TempDir() + "replicator_async_session_test_" + std::to_string(getpid());
};

TEST_F(AsyncSession, SavesAndResumes) {
  const AsyncPolicy lockstep = AsyncPolicy::StaleSynchronous(0);
  const Result unbroken = Train(lockstep, 33, {}, false);
  EXPECT_EQ(unbroken.iterations, 33);
  EXPECT_EQ(unbroken.seen, 33 * 6);
  std::filesystem::remove_all(directory_);
  const Result half = Train(lockstep, 14, {}, false);
  EXPECT_EQ(half.iterations, 14);
  EXPECT_EQ(half.step, 14);
  const Result rest = Train(lockstep, 33, {}, true);
  EXPECT_EQ(rest.iterations, 33);
  EXPECT_EQ(rest.statistics.updates, 33 - 14);
  EXPECT_EQ(rest.seen, unbroken.seen);
  EXPECT_EQ(rest.w, unbroken.w);
}

// What is saved while others run is one version: its counters and its sums agree.
TEST_F(AsyncSession, CheckpointsOfRunningGroupsFitTogether) {
  const Result first = Train(AsyncPolicy::Unbounded(), 101, {}, false);
  EXPECT_EQ(first.iterations, 101);
  EXPECT_EQ(first.seen, 202);
  const Result second = Train(AsyncPolicy::Unbounded(), 150, {}, true);
  EXPECT_EQ(second.iterations, 150);
  EXPECT_EQ(second.seen, 300);
}

TEST_F(AsyncSession, StopsAtAStepWithAtMostOneMoreFromEachOther) {
  const Result result = Train(AsyncPolicy::Unbounded(), 0, 40, false);
  EXPECT_GE(result.iterations, 40);
  EXPECT_LE(result.iterations, 42);
}

TEST_F(AsyncSession, EndsWithItsInput) {
  const Result result = Train(AsyncPolicy::Unbounded(), 0, {}, false, 2);
  EXPECT_EQ(result.iterations, 24);
  EXPECT_EQ(result.seen, 48);
}

}  // namespace
}  // namespace replicator
