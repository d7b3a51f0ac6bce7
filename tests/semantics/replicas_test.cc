// docs/semantics.md, "Replicas" and "Input and randomness".
#include "program.h"

#include <cmath>

namespace replicator::testing_support {
namespace {

TEST(Replicas, TheStepFunctionIsCalledOncePerReplica) {
  LocalReplicator repl({.num_replicas = 5});
  std::vector<int> called;
  repl.Run([&] {
    called.push_back(ReplicaContext::Current().replica_index());
    return Constant(1.0);
  });
  EXPECT_THAT(called, testing::ElementsAre(0, 1, 2, 3, 4));
}

// Replicas augment their batch each in its own way before a shared collective, use a private value after it, and reduce
// again.
TEST(Replicas, ReplicasThatDifferAgreeWithAHostSimulation) {
  constexpr int kReplicas = 3, kBatch = 2, kSteps = 3;
  LocalReplicator repl({.num_replicas = kReplicas});
  const auto scope = repl.Context();
  const Variable w = ScalarVariable("w", 0.5);
  const PerReplica result = repl.Run(
      [&](const Batch& batch) {
        const int me = ReplicaContext::Current().replica_index();
        const Tensor x = batch["x"] * w;
        Tensor augmented = x;
        if (me == 1) augmented = Tanh(x);
        if (me == 2) augmented = x * x + 1.0;
        const Tensor total = AllSum(augmented);
        const Tensor own = me == 1 ? total - augmented : total * 2.0;
        const Tensor mean = AllMean(ReduceSum(own));
        w.Assign(w + mean * 0.001);
        return me == 0 ? own + mean : own - augmented;
      },
      Counting(64, kBatch));
  Session session;
  repl.Init(session);

  double weight = 0.5;
  for (int step = 0; step < kSteps; ++step) {
    const Fetched fetched = session.Run(result);
    double augmented[kReplicas][kBatch], own[kReplicas][kBatch], total[kBatch] = {}, mean = 0;
    for (int r = 0; r < kReplicas; ++r) {
      for (int i = 0; i < kBatch; ++i) {
        const double x = ((step * kReplicas + r) * kBatch + i) * weight;
        augmented[r][i] = r == 1 ? std::tanh(x) : r == 2 ? x * x + 1 : x;
        total[i] += augmented[r][i];
      }
    }
    for (int r = 0; r < kReplicas; ++r) {
      for (int i = 0; i < kBatch; ++i) {
        own[r][i] = r == 1 ? total[i] - augmented[r][i] : total[i] * 2;
        mean += own[r][i] / kReplicas;
      }
    }
    for (int r = 0; r < kReplicas; ++r) {
      const std::vector<double> values = fetched.Get(r).ToDoubles();
      for (int i = 0; i < kBatch; ++i) {
        const double expected = r == 0 ? own[r][i] + mean : own[r][i] - augmented[r][i];
        EXPECT_NEAR(values[static_cast<size_t>(i)], expected, 1e-5 * std::fabs(expected) + 1e-5) << step << " " << r;
      }
    }
    weight += mean * 0.001;
    EXPECT_NEAR(session.Read(w).Item<double>(), weight, 1e-5);
  }
}

TEST(Replicas, CollectivesGiveWhatTheirNamesSay) {
  for (const int replicas : {1, 2, 3, 8}) {
    LocalReplicator repl({.num_replicas = replicas});
    const auto results = repl.Run(
        [&](const Batch& batch) {
          const Tensor x = batch["x"];
          return std::vector<Tensor>{AllSum(x),
                                     AllMean(x),
                                     AllMin(x),
                                     AllMax(x),
                                     AllGather(x),
                                     Broadcast(x, replicas - 1),
                                     Broadcast(x > 0.5, 0)};
        },
        Counting(16, 2));
    Session session;
    repl.Init(session);
    const auto values = session.Run(std::vector<Fetch>(results.begin(), results.end()));
    const auto last = static_cast<float>(2 * (replicas - 1));
    std::vector<float> all(static_cast<size_t>(2 * replicas));
    float sum0 = 0;
    for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<float>(i);
    for (int r = 0; r < replicas; ++r) sum0 += static_cast<float>(2 * r);
    const auto n = static_cast<float>(replicas);
    EXPECT_EQ(values[0].Get(), Literal::FromValues<float>({2}, {sum0, sum0 + n}));
    EXPECT_EQ(values[1].Get(), Literal::FromValues<float>({2}, {sum0 / n, sum0 / n + 1}));
    EXPECT_EQ(values[2].Get(), Literal::FromValues<float>({2}, {0, 1}));
    EXPECT_EQ(values[3].Get(), Literal::FromValues<float>({2}, {last, last + 1}));
    EXPECT_EQ(values[4].Get(), Literal::FromValues<float>({replicas, 2}, all));
    EXPECT_EQ(values[5].Get(), Literal::FromValues<float>({2}, {last, last + 1}));
    EXPECT_EQ(values[6].Get(), Literal::FromValues<bool>({2}, {false, true}));
  }
}

std::vector<double> Dropped(int replicas) {
  constexpr int64_t kGlobal = 24;
  LocalReplicator repl({.num_replicas = replicas, .seed = 3});
  const auto scope = repl.Context();
  const nn::Dropout dropout({.rate = 0.5});
  const PerReplica kept = repl.Run(
      [=](const Batch& batch) {
        return dropout(BroadcastTo(Reshape(batch["x"] * 0.0 + 1.0, {-1, 1}), {batch["x"].dim(0), 3}));
      },
      Counting(kGlobal, kGlobal / replicas));
  Session session;
  repl.Init(session);
  std::vector<double> all;
  for (int step = 0; step < 2; ++step) {
    for (const Literal& value : session.Run(kept).GetAll()) {
      const std::vector<double> part = value.ToDoubles();
      all.insert(all.end(), part.begin(), part.end());
    }
  }
  return all;
}

TEST(Replicas, DropoutIsTheSameForAnyNumberOfReplicas) {
  const std::vector<double> one = Dropped(1);
  EXPECT_EQ(one, Dropped(2));
  EXPECT_EQ(one, Dropped(3));
  EXPECT_EQ(one, Dropped(8));
  const auto half = static_cast<std::ptrdiff_t>(one.size() / 2);
  EXPECT_FALSE(std::equal(one.begin(), one.begin() + half, one.begin() + half)) << "each step draws anew";
}

TEST(Replicas, EachModeOfInputFeedsTheSameBatches) {
  for (const auto mode :
       {InputReplicationMode::kSingle, InputReplicationMode::kPerWorker, InputReplicationMode::kPerReplica}) {
    LocalReplicator repl({.num_replicas = 4});
    int calls = 0;
    const InputIterator input = repl.MakeInputIterator(
        [&](const InputContext& context) {
          ++calls;
          return Numbers(32).Shard(context).Batch(context.PerReplicaBatchSize(8));
        },
        mode);
    const PerReplica x = repl.Run([](const Batch& batch) { return batch["x"]; }, input);
    Session session;
    repl.Init(session);
    session.Run(x);
    EXPECT_EQ(session.Run(x).Get(3), Literal::FromValues<float>({2}, {14, 15}));
    EXPECT_EQ(calls, mode == InputReplicationMode::kPerReplica ? 4 : 1);
  }
}

TEST(Replicas, AnIndivisibleGlobalBatchNamesTheNearestSizes) {
  LocalReplicator repl({.num_replicas = 3});
  const Error error = ErrorOf([&] {
    repl.MakeInputIterator(
        [](const InputContext& context) { return Numbers(32).Shard(context).Batch(context.PerReplicaBatchSize(8)); });
  });
  EXPECT_THAT(error.message(), testing::AllOf(testing::HasSubstr("6"), testing::HasSubstr("9")));
}

}  // namespace
}  // namespace replicator::testing_support
