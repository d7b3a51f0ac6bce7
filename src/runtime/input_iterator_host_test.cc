// The input without a device: what is put is recorded.
#include "replicator/runtime/input_iterator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <map>
#include <thread>

#include "runtime/testing.h"

namespace replicator {
namespace {

using namespace replicator::runtime_testing;  // NOLINT: helpers of this room's tests
using testing::ElementsAre;

using Impl = InputIterator::Impl;
using Mode = InputReplicationMode;

// An input that remembers what it has put, by replica.
class Recorded {
 public:
  Recorded(const InputFn& input_fn, Mode mode, int num_replicas)
      : impl_(std::make_shared<Impl>(input_fn, mode, num_replicas, SourceLocation::current())),
        owner_(std::make_shared<int>(0)) {
    impl_->Bind(owner_, [this](const Literal& value, int replica) {
      const std::lock_guard lock(mutex_);
      put_[replica].push_back(value);
      return pjrt::Buffer();
    });
  }

  Impl& impl() { return *impl_; }
  // One step: takes and commits.
  void Step() {
    const std::lock_guard lock(impl_->run_mutex());
    impl_->Commit(impl_->Take());
    ++taken_;
  }
  // All that the steps so far have consumed of "x", by replica, in order.
  std::vector<double> Consumed(int replica) {
    const std::lock_guard lock(mutex_);
    std::vector<double> all;
    for (int i = 0; i < taken_; ++i) {
      const auto batch = put_[replica].at(static_cast<size_t>(i)).ToDoubles();
      all.insert(all.end(), batch.begin(), batch.end());
    }
    return all;
  }

