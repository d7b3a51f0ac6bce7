// Asynchronous groups against closed forms and against synchronous replicas.
#include "replicator/replicators/multi_worker_async_replicator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "replicator/base/error.h"
#include "replicator/nn/batch_norm.h"
#include "replicator/nn/dense.h"
#include "replicator/ops/collectives.h"
#include "replicator/ops/dot.h"
#include "replicator/ops/elementwise.h"
#include "replicator/ops/reduce.h"
#include "replicator/ops/shape.h"
#include "replicator/optim/optimizers.h"
#include "replicator/replicators/local_replicator.h"
#include "runtime/testing.h"

namespace replicator {
namespace {

using optim::GradientReduction;

constexpr int64_t kExamples = 96, kFeatures = 3;

Literal Numbers(Dims dims, uint32_t seed) {
  Literal values(Shape{DType::kF64, std::move(dims)});
  std::mt19937 random(seed);
  for (double& value : values.mutable_data<double>()) value = static_cast<double>(random()) / 4294967296.0 - 0.5;
  return values;
}

// Batches of `batch` examples for each replica, dealt over all groups.
InputFn Regression(int64_t batch, int64_t epochs = 0) {
  return [=](const InputContext& context) {
    auto examples =
        data::Dataset::FromTensors({{"x", Numbers({kExamples, kFeatures}, 1)}, {"y", Numbers({kExamples, 1}, 2)}});
    auto repeated = epochs == 0 ? examples.Repeat() : examples.Repeat(epochs);
    return repeated.Shard(context).Batch(batch, {.remainder = data::Remainder::kDrop});
  };
}

// Linear regression with an optimizer; returns the loss.
struct Model {
  Model(Replicator& repl, optim::Optimizer base, GradientReduction reduction = GradientReduction::kMean)
      : w({.name = "w",
           .shape = {DType::kF64, {kFeatures, 1}},
           .initializer = [](const Shape& s) { return Zeros(s); }}),
        optimizer(repl.WrapOptimizer(base, reduction)) {}
  Tensor operator()(const Batch& batch) const {
    const Tensor loss = ReduceMean(Square(MatMul(batch["x"], w) - batch["y"]));
    optimizer.Minimize(loss);
    return loss;
  }
  Variable w;
  optim::Optimizer optimizer;
};

std::vector<double> Trained(const MultiWorkerAsyncReplicatorOptions& options, int64_t batch,
                            const optim::Optimizer& base, AsyncStatistics* statistics = nullptr) {
  MultiWorkerAsyncReplicator repl(options);
  const auto scope = repl.Context();
  const Model model(repl, base);
  const PerReplica loss = repl.Run(model, Regression(batch));
  Session session;
  repl.Init(session);
  const AsyncStatistics measured = repl.RunGroups(session, loss);
  if (statistics != nullptr) *statistics = measured;
  EXPECT_EQ(session.Read(model.optimizer.iterations()).Item<int64_t>(), measured.updates);
  return session.Read(model.w).ToDoubles();
}

std::vector<double> TrainedSynchronously(int replicas, int64_t batch, int steps, const optim::Optimizer& base) {
  LocalReplicator repl({.num_replicas = replicas});
  const auto scope = repl.Context();
  const Model model(repl, base);
  const PerReplica loss = repl.Run(model, Regression(batch));
  Session session;
  repl.Init(session);
  for (int i = 0; i < steps; ++i) session.Run(loss);
  return session.Read(model.w).ToDoubles();
}

std::function<double(int, int64_t)> RandomDelays(uint32_t seed, double most = 2e-3) {
  return [=](int group, int64_t step) {
    std::mt19937 random(seed + static_cast<uint32_t>(group) * 7919u + static_cast<uint32_t>(step));
    return most * static_cast<double>(random()) / 4294967296.0;
  };
}

void ExpectNear(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance) << i;
}

TEST(MultiWorkerAsync, ABoundOfZeroIsSynchronousTrainingWhateverTheDelays) {
  for (const bool adam : {false, true}) {
    const optim::Optimizer base = adam ? optim::Adam({.learning_rate = 0.01}) : optim::Momentum({.learning_rate = 0.1});
    const auto base_again = [&] {
      return adam ? optim::Adam({.learning_rate = 0.01}) : optim::Momentum({.learning_rate = 0.1});
    };
    AsyncStatistics statistics;
    MultiWorkerAsyncReplicatorOptions options{.num_sync_groups = 3,
                                              .policy = AsyncPolicy::StaleSynchronous(0),
                                              .max_steps = 20,
                                              .simulated_delay = RandomDelays(1)};
    const auto first = Trained(options, 4, base, &statistics);
    options.simulated_delay = RandomDelays(77);
    const auto second = Trained(options, 4, base_again());
    EXPECT_EQ(first, second);
    EXPECT_EQ(statistics.updates, 20);
    EXPECT_EQ(statistics.max_staleness(), 0);
    EXPECT_EQ(statistics.staleness.at(0), 60);
    ExpectNear(first, TrainedSynchronously(3, 4, 20, base_again()), 1e-10);
  }
}

TEST(MultiWorkerAsync, GroupsOfSeveralReplicasAreSynchronousInside) {
  const MultiWorkerAsyncReplicatorOptions options{
      .num_sync_groups = 2, .num_replicas_in_sync = 2, .policy = AsyncPolicy::StaleSynchronous(0), .max_steps = 10};
  ExpectNear(Trained(options, 4, optim::Sgd({.learning_rate = 0.1})),
             TrainedSynchronously(4, 4, 10, optim::Sgd({.learning_rate = 0.1})), 1e-10);
}

TEST(MultiWorkerAsync, OneGroupTrainsAsLocalReplicatorDoes) {
  ExpectNear(Trained({.max_steps = 15}, 4, optim::Adam({.learning_rate = 0.01})),
             TrainedSynchronously(1, 4, 15, optim::Adam({.learning_rate = 0.01})), 1e-12);
}

TEST(MultiWorkerAsync, MaxStepsIsExactWithEightThreads) {
  for (const AsyncPolicy& policy :
       {AsyncPolicy::Unbounded(), AsyncPolicy::StaleSynchronous(2), AsyncPolicy::BackupWorkers(5)}) {
    AsyncStatistics statistics;
    Trained({.num_sync_groups = 8, .policy = policy, .max_steps = 101, .simulated_delay = RandomDelays(3)}, 2,
            optim::Sgd({.learning_rate = 0.1}), &statistics);
    EXPECT_EQ(statistics.updates, 101) << ToString(policy);
  }
}

// The seed's first program: N threads, one session, one train op.
TEST(MultiWorkerAsync, ThreadsOnOneSessionLoseNoUpdate) {
  MultiWorkerAsyncReplicator repl({});
  const auto scope = repl.Context();
  const Variable sum(
      {.name = "sum", .shape = {DType::kF64, {}}, .initializer = [](const Shape& s) { return Zeros(s); }});
  const Variable count(
      {.name = "count", .shape = {DType::kI64, {}}, .initializer = [](const Shape& s) { return Zeros(s); }});
  const PerReplica step = repl.Run(
      [&](const Batch& batch) {
        sum.AssignAdd(AllSum(ReduceSum(batch["x"])));
        count.AssignAdd(1);
        return AllSum(ReduceSum(batch["x"]));
      },
      [](const InputContext&) {
        return data::Dataset::FromTensors({{"x", Numbers({kExamples, kFeatures}, 1)}}).Repeat().Batch(4);
      });
  Session session;
  repl.Init(session);
  constexpr int kThreads = 8, kSteps = 24;  // one epoch each
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < kSteps; ++i) session.Run(step);
    });
  }
  for (std::thread& thread : threads) thread.join();
  double expected = 0;
  for (double value : Numbers({kExamples, kFeatures}, 1).ToDoubles()) expected += value;
  EXPECT_EQ(session.Read(count).Item<int64_t>(), kThreads * kSteps);
  EXPECT_NEAR(session.Read(sum).Item<double>(), kThreads * expected, 1e-9);
  EXPECT_EQ(repl.statistics().updates, kThreads * kSteps);
}

