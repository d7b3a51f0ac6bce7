// Background threads: bounded, in order, and gone at any moment.
#include "data/read_ahead.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <stdexcept>
#include <thread>

#include "data/testing.h"

namespace replicator::data {
namespace {

Components Same(Element element) { return std::move(element.components); }

// Waits for a condition that must come true.
template <typename Condition>
void Await(Condition condition) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!condition()) {
    ASSERT_LT(std::chrono::steady_clock::now(), deadline);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

TEST(ReadAhead, PrefetchRunsAheadAsFarAsItsCountAndNoFurther) {
  for (const Dataset& source : {Ids(100), IdStream(100)}) {
    std::atomic<int> calls = 0;
    const Dataset dataset = source.Map([&calls](Element e) {
      ++calls;
      return Same(std::move(e));
    });
    calls = 0;
    Iterator iterator = dataset.Prefetch(5).MakeIterator();
    iterator.Next();
    Await([&] { return calls == 6; });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(calls, 6);  // one consumed, five held
    iterator.Next();
    Await([&] { return calls == 7; });
  }
}

TEST(ReadAhead, ParallelMapRunsConcurrently) {
  for (const Dataset& source : {Ids(30), IdStream(30)}) {
    std::mutex mutex;
    std::condition_variable arrived;
    int waiting = 0;
    bool armed = false;
    // Three calls must be inside at the same time for any to return.
    const Dataset dataset = source.Map(
        [&](Element e) {
          std::unique_lock lock(mutex);
          if (!armed) return Same(std::move(e));
          const int group = waiting++ / 3;
          arrived.notify_all();
          if (!arrived.wait_for(lock, std::chrono::seconds(20), [&] { return waiting >= 3 * (group + 1); })) {
            throw std::runtime_error("alone");
          }
          return Same(std::move(e));
        },
        {.parallelism = 3});
    armed = true;
    const auto ids = ReadIds(dataset);
    ASSERT_EQ(ids.size(), 30u);
    for (size_t i = 0; i < 30; ++i) EXPECT_EQ(ids[i][0], static_cast<int64_t>(i));
  }
}

TEST(ReadAhead, EndsAtAnyMoment) {
  for (int round = 0; round < 300; ++round) {
    for (const Dataset& source : {Ids(20).Shuffle(1), IdStream(20)}) {
      Iterator iterator =
          source.Map(Same, {.parallelism = 1 + round % 4}).Batch(2).Prefetch(1 + round % 3).MakeIterator();
      for (int i = 0; i < round % 13; ++i) iterator.Next();
      if (round % 5 == 0) iterator.Seek({.index = 4});
      if (round % 7 == 0) iterator.Restart();
      if (round % 2 == 0) iterator.Next();
    }
  }
}

TEST(ReadAhead, NestedStagesEndWhileEveryoneWaits) {
  for (int round = 0; round < 50; ++round) {
    Iterator iterator =
        IdStream(1000).Prefetch(1).Map(Same, {.parallelism = 2}).Prefetch(1).Batch(1).Prefetch(2).MakeIterator();
    for (int i = 0; i < round % 3; ++i) iterator.Next();
  }
}

TEST(ReadAhead, EndsWhileAGeneratorWaits) {
  std::atomic<bool> waits = false, interrupted = false;
  const Dataset waiting = Dataset::Generator({{"id", {DType::kI64, {}}}}, [&](std::stop_token stop) -> GeneratorFn {
    return [&waits, &interrupted, stop, n = int64_t{0}]() mutable -> std::optional<Components> {
      if (n < 3) return Components{{"id", Literal::Scalar(n++)}};
      std::mutex mutex;
      std::unique_lock lock(mutex);
      std::condition_variable_any never;
      waits = true;
      never.wait(lock, stop, [] { return false; });
      interrupted = true;
      return std::nullopt;
    };
  });
  {
    Iterator iterator = waiting.Map(Same, {.parallelism = 2}).Prefetch(2).MakeIterator();
    for (int64_t i = 0; i < 3; ++i) EXPECT_EQ(IdsOf(*iterator.Next()), (std::vector<int64_t>{i}));
    Await([&] { return waits.load(); });
  }
  EXPECT_TRUE(interrupted);
}

TEST(ReadAhead, ErrorsComeAtTheirTurn) {
  for (int round = 0; round < 50; ++round) {
    const int64_t bad = round % 10;
    const auto fail = [bad](Element e) {
      if (e["id"].Item<int64_t>() == bad) throw std::runtime_error("bad one");
      return Same(std::move(e));
    };
    const ElementSpec spec = {{"id", {DType::kI64, {}}}};
    for (const Dataset& source : {Ids(20), IdStream(20)}) {
      Iterator iterator = source.Map(fail, {.parallelism = 3, .spec = spec}).Prefetch(4).MakeIterator();
      for (int64_t i = 0; i < bad; ++i) EXPECT_EQ(IdsOf(*iterator.Next()), (std::vector<int64_t>{i}));
      EXPECT_ERROR(iterator.Next(), kUnknown, "element " + std::to_string(bad) + " of epoch 0: bad one");
      EXPECT_EQ(iterator.position(), (Position{.index = bad}));
    }
  }
}

TEST(ReadAhead, IteratorsOfOneDatasetAreIndependent) {
  const Dataset dataset = Ids(200).Cache().Shuffle(1).Map(Same, {.parallelism = 2}).Batch(5).Prefetch(2);
  const auto expected = ReadIds(dataset);
  std::vector<std::jthread> readers;
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back([&] { EXPECT_EQ(ReadIds(dataset), expected); });
  }
}

TEST(ReadAhead, AnIteratorMovesWithItsThreads) {
  Iterator iterator = Ids(100).Prefetch(3).MakeIterator();
  iterator.Next();
  Iterator moved = std::move(iterator);
  EXPECT_EQ(IdsOf(*moved.Next()), (std::vector<int64_t>{1}));
  moved = IdStream(5).Prefetch(2).MakeIterator();
  EXPECT_EQ(ReadIds(moved).size(), 5u);
}

}  // namespace
}  // namespace replicator::data