 private:
  std::mutex mutex_;
  std::map<int, std::vector<Literal>> put_;
  int taken_ = 0;
  std::shared_ptr<Impl> impl_;  // its thread uses what is above
  std::shared_ptr<int> owner_;
};

int StepsToEnd(Recorded& input) {
  int steps = 0;
  try {
    for (;; ++steps) input.Step();
  } catch (const OutOfRange&) {
  }
  return steps;
}

TEST(InputIterator, DealsTheSameGlobalBatchesInEveryMode) {
  for (Mode mode : {Mode::kSingle, Mode::kPerWorker, Mode::kPerReplica}) {
    Recorded input(Counting(12, 6), mode, 3);
    input.Step();
    input.Step();
    EXPECT_THAT(input.Consumed(0), ElementsAre(0, 1, 6, 7));
    EXPECT_THAT(input.Consumed(1), ElementsAre(2, 3, 8, 9));
    EXPECT_THAT(input.Consumed(2), ElementsAre(4, 5, 10, 11));
    EXPECT_EQ(input.impl().position().index, 12);
  }
}

TEST(InputIterator, KeepsSayingThatItHasEndedUntilItIsInitialised) {
  Recorded input(Counting(8, 4), Mode::kPerWorker, 2);
  EXPECT_EQ(StepsToEnd(input), 2);
  EXPECT_ERROR(input.Step(), kOutOfRange, "Initialize()");
  EXPECT_ERROR(input.Step(), kOutOfRange, "index 8");
  input.impl().Initialize();
  EXPECT_EQ(input.impl().position(), (data::Position{.epoch = 1}));
  EXPECT_EQ(StepsToEnd(input), 2);
}

TEST(InputIterator, InitializeBeginsANewSweepUnlessThisOneIsUntouched) {
  Recorded input(Counting(8, 4), Mode::kPerWorker, 2);
  input.impl().Initialize();
  EXPECT_EQ(input.impl().position(), (data::Position{}));
  input.Step();
  input.impl().Initialize();
  EXPECT_EQ(input.impl().position(), (data::Position{.epoch = 1}));
}

TEST(InputIterator, TellsTheConsumedPositionAndNotWhatWasReadAhead) {
  Recorded input(Counting(40, 4), Mode::kPerReplica, 2);
  for (int step = 1; step <= 10; ++step) {
    input.Step();
    EXPECT_EQ(input.impl().position().index, 4 * step);
  }
}

TEST(InputIterator, WhatIsPutBackIsTakenAgain) {
  Recorded input(Counting(12, 2), Mode::kPerWorker, 2);
  const std::lock_guard lock(input.impl().run_mutex());
  DeviceBatches first = input.impl().Take();
  DeviceBatches second = input.impl().Take();
  input.impl().PutBack(std::move(second));
  input.impl().PutBack(std::move(first));
  EXPECT_EQ(input.impl().position().index, 0);
  for (int64_t index : {2, 4, 6}) EXPECT_EQ(input.impl().Take().position.index, index);
}

TEST(InputIterator, SeeksForwardsAndBackwards) {
  for (Mode mode : {Mode::kPerWorker, Mode::kPerReplica}) {
    Recorded input(Counting(20, 2), mode, 2);
    input.Step();
    const auto seek = [&](int64_t index) {
      const std::lock_guard lock(input.impl().run_mutex());
      input.impl().Seek({.index = index});
    };
    seek(10);
    EXPECT_EQ(StepsToEnd(input), 5);
    seek(0);
    EXPECT_EQ(StepsToEnd(input), 10);
    EXPECT_ERROR(seek(3), kInvalidArgument, "multiple of the global batch");
    EXPECT_ERROR(seek(40), kInvalidArgument, "ends at index 20");
    EXPECT_EQ(input.impl().position().index, 20);
  }
}

TEST(InputIterator, PipelinesThatEndAtDifferentStepsAreAnError) {
  // Replica 1's pipeline is shorter by a step.
  const InputFn uneven = [](const InputContext& context) {
    const int64_t size = context.first_replica == 1 ? 4 : 6;
    return data::Dataset::FromTensors({{"x", Literal(Shape{DType::kF32, {size}})}}).Batch(2);
  };
  Recorded input(uneven, Mode::kPerReplica, 3);
  input.Step();
  input.Step();
  EXPECT_ERROR(input.Step(), kInvalidArgument, "has ended for 1 of the 3 pipelines");
  EXPECT_ERROR(input.Step(), kInvalidArgument, "has ended for 1 of the 3 pipelines");
  EXPECT_EQ(input.impl().position().index, 4);
}

TEST(InputIterator, PipelinesWithUnlikeBatchesAreRefused) {
  const InputFn unlike = [](const InputContext& context) {
    return data::Dataset::FromTensors({{"x", Literal(Shape{DType::kF32, {8}})}}).Batch(1 + context.first_replica);
  };
  EXPECT_ERROR(Recorded(unlike, Mode::kPerReplica, 2), kInvalidArgument, "{x: f32[2]}");
  EXPECT_ERROR(Recorded(nullptr, Mode::kPerReplica, 2), kInvalidArgument, "input function is empty");
}

TEST(InputIterator, AnErrorOfThePipelineComesAtItsTurnAndIsTriedAgain) {
  auto failures = std::make_shared<std::atomic<int>>(2);
  const InputFn failing = [failures](const InputContext& context) {
    return data::Dataset::FromIndex(8, {{"x", Shape{DType::kF32, {}}}},
                                    [failures](int64_t index) -> data::Components {
                                      if (index == 4 && (*failures)-- > 0) throw std::runtime_error("disk on fire");
                                      return {{"x", Literal::Scalar(static_cast<float>(index))}};
                                    })
        .Shard(context)
        .Batch(context.PerReplicaBatchSize(2));
  };
  Recorded input(failing, Mode::kPerReplica, 2);
  input.Step();
  input.Step();
  EXPECT_ERROR(input.Step(), kUnknown, "disk on fire");
  EXPECT_ERROR(input.Step(), kUnknown, "disk on fire");
  EXPECT_EQ(StepsToEnd(input), 2);
}

TEST(InputIterator, EndsWhileAGeneratorWaits) {
  const InputFn silent = [](const InputContext&) {
    return data::Dataset::Generator({{"x", Shape{DType::kF32, {}}}}, [](std::stop_token stop) -> data::GeneratorFn {
      return [stop, given = 0]() mutable -> std::optional<data::Components> {
        if (given++ == 0) return data::Components{{"x", Literal::Scalar(1.0f)}};
        std::mutex mutex;
        std::condition_variable_any never;
        std::unique_lock lock(mutex);
        never.wait(lock, stop, [] { return false; });
        return std::nullopt;
      };
    });
  };
  Recorded input(silent, Mode::kPerWorker, 1);
  input.Step();  // the next one waits
}

TEST(InputIterator, FeedsOneReplicatorOnly) {
  Recorded input(Counting(8, 2), Mode::kPerWorker, 2);
  EXPECT_ERROR(input.impl().Bind(std::make_shared<int>(0), nullptr), kFailedPrecondition, "another replicator");
  EXPECT_ERROR(InputIterator().Initialize(), kFailedPrecondition, "undefined");
}

TEST(InputIterator, ManyThreadsConsumeEachBatchOnce) {
  Recorded input(Counting(400, 2), Mode::kPerWorker, 2);
  std::mutex mutex;
  std::vector<int64_t> seen;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 8; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < 25; ++i) {
          const std::lock_guard running(input.impl().run_mutex());
          const DeviceBatches batches = input.impl().Take();
          input.impl().Commit(batches);
          const std::lock_guard lock(mutex);
          seen.push_back(batches.position.index);
        }
      });
    }
  }
  for (size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i], 2 * (static_cast<int64_t>(i) + 1));
  EXPECT_EQ(seen.size(), 200u);
}

}  // namespace
}  // namespace replicator