// A gradient is of the values that its group has read, not of those it is applied to: w <- w - gradient, where the
// gradient is w itself. Replaying the versions that each update read gives the same numbers on the host.
TEST(MultiWorkerAsync, GradientsAreOfTheVersionThatWasRead) {
  const std::string path = testing::TempDir() + "replicator_order_test_" + std::to_string(getpid());
  MultiWorkerAsyncReplicator repl(
      {.num_sync_groups = 4, .max_steps = 40, .record_order = path, .simulated_delay = RandomDelays(5)});
  const auto scope = repl.Context();
  const Variable w({.name = "w", .shape = {DType::kF64, {}}, .initializer = [](const Shape& s) { return Ones(s); }});
  const optim::Optimizer sgd = repl.WrapOptimizer(optim::Sgd({.learning_rate = 0.1}), GradientReduction::kMean);
  const PerReplica step = repl.Run([&] {
    const Tensor loss = Square(w.Read()) * 0.5;
    sgd.Minimize(loss);
    return loss;
  });
  Session session;
  repl.Init(session);
  const AsyncStatistics statistics = repl.RunGroups(session, step);
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  std::vector<double> versions = {1.0};
  std::map<int64_t, int64_t> staleness;
  while (std::getline(file, line)) {
    const auto read = static_cast<size_t>(std::stoi(line.substr(line.find("\"read\":") + 7)));
    ++staleness[static_cast<int64_t>(versions.size() - 1 - read)];
    versions.push_back(versions.back() - 0.1f * versions[read]);
  }
  ASSERT_EQ(versions.size(), 41u);
  EXPECT_NEAR(session.Read(w).Item<double>(), versions.back(), 1e-7);
  EXPECT_EQ(statistics.staleness, staleness);
  EXPECT_GT(statistics.max_staleness(), 0);
  std::filesystem::remove(path);
}

