// The promise of dataset.h: every number of pipelines and replicas deals the same global batches.
#include <gtest/gtest.h>

#include <numeric>

#include "data/testing.h"
#include "replicator/base/error.h"

namespace replicator::data {
namespace {

struct Job {
  int64_t pipelines;
  int64_t replicas;
};

constexpr Job kJobs[] = {{1, 1}, {1, 2}, {2, 2}, {1, 3}, {3, 3}, {2, 3}, {1, 4}, {2, 4},  {3, 4},
                         {4, 4}, {1, 8}, {2, 8}, {3, 8}, {4, 8}, {8, 8}, {5, 6}, {1, 24}, {24, 24}};

// The ids of each global batch, read from all pipelines of a job; -1 is padding.
std::vector<std::vector<int64_t>> GlobalBatches(const Job& job,
                                                const std::function<Dataset(const InputContext&)>& input_fn) {
  std::vector<std::vector<int64_t>> steps;
  for (int64_t pipeline = 0; pipeline < job.pipelines; ++pipeline) {
    const auto ctx = InputContext::ForPipeline(pipeline, job.pipelines, job.replicas);
    Iterator iterator = input_fn(ctx).MakeIterator();
    size_t step = 0;
    for (; auto batches = iterator.NextStep(ctx.num_replicas_in_pipeline); ++step) {
      if (pipeline == 0) steps.emplace_back();
      if (step >= steps.size()) ADD_FAILURE() << "pipeline " << pipeline << " has more steps than pipeline 0";
      for (const Element& batch : *batches) {
        const auto ids = batch["id"].data<int64_t>();
        for (size_t i = 0; i < ids.size(); ++i) {
          const bool real = !batch.components.contains("mask") || batch["mask"].data<bool>()[i];
          steps[step].push_back(real ? ids[i] : -1);
        }
      }
      EXPECT_EQ(batches->back().position.delivered, 0);
    }
    EXPECT_EQ(step, steps.size());
  }
  return steps;
}

void ExpectSameForEveryJob(const std::function<Dataset(const InputContext&)>& input_fn) {
  const auto expected = GlobalBatches({1, 1}, input_fn);
  EXPECT_FALSE(expected.empty());
  for (const Job& job : kJobs) {
    EXPECT_EQ(GlobalBatches(job, input_fn), expected) << job.pipelines << " pipelines, " << job.replicas << " replicas";
  }
}

TEST(Shard, ReplicaHoldsItsPartOfTheGlobalBatchInOrder) {
  // 3 pipelines for 8 replicas feed 3, 3 and 2; global batch 16, two examples each.
  const auto ctx = InputContext::ForPipeline(1, 3, 8);
  EXPECT_EQ(ctx.first_replica, 3);
  Iterator iterator = Ids(32).Shard(ctx).Batch(ctx.PerReplicaBatchSize(16)).MakeIterator();
  EXPECT_EQ(ReadIds(iterator),
            (std::vector<std::vector<int64_t>>{{6, 7}, {8, 9}, {10, 11}, {22, 23}, {24, 25}, {26, 27}}));
}

TEST(Shard, UnionAndOrderDoNotDependOnTheJob) {
  ExpectSameForEveryJob([](const InputContext& ctx) {
    return Ids(240).Shuffle(1).Shard(ctx).Batch(ctx.PerReplicaBatchSize(24)).Prefetch(2);
  });
  ExpectSameForEveryJob([](const InputContext& ctx) {  // batches that straddle epochs
    return Ids(100).Shard(ctx).Shuffle(1).Repeat().Batch(ctx.PerReplicaBatchSize(48)).Take(9);
  });
  ExpectSameForEveryJob([](const InputContext& ctx) {  // counts of steps, not of elements, after Batch
    return Ids(500)
        .Shuffle(1)
        .Shard(ctx)
        .Batch(ctx.PerReplicaBatchSize(24), {.remainder = Remainder::kDrop})
        .Skip(3)
        .Shuffle(7)
        .Take(11)
        .Repeat(2)
        .Prefetch(1);
  });
  ExpectSameForEveryJob([](const InputContext& ctx) {
    return Ids(100).Shard(ctx).Batch(ctx.PerReplicaBatchSize(24), {.remainder = Remainder::kPadAndMask}).Repeat(2);
  });
  ExpectSameForEveryJob([](const InputContext& ctx) {
    return IdStream(100)
        .Shuffle({.seed = 3, .window = 10})
        .Shard(ctx)
        .Batch(ctx.PerReplicaBatchSize(24), {.remainder = Remainder::kPadAndMask})
        .Repeat(2)
        .Take(7)
        .Prefetch(2);
  });
}

// What groups of replicas read that step at their own pace: each is read to its end before the next one begins.
TEST(Shard, GroupsTogetherReadWhatAsManySynchronousReplicasRead) {
  constexpr int64_t kBatch = 2;  // of one replica
  using Batches = std::vector<std::vector<int64_t>>;
  const auto read = [](const Dataset& dataset) {  // ids, with -1 for padding
    Batches batches;
    Iterator iterator = dataset.MakeIterator();
    while (const auto element = iterator.Next()) {
      batches.push_back(IdsOf(*element));
      if (!element->components.contains("mask")) continue;
      const auto mask = (*element)["mask"].data<bool>();
      for (size_t i = 0; i < mask.size(); ++i) batches.back()[i] = mask[i] ? batches.back()[i] : -1;
    }
    return batches;
  };
  const auto input = [](const Dataset& source, const InputContext& ctx, Remainder remainder) {
    return source.Shard(ctx).Batch(ctx.PerReplicaBatchSize(kBatch * ctx.num_replicas_in_sync),
                                   {.remainder = remainder});
  };
  for (const Dataset& source : {Ids(101).Shuffle(1), IdStream(101)}) {
    for (const Remainder remainder : {Remainder::kDrop, Remainder::kPadAndMask}) {
      for (int64_t groups = 1; groups <= 3; ++groups) {
        for (int64_t replicas = 1; replicas <= 3; ++replicas) {
          const Batches synchronous =
              read(input(source, InputContext::ForPipeline(0, 1, groups * replicas), remainder));
          // 101 is odd, so that the last global batch is never whole.
          const auto steps = static_cast<size_t>(101 / (kBatch * groups * replicas)) +
                             (remainder == Remainder::kPadAndMask ? size_t{1} : size_t{0});
          ASSERT_EQ(synchronous.size(), steps * static_cast<size_t>(groups * replicas));
          for (int64_t pipelines = 1; pipelines <= replicas; ++pipelines) {
            Batches dealt(synchronous.size());
            for (int64_t group = 0; group < groups; ++group) {
              for (int64_t pipeline = 0; pipeline < pipelines; ++pipeline) {
                const auto ctx = InputContext::ForPipeline(pipeline, pipelines, replicas).InSyncGroup(group, groups);
                const Batches own = read(input(source, ctx, remainder));
                const auto k = static_cast<size_t>(ctx.num_replicas_in_pipeline);
                ASSERT_EQ(own.size(), steps * k);
                for (size_t i = 0; i < own.size(); ++i) {
                  const auto replica = static_cast<size_t>(group * replicas + ctx.first_replica) + i % k;
                  dealt[i / k * static_cast<size_t>(groups * replicas) + replica] = own[i];
                }
              }
            }
            EXPECT_EQ(dealt, synchronous) << groups << " groups of " << replicas << ", " << pipelines << " pipelines";
          }
        }
      }
    }
  }
}

// By hand: 3 groups of 2 replicas with 2 examples each; the group in the middle, and its place in the stream.
TEST(Shard, AGroupHasItsPartOfEachStepOfAll) {
  const auto ctx = InputContext::ForPipeline(0, 1, 2).InSyncGroup(1, 3);
  EXPECT_EQ(ctx.PerReplicaBatchSize(4), 2);
  const Dataset dataset = Ids(36).Shard(ctx).Batch(2);
  EXPECT_EQ(dataset.ExamplesPerStep(), 12);
  EXPECT_EQ(dataset.ElementsPerStep(), 2);
  EXPECT_EQ(ReadIds(dataset),
            (std::vector<std::vector<int64_t>>{{4, 5}, {6, 7}, {16, 17}, {18, 19}, {28, 29}, {30, 31}}));
  Iterator iterator = dataset.MakeIterator();
  iterator.NextStep(2);
  EXPECT_EQ(iterator.position(), (Position{.index = 12}));
  iterator.Seek({.index = 24});
  EXPECT_EQ(ReadIds(iterator), (std::vector<std::vector<int64_t>>{{28, 29}, {30, 31}}));
  EXPECT_ERROR(iterator.Seek({.index = 4}), kInvalidArgument, "12");
  EXPECT_ERROR(Ids(40).Shard(ctx).Batch(2), kInvalidArgument, "40 examples do not make whole global batches of 12");
  const auto huge = InputContext::ForPipeline(0, 1, int64_t{1} << 40).InSyncGroup(0, int64_t{1} << 40);
  EXPECT_ERROR(Ids(8).Shard(huge).Batch(1), kInvalidArgument, "the global batch of all groups");
}

TEST(Shard, OnePipelineWithoutShardDealsTheSame) {
  for (int64_t replicas : {1, 2, 4, 8}) {
    Iterator sharded =
        Ids(64).Shuffle(1).Shard(InputContext::ForPipeline(0, 1, replicas)).Batch(16 / replicas).MakeIterator();
    Iterator plain = Ids(64).Shuffle(1).Batch(16 / replicas).MakeIterator();
    while (auto step = plain.NextStep(replicas)) {
      const auto same = sharded.NextStep(replicas);
      ASSERT_TRUE(same.has_value());
      for (size_t r = 0; r < step->size(); ++r) EXPECT_EQ((*step)[r]["id"], (*same)[r]["id"]);
      EXPECT_EQ(step->back().position, same->back().position);
    }
    EXPECT_FALSE(sharded.NextStep(replicas).has_value());
  }
}

TEST(Shard, PositionMovesBetweenJobs) {
  const auto input_fn = [](const InputContext& ctx) {
    return Ids(100).Shuffle(1).Repeat().Shard(ctx).Batch(ctx.PerReplicaBatchSize(24)).Take(12);
  };
  const auto unbroken = GlobalBatches({1, 1}, input_fn);
  Iterator first = input_fn(InputContext::ForPipeline(0, 1, 2)).MakeIterator();
  for (int i = 0; i < 5; ++i) first.NextStep(2);
  const Position saved = PositionFromString(ToString(first.position()));
  EXPECT_EQ(saved, (Position{.epoch = 0, .index = 120}));
  for (const Job& job : kJobs) {
    for (int64_t pipeline = 0; pipeline < job.pipelines; ++pipeline) {
      const auto ctx = InputContext::ForPipeline(pipeline, job.pipelines, job.replicas);
      Iterator resumed = input_fn(ctx).MakeIterator();
      resumed.Seek(saved);
      for (size_t step = 5; step < 12; ++step) {
        const auto batches = resumed.NextStep(ctx.num_replicas_in_pipeline);
        ASSERT_TRUE(batches.has_value());
        const auto b = 24 / job.replicas;
        for (int64_t l = 0; l < ctx.num_replicas_in_pipeline; ++l) {
          const auto begin = unbroken[step].begin() + (ctx.first_replica + l) * b;
          const auto ids = (*batches)[static_cast<size_t>(l)]["id"].data<int64_t>();
          EXPECT_TRUE(std::equal(ids.begin(), ids.end(), begin, begin + b));
        }
      }
      EXPECT_FALSE(resumed.NextStep(ctx.num_replicas_in_pipeline).has_value());
    }
  }
}

TEST(Shard, RefusesWhatCannotBeRight) {
  const InputContext ctx = InputContext::ForPipeline(0, 2, 4);
  EXPECT_ERROR(Ids(8).Shard(ctx).MakeIterator(), kFailedPrecondition, "follow Shard(ctx) by Batch");
  EXPECT_ERROR(Ids(8).Batch(2).Shard(ctx), kInvalidArgument, "before Batch");
  EXPECT_ERROR(Ids(8).Shard(ctx).Shard(ctx), kInvalidArgument, "already");
  EXPECT_ERROR(Ids(8).Shard(ctx).Batch(2).Batch(2), kInvalidArgument, "several replicas");
  EXPECT_ERROR(IdStream(8).Shard(ctx).Batch(2).Shuffle({.window = 4}), kInvalidArgument, "before Batch");
  EXPECT_ERROR(Ids(8).Shard({.num_replicas_in_sync = 4}), kInvalidArgument,
               "the only pipeline must feed every replica");
  EXPECT_ERROR(Ids(8).Shard({.input_pipeline_id = 2, .num_input_pipelines = 2}), kInvalidArgument, "pipeline 2 of 2");
  EXPECT_ERROR(Ids(8).Shard({.sync_group = 2, .num_sync_groups = 2}), kInvalidArgument, "group 2 of 2");
  EXPECT_ERROR(Ids(8).Shard(ctx).Batch(2).MakeIterator().NextStep(4), kInvalidArgument, "yields 2 batches per step");
  Iterator within = Ids(8).Shard(ctx).Batch(2).MakeIterator();
  within.Next();
  EXPECT_ERROR(within.NextStep(2), kFailedPrecondition, "within a step");
  Iterator short_step = Ids(12).Batch(4).MakeIterator();
  EXPECT_TRUE(short_step.NextStep(2).has_value());
  EXPECT_ERROR(short_step.NextStep(2), kInvalidArgument, "1 batches are left for 2 replicas");
  EXPECT_ERROR(short_step.NextStep(2), kInvalidArgument, "1 batches are left for 2 replicas");
}

TEST(Shard, AFailedStepIsReadAgainAsAWhole) {
  const InputContext ctx = InputContext::ForPipeline(0, 1, 4);
  for (const Dataset& source : {Ids(32), IdStream(32)}) {
    bool broken = false;
    const Dataset dataset = source.Shard(ctx).Batch(2).Map([&broken](const Element& e) {
      if (broken && IdsOf(e)[0] == 12) throw Error(ErrorCode::kUnavailable, "the disk is away");
      return e.components;
    });
    Iterator iterator = dataset.MakeIterator();
    iterator.NextStep(4);
    broken = true;
    EXPECT_ERROR(iterator.NextStep(4), kUnavailable, "the disk is away");
    EXPECT_EQ(iterator.position(), (Position{.index = 8}));
    broken = false;
    const auto step = iterator.NextStep(4);
    ASSERT_TRUE(step.has_value());
    EXPECT_EQ(IdsOf(step->front()), (std::vector<int64_t>{8, 9}));
    EXPECT_EQ(step->back().position, (Position{.index = 16}));
  }
}

TEST(InputContext, PerReplicaBatchSize) {
  const InputContext ctx = InputContext::ForPipeline(0, 1, 8);
  EXPECT_EQ(ctx.PerReplicaBatchSize(1024), 128);
  EXPECT_ERROR(ctx.PerReplicaBatchSize(100), kInvalidArgument, "100 examples cannot be dealt evenly to 8 replicas");
  EXPECT_ERROR(ctx.PerReplicaBatchSize(100), kInvalidArgument, "96 or 104");
  EXPECT_ERROR(ctx.PerReplicaBatchSize(5), kInvalidArgument, "can is 8");
  EXPECT_ERROR(ctx.PerReplicaBatchSize(0), kInvalidArgument, "can is 8");
  EXPECT_ERROR(ctx.PerReplicaBatchSize(-8), kInvalidArgument, "can is 8");
}

TEST(InputContext, ForPipelineFeedsEachReplicaOnce) {
  for (int64_t replicas = 1; replicas <= 9; ++replicas) {
    for (int64_t pipelines = 1; pipelines <= replicas; ++pipelines) {
      int64_t next = 0;
      for (int64_t p = 0; p < pipelines; ++p) {
        const auto ctx = InputContext::ForPipeline(p, pipelines, replicas);
        ctx.Validate();
        EXPECT_EQ(ctx.first_replica, next);
        next += ctx.num_replicas_in_pipeline;
      }
      EXPECT_EQ(next, replicas);
    }
  }
  EXPECT_ERROR(InputContext::ForPipeline(0, 3, 2), kInvalidArgument, "3 for 2 replicas");
}

TEST(InputContext, InSyncGroup) {
  const auto alone = InputContext::ForPipeline(1, 2, 3);
  EXPECT_EQ(alone.InSyncGroup(0, 1), alone);
  const auto second = alone.InSyncGroup(1, 4);
  EXPECT_EQ(second.sync_group, 1);
  EXPECT_EQ(second.num_sync_groups, 4);
  EXPECT_EQ(second.PerReplicaBatchSize(12), 4);  // of one group's step
  EXPECT_ERROR(second.PerReplicaBatchSize(4), kInvalidArgument, "dealt evenly to 3 replicas");
  EXPECT_ERROR(alone.InSyncGroup(4, 4), kInvalidArgument, "group 4 of 4");
  EXPECT_ERROR(alone.InSyncGroup(-1, 4), kInvalidArgument, "group -1 of 4");
  EXPECT_ERROR(alone.InSyncGroup(0, 0), kInvalidArgument, "group 0 of 0");
}

}  // namespace
}  // namespace replicator::data
