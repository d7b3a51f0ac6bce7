// Interrupting a reader that waits for a generator.
#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "data/testing.h"

namespace replicator::data {
namespace {

// A queue that stays empty: its reader waits until it is stopped.
Dataset Silent() {
  return Dataset::Generator({{"id", {DType::kI64, {}}}}, [](std::stop_token stop) -> GeneratorFn {
    return [stop]() -> std::optional<Components> {
      std::mutex mutex;
      std::condition_variable_any never;
      std::unique_lock lock(mutex);
      never.wait(lock, stop, [] { return false; });
      return std::nullopt;
    };
  });
}

// Whether Next ended, in either of the two ways, once stop was requested.
bool EndsWhenStopped(const Dataset& dataset) {
  std::stop_source stop;
  bool ended = false;
  std::jthread reader([&, iterator = dataset.MakeIterator(stop.get_token())]() mutable {
    try {
      ended = !iterator.Next().has_value();
    } catch (const Error& error) {
      ended = error.code() == ErrorCode::kCancelled;
    }
  });
  stop.request_stop();
  reader.join();
  return ended;
}

TEST(Stop, InterruptsAWaitingGenerator) { EXPECT_TRUE(EndsWhenStopped(Silent())); }

TEST(Stop, InterruptsThroughAllStages) {
  EXPECT_TRUE(EndsWhenStopped(Silent().Shuffle({.seed = 1, .window = 4}).Repeat().Batch(2).Prefetch(2)));
  EXPECT_TRUE(EndsWhenStopped(Silent().Map([](Element element) { return element.components; }, {.parallelism = 2})));
}

TEST(Stop, EndsAReaderOfReadAheadElements) {
  const Dataset slow = Ids(1000).Map([](Element element) { return element.components; }, {.parallelism = 2});
  std::stop_source stop;
  Iterator iterator = slow.MakeIterator(stop.get_token());
  EXPECT_TRUE(iterator.Next().has_value());
  stop.request_stop();
  const auto drain = [&] {
    while (iterator.Next().has_value()) {
    }
  };
  EXPECT_ERROR(drain(), kCancelled, "closed");
}

}  // namespace
}  // namespace replicator::data
