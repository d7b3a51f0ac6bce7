#include "runtime/prefetcher.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

namespace replicator {
namespace {

using Ints = Prefetcher<int>;

// 0, 1, ..., size - 1.
Ints::Open CountTo(int size) {
  return [size](const std::stop_token&) -> Ints::Pull {
    return [size, next = 0]() mutable -> std::optional<int> {
      if (next == size) return std::nullopt;
      return next++;
    };
  };
}

TEST(Prefetcher, KeepsTheOrderAndTheEnd) {
  for (size_t depth : {1, 2, 7}) {
    Ints prefetcher(depth, CountTo(100));
    for (int i = 0; i < 100; ++i) EXPECT_EQ(prefetcher.Take(), i);
    EXPECT_EQ(prefetcher.Take(), std::nullopt);
    EXPECT_EQ(prefetcher.Take(), std::nullopt);
  }
}

TEST(Prefetcher, MakesNoMoreThanItsDepthAhead) {
  std::atomic<int> made = 0;
  {
    Ints prefetcher(
        3, [&](const std::stop_token&) -> Ints::Pull { return [&]() -> std::optional<int> { return ++made; }; });
    for (int i = 1; i <= 50; ++i) {
      EXPECT_EQ(prefetcher.Take(), i);
      EXPECT_LE(made, i + 3);
    }
    while (made < 53) std::this_thread::yield();
  }
  EXPECT_EQ(made, 53);
}

TEST(Prefetcher, ThrowsAtItsTurnAndTriesAgainWhenAsked) {
  std::atomic<int> attempts = 0;
  Ints prefetcher(2, [&](const std::stop_token&) -> Ints::Pull {
    return [&, next = 0]() mutable -> std::optional<int> {
      if (next == 2 && ++attempts <= 3) throw std::runtime_error("attempt " + std::to_string(attempts));
      return next++;
    };
  });
  EXPECT_EQ(prefetcher.Take(), 0);
  EXPECT_EQ(prefetcher.Take(), 1);
  for (int i = 1; i <= 3; ++i) {
    try {
      prefetcher.Take();
      ADD_FAILURE() << "no error";
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(error.what(), "attempt " + std::to_string(i));
    }
    EXPECT_EQ(attempts, i);  // not before it is asked
  }
  EXPECT_EQ(prefetcher.Take(), 2);
  EXPECT_EQ(prefetcher.Take(), 3);
}

TEST(Prefetcher, OpensAgainAfterOpeningFailed) {
  std::atomic<int> opened = 0;
  Ints prefetcher(2, [&](const std::stop_token& stop) -> Ints::Pull {
    if (++opened == 1) throw std::runtime_error("no");
    return CountTo(1)(stop);
  });
  EXPECT_THROW(prefetcher.Take(), std::runtime_error);
  EXPECT_EQ(prefetcher.Take(), 0);
}

TEST(Prefetcher, EndsAtAnyMoment) {
  for (int taken = 0; taken < 20; ++taken) {
    Ints prefetcher(2, CountTo(10));
    for (int i = 0; i < taken; ++i) prefetcher.Take();
  }
}

TEST(Prefetcher, EndsWhileThePullWaits) {
  std::atomic<bool> waiting = false;
  {
    Ints prefetcher(2, [&](std::stop_token stop) -> Ints::Pull {
      return [&, stop]() -> std::optional<int> {
        std::mutex mutex;
        std::condition_variable_any never;
        std::unique_lock lock(mutex);
        waiting = true;
        never.wait(lock, stop, [] { return false; });
        return std::nullopt;
      };
    });
    while (!waiting) std::this_thread::yield();
  }
  EXPECT_TRUE(waiting);
}

}  // namespace
}  // namespace replicator