TEST(MultiWorkerAsync, ARecordedOrderIsReplayedBitForBit) {
  const std::string path = testing::TempDir() + "replicator_replay_test_" + std::to_string(getpid());
  for (const AsyncPolicy& policy :
       {AsyncPolicy::Unbounded(), AsyncPolicy::StaleSynchronous(1), AsyncPolicy::BackupWorkers(2)}) {
    MultiWorkerAsyncReplicatorOptions options{.num_sync_groups = 3,
                                              .policy = policy,
                                              .max_steps = 30,
                                              .record_order = path,
                                              .simulated_delay = RandomDelays(11)};
    AsyncStatistics recorded, replayed;
    const auto first = Trained(options, 4, optim::Momentum({.learning_rate = 0.1}), &recorded);
    options.record_order.clear();
    options.replay_order = path;
    options.simulated_delay = RandomDelays(400);
    EXPECT_EQ(Trained(options, 4, optim::Momentum({.learning_rate = 0.1}), &replayed), first) << ToString(policy);
    EXPECT_EQ(replayed.staleness, recorded.staleness);
    EXPECT_EQ(replayed.updates, 30);
  }
  std::filesystem::remove(path);
}

TEST(MultiWorkerAsync, EndOfInputInOneGroupDoesNotStopTheOthers) {
  MultiWorkerAsyncReplicator repl({.num_sync_groups = 2});
  const auto scope = repl.Context();
  const Model model(repl, optim::Sgd({.learning_rate = 0.1}));
  const PerReplica loss = repl.Run(model, [](const InputContext& context) {
    return data::Dataset::FromTensors({{"x", Numbers({kExamples, kFeatures}, 1)}, {"y", Numbers({kExamples, 1}, 2)}})
        .Batch(4)
        .Take(context.sync_group == 0 ? 3 : 20);
  });
  Session session;
  repl.Init(session);
  const AsyncStatistics statistics = repl.RunGroups(session, loss);
  EXPECT_EQ(statistics.groups[0].applied, 3);
  EXPECT_EQ(statistics.groups[1].applied, 20);
}

TEST(MultiWorkerAsync, AnErrorInOneThreadEndsAll) {
  MultiWorkerAsyncReplicator repl({.num_sync_groups = 3});
  const auto scope = repl.Context();
  const Model model(repl, optim::Sgd({.learning_rate = 0.1}));
  const PerReplica loss = repl.Run(model, Regression(4));
  Session session;
  repl.Init(session);
  const auto on_step = [](int group, const Fetched&) {
    static std::atomic<int> steps{0};
    if (group == 1 && ++steps == 5) throw Error(ErrorCode::kUnavailable, "the fifth");
  };
  EXPECT_ERROR(repl.RunGroups(session, loss, {.on_step = on_step}), kUnavailable, "the fifth");
}

TEST(MultiWorkerAsync, AnUpdateThatIsNotFiniteKeepsTheGoodValuesAndIsReported) {
  MultiWorkerAsyncReplicator repl({.num_sync_groups = 2, .max_steps = 50});
  const auto scope = repl.Context();
  const Variable w({.name = "w", .shape = {DType::kF64, {}}, .initializer = [](const Shape& s) { return Ones(s); }});
  const PerReplica step = repl.Run([&] { w.AssignAdd(w.Read() * 1e200); });
  Session session;
  repl.Init(session);
  EXPECT_ERROR(repl.RunGroups(session, step), kAborted, "'w' infinite or NaN");
  EXPECT_TRUE(std::isfinite(session.Read(w).Item<double>()));
}

// Each tower has a step of its own over the same variables, pinned to its group: the seed's second program.
TEST(MultiWorkerAsync, TowersShareVariables) {
  MultiWorkerAsyncReplicator repl({.num_sync_groups = 2});
  const auto scope = repl.Context();
  const Model model(repl, optim::Sgd({.learning_rate = 0.05}));
  std::vector<PerReplica> train_ops;
  for (int tower = 0; tower < 2; ++tower) {
    const DeviceScope device(tower);
    train_ops.push_back(repl.Run(model, Regression(4)));
  }
  Session session;
  repl.Init(session);
  std::vector<std::thread> threads;
  for (const PerReplica& op : train_ops) {
    threads.emplace_back([&session, op] {
      for (int i = 0; i < 30; ++i) session.Run(op);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(session.Read(model.optimizer.iterations()).Item<int64_t>(), 60);
  const AsyncStatistics statistics = repl.statistics();
  EXPECT_EQ(statistics.groups[0].applied, 30);
  EXPECT_EQ(statistics.groups[1].applied, 30);
}

TEST(MultiWorkerAsync, PerVariableConsistencyLosesNoUpdateEither) {
  AsyncStatistics statistics;
  const auto asynchronous = Trained({.num_sync_groups = 1, .consistency = Consistency::kPerVariable, .max_steps = 12},
                                    4, optim::Adam({.learning_rate = 0.01}), &statistics);
  ExpectNear(asynchronous, TrainedSynchronously(1, 4, 12, optim::Adam({.learning_rate = 0.01})), 1e-12);
  Trained({.num_sync_groups = 4, .consistency = Consistency::kPerVariable, .max_steps = 50}, 4,
          optim::Adam({.learning_rate = 0.01}), &statistics);
  EXPECT_EQ(statistics.updates, 50);
}

TEST(MultiWorkerAsync, StateIsSavedAndRestored) {
  const auto run = [](int64_t steps, const EngineState* from, EngineState* to) {
    MultiWorkerAsyncReplicator repl(
        {.num_sync_groups = 2, .policy = AsyncPolicy::StaleSynchronous(0), .max_steps = steps});
    const auto scope = repl.Context();
    const Model model(repl, optim::Adam({.learning_rate = 0.01}));
    const PerReplica loss = repl.Run(model, Regression(4));
    Session session;
    repl.Init(session);
    if (from != nullptr) repl.engine()->Restore(*from);
    repl.RunGroups(session, loss);
    if (to != nullptr) *to = repl.engine()->Save();
    return session.Read(model.w).ToDoubles();
  };
  EngineState half;
  run(7, nullptr, &half);
  EXPECT_EQ(run(15, &half, nullptr), run(15, nullptr, nullptr));
}

TEST(MultiWorkerAsync, ConvexProblemReachesItsOptimum) {
  MultiWorkerAsyncReplicator repl({.num_sync_groups = 8, .max_steps = 1500, .simulated_delay = RandomDelays(9, 5e-4)});
  const auto scope = repl.Context();
  const Variable w({.name = "w", .shape = {DType::kF64, {4}}, .initializer = [](const Shape& s) { return Zeros(s); }});
  const optim::Optimizer sgd = repl.WrapOptimizer(optim::Sgd({.learning_rate = 0.05}), GradientReduction::kMean);
  const Literal target = Literal::FromValues<double>({4}, {1, -2, 3, 0.5});
  const PerReplica step = repl.Run([&] {
    const Tensor loss = ReduceSum(Square(w.Read() - Constant(target))) * 0.5;
    sgd.Minimize(loss);
    return loss;
  });
  Session session;
  repl.Init(session);
  const AsyncStatistics statistics = repl.RunGroups(session, step);
  ExpectNear(session.Read(w).ToDoubles(), target.ToDoubles(), 1e-9);
  EXPECT_GT(statistics.mean_staleness(), 1);
}

TEST(MultiWorkerAsync, RefusesWhatCannotBe) {
  EXPECT_ERROR(MultiWorkerAsyncReplicator({.num_sync_groups = 0}), kInvalidArgument, "num_sync_groups");
  EXPECT_ERROR(AsyncPolicy::StaleSynchronous(-1), kInvalidArgument, "bound");
  EXPECT_ERROR(AsyncPolicy::BackupWorkers(0), kInvalidArgument, "required");
  MultiWorkerAsyncReplicator repl({.num_sync_groups = 2, .num_replicas_in_sync = 2});
  const auto scope = repl.Context();
  const nn::BatchNorm norm({.scope = nn::BatchNormScope::kLocal, .name = "norm"});
  EXPECT_ERROR(repl.Run([&](const Batch& batch) { return norm(batch["x"]); }, Regression(4)), kInvalidArgument,
               "global batch norm");
  {
    const DeviceScope nowhere(5);
    EXPECT_ERROR(repl.Run([] { return Zeros({DType::kF32, {}}); }), kInvalidArgument, "sync group 5");
  }
}

}  // namespace
}  // namespace replicator
