// The store with numbers on the host in place of device buffers: policies, exactness, orders, and threads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <random>
#include <set>
#include <thread>

#include "replicator/base/error.h"
#include "store/order.h"
#include "store/parameter_store.h"

namespace replicator::store {
namespace {

struct Numbers : State {
  mutable std::vector<double> values;
};
struct Delta : Update {
  explicit Delta(double amount) : value(amount) {}
  double value;
};

// Adds each update to every number; writes into the state itself where it is told that nobody else holds it, so that a
// wrong `exclusive` is a race, or a changed reading.
class Adder : public Applier {
 public:
  StateRef Apply(int, StateRef state, bool exclusive, std::span<const UpdateRef> updates, double scale) override {
    if (++calls == fail_at) throw Error(ErrorCode::kUnavailable, "planted");
    const auto& before = static_cast<const Numbers&>(*state);
    std::shared_ptr<Numbers> next;
    if (!exclusive) {
      next = std::make_shared<Numbers>();
      next->values = before.values;
    }
    std::vector<double>& values = exclusive ? before.values : next->values;
    double sum = 0;
    for (const UpdateRef& update : updates) sum += static_cast<const Delta&>(*update).value;
    for (double& value : values) value = value * 1.0000001 + scale * sum / static_cast<double>(updates.size());
    sizes.push_back(updates.size());
    return exclusive ? std::move(state) : std::move(next);
  }
  int calls = 0, fail_at = -1;  // under the store's lock, as the following
  std::vector<size_t> sizes;
};

std::vector<StateRef> Cells(int count = 1) {
  std::vector<StateRef> cells;
  for (int c = 0; c < count; ++c) {
    auto state = std::make_shared<Numbers>();
    state->values.assign(8, 0.0);
    cells.push_back(std::move(state));
  }
  return cells;
}

double First(const StateRef& state) { return static_cast<const Numbers&>(*state).values[0]; }

// Yields, or sleeps for some microseconds.
void Pause(std::mt19937& random) {
  if (random() % 3 == 0) std::this_thread::yield();
  if (random() % 16 == 0) std::this_thread::sleep_for(std::chrono::microseconds(random() % 50));
}

// Runs `groups` threads; each reads, checks that its reading stays as it is, and pushes something that depends on it.
void RunThreads(ParameterStore& store, int groups, uint32_t seed,
                const std::function<void(const Reading&)>& on_read = {},
                const std::function<void(int, const Pushed&)>& on_push = {}, int abandon_one_in = 0) {
  std::vector<std::thread> threads;
  for (int g = 0; g < groups; ++g) {
    threads.emplace_back([&, g] {
      std::mt19937 random(seed + static_cast<uint32_t>(g));
      while (std::optional<Reading> reading = store.Read(g)) {
        if (on_read) on_read(*reading);
        const double before = First(reading->states[0]);
        Pause(random);
        ASSERT_EQ(First(reading->states[0]), before) << "a version changed while it was read";
        if (abandon_one_in > 0 && random() % static_cast<uint32_t>(abandon_one_in) == 0) {
          store.Abandon(*reading);
          continue;
        }
        const auto update = std::make_shared<Delta>(1.0 + 0.001 * g - 0.01 * before);
        const Pushed pushed = store.Push(std::move(*reading), update);
        if (on_push) on_push(g, pushed);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(ParameterStore, BoundsAreNeverExceededOverTenThousandSteps) {
  for (int bound = 1; bound <= 4; ++bound) {
    const auto adder = std::make_shared<Adder>();
    ParameterStore store({.num_groups = 5, .policy = AsyncPolicy::StaleSynchronous(bound), .max_updates = 10'000},
                         Cells(), adder);
    std::mutex mutex;
    std::vector<int64_t> clocks(5, 0);
    int64_t most = 0;
    RunThreads(
        store, 5, 10,
        [&](const Reading& reading) {
          const std::lock_guard lock(mutex);
          // Another group's own clock may be one ahead of what is known of it here, never behind.
          const int64_t slowest = *std::min_element(clocks.begin(), clocks.end());
          most = std::max(most, reading.step - slowest);
        },
        [&](int group, const Pushed&) {
          const std::lock_guard lock(mutex);
          ++clocks[static_cast<size_t>(group)];
        });
    // `clocks` are counted after a push has returned, so that each may lag by one.
    EXPECT_LE(most, bound + 1);
    EXPECT_EQ(store.updates(), 10'000);
    // Between a read and its push, each other group makes at most 2 * bound + 1 steps.
    EXPECT_LE(store.statistics().max_staleness(), 4 * (2 * bound + 1));
  }
}

// One thread, so that the clocks are known exactly: a group that would be further ahead than the bound does not begin.
TEST(ParameterStore, AGroupWaitsForTheSlowest) {
  for (int bound = 1; bound <= 4; ++bound) {
    ParameterStore store({.num_groups = 2, .policy = AsyncPolicy::StaleSynchronous(bound)}, Cells(),
                         std::make_shared<Adder>());
    const auto step = [&](int group) { store.Push(*store.Read(group), std::make_shared<Delta>(1)); };
    for (int i = 0; i <= bound; ++i) step(0);  // clock bound + 1
    std::atomic<bool> began{false};
    std::thread ahead([&] {
      step(0);
      began = true;
    });
    while (store.statistics().groups[0].steps < bound + 1) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_FALSE(began) << bound;
    step(1);
    ahead.join();
    EXPECT_EQ(store.statistics().groups[0].waits, 1);
  }
}

TEST(ParameterStore, ABoundOfZeroAggregatesEachClock) {
  std::vector<double> results;
  for (uint32_t seed : {1u, 99u}) {
    const auto adder = std::make_shared<Adder>();
    ParameterStore store({.num_groups = 4, .policy = AsyncPolicy::StaleSynchronous(0), .max_updates = 200}, Cells(),
                         adder);
    RunThreads(store, 4, seed);
    EXPECT_EQ(adder->calls, 200);
    EXPECT_THAT(adder->sizes, testing::Each(4u));
    results.push_back(First(store.Peek()[0]));
  }
  EXPECT_EQ(results[0], results[1]);
}

TEST(ParameterStore, MaxUpdatesIsExact) {
  for (const AsyncPolicy& policy :
       {AsyncPolicy::Unbounded(), AsyncPolicy::StaleSynchronous(3), AsyncPolicy::BackupWorkers(5)}) {
    for (int cells : {1, 3}) {
      const auto adder = std::make_shared<Adder>();
      ParameterStore store({.num_groups = 8, .policy = policy, .max_updates = 1001}, Cells(cells), adder);
      RunThreads(store, 8, 5, {}, {}, policy.aggregates() ? 0 : 7);
      EXPECT_EQ(store.updates(), 1001) << ToString(policy);
      EXPECT_EQ(adder->calls, 1001 * cells);
    }
  }
}

TEST(ParameterStore, LateGradientsAreDroppedAndCounted) {
  const auto adder = std::make_shared<Adder>();
  ParameterStore store({.num_groups = 3, .policy = AsyncPolicy::BackupWorkers(2)}, Cells(), adder);
  Reading late = *store.Read(2);
  std::thread other([&] { store.Push(*store.Read(1), std::make_shared<Delta>(2)); });
  store.Push(*store.Read(0), std::make_shared<Delta>(4));
  other.join();
  const Pushed dropped = store.Push(std::move(late), std::make_shared<Delta>(100));
  EXPECT_EQ(dropped.outcome, Pushed::Outcome::kDropped);
  EXPECT_EQ(dropped.staleness, 1);
  EXPECT_EQ(store.statistics().dropped(), 1);
  EXPECT_EQ(store.updates(), 1);
  EXPECT_NEAR(First(store.Peek()[0]), 3, 1e-12);  // the mean of 4 and 2
}

TEST(ParameterStore, StalenessIsTheNumberOfUpdatesInBetween) {
  const auto adder = std::make_shared<Adder>();
  ParameterStore store({.num_groups = 2, .policy = AsyncPolicy::Unbounded().WithStalenessAwareLearningRate()}, Cells(),
                       adder);
  Reading slow = *store.Read(1);
  for (int i = 0; i < 4; ++i) store.Push(*store.Read(0), std::make_shared<Delta>(0));
  EXPECT_EQ(store.Push(std::move(slow), std::make_shared<Delta>(8)).staleness, 4);
  EXPECT_NEAR(First(store.Peek()[0]), 2, 1e-12);  // 8 / 4
  EXPECT_EQ(store.statistics().staleness, (std::map<int64_t, int64_t>{{0, 4}, {4, 1}}));
}

// A discrete-event simulation of the same delays: workers with random times of service.
TEST(ParameterStore, StalenessIsThatOfADiscreteEventSimulation) {
  constexpr int kWorkers = 8, kSteps = 2000;
  std::mt19937 random(3);
  ParameterStore store({.num_groups = kWorkers}, Cells(), std::make_shared<Adder>());
  std::set<std::pair<double, int>> events;  // (time of push, worker)
  std::vector<Reading> readings(kWorkers);
  std::vector<int64_t> read_at(kWorkers);
  std::map<int64_t, int64_t> simulated;
  int64_t version = 0;
  const auto begin = [&](double now, int worker) {
    readings[static_cast<size_t>(worker)] = *store.Read(worker);
    read_at[static_cast<size_t>(worker)] = version;
    events.insert({now + static_cast<double>(1 + random() % 1000), worker});
  };
  for (int w = 0; w < kWorkers; ++w) begin(0, w);
  for (int i = 0; i < kSteps; ++i) {
    const auto [now, worker] = *events.begin();
    events.erase(events.begin());
    ++simulated[version++ - read_at[static_cast<size_t>(worker)]];
    store.Push(std::move(readings[static_cast<size_t>(worker)]), std::make_shared<Delta>(0));
    begin(now, worker);
  }
  EXPECT_EQ(store.statistics().staleness, simulated);
}

TEST(ParameterStore, AGroupThatLeavesHoldsUpNobody) {
  ParameterStore store({.num_groups = 3, .policy = AsyncPolicy::StaleSynchronous(0)}, Cells(),
                       std::make_shared<Adder>());
  std::thread a([&] { store.Push(*store.Read(0), std::make_shared<Delta>(1)); });
  std::thread b([&] { store.Push(*store.Read(1), std::make_shared<Delta>(1)); });
  store.Leave(2);
  a.join();
  b.join();
  EXPECT_EQ(store.updates(), 1);
}

class Orders : public testing::Test {
 protected:
  ~Orders() override { std::filesystem::remove(path_); }
  const std::string path_ = testing::TempDir() + "replicator_store_order_" + std::to_string(getpid());
};

TEST_F(Orders, AreReplayedBitForBit) {
  for (const AsyncPolicy& policy : {AsyncPolicy::Unbounded(), AsyncPolicy::StaleSynchronous(2),
                                    AsyncPolicy::StaleSynchronous(0), AsyncPolicy::BackupWorkers(3)}) {
    ParameterStore recorded({.num_groups = 5, .policy = policy, .max_updates = 300, .record_order = path_}, Cells(),
                            std::make_shared<Adder>());
    RunThreads(recorded, 5, 1);
    ParameterStore replayed({.num_groups = 5, .policy = policy, .max_updates = 300, .replay_order = path_}, Cells(),
                            std::make_shared<Adder>());
    RunThreads(replayed, 5, 1234);
    EXPECT_EQ(First(replayed.Peek()[0]), First(recorded.Peek()[0])) << ToString(policy);
    EXPECT_EQ(replayed.statistics().staleness, recorded.statistics().staleness);
  }
}

TEST_F(Orders, AreRefusedWhereTheyAreWrong) {
  const auto parse = [&](const std::string& text) {
    return ParseOrder(text, "order.jsonl", 2, AsyncPolicy::Unbounded());
  };
  const std::string header = "{\"format\":\"replicator order\",\"version\":1,\"groups\":2,\"policy\":\"unbounded\"}\n";
  const std::string first = "{\"update\":1,\"members\":[{\"group\":0,\"step\":0,\"read\":0}]}\n";
  EXPECT_EQ(parse(header + first).updates.size(), 1u);
  EXPECT_EQ(parse(header + first + "{\"update\":2,\"mem").updates.size(), 1u);  // torn
  for (const std::string& bad : {std::string(), std::string("{}\n"), header + "nonsense\n", header + first + first,
                                 header + "{\"update\":1,\"members\":[]}\n",
                                 header + "{\"update\":1,\"members\":[{\"group\":2,\"step\":0,\"read\":0}]}\n",
                                 header + "{\"update\":1,\"members\":[{\"group\":0,\"step\":0,\"read\":1}]}\n"}) {
    EXPECT_THROW(parse(bad), Error) << bad;
  }
  try {
    ParseOrder(header, "order.jsonl", 3, AsyncPolicy::Unbounded());
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("recorded with 2 groups"));
  }
}

// Whatever happens, everybody comes back: with an end, or with the first error.
TEST(ParameterStore, SixteenThreadsEndWhateverHappens) {
  const AsyncPolicy policies[] = {AsyncPolicy::Unbounded(), AsyncPolicy::StaleSynchronous(0),
                                  AsyncPolicy::StaleSynchronous(2), AsyncPolicy::BackupWorkers(11)};
  for (uint32_t seed = 0; seed < 24; ++seed) {
    const auto adder = std::make_shared<Adder>();
    if (seed % 3 == 1) adder->fail_at = static_cast<int>(20 + seed);
    ParameterStore store({.num_groups = 16, .policy = policies[seed % 4], .max_updates = 400},
                         Cells(seed % 2 == 0 ? 1 : 2), adder);
    std::atomic<int> errors{0};
    std::vector<std::thread> threads;
    for (int g = 0; g < 16; ++g) {
      threads.emplace_back([&, g] {
        std::mt19937 random(seed * 100 + static_cast<uint32_t>(g));
        try {
          while (std::optional<Reading> reading = store.Read(g)) {
            Pause(random);
            const double value = First(reading->states[0]);
            if (random() % 50 == 0) {
              store.Abandon(*reading);
              store.Leave(g);
              if (random() % 2 == 0) return;
              continue;
            }
            store.Push(std::move(*reading), std::make_shared<Delta>(value * 1e-3 + 1));
          }
        } catch (const Error& error) {
          EXPECT_THAT(error.what(), testing::AnyOf(testing::HasSubstr("planted"), testing::HasSubstr("stopped")));
          ++errors;
        }
      });
    }
    if (seed % 3 == 2) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      store.Stop(std::make_exception_ptr(Error(ErrorCode::kAborted, "stopped")));
    }
    for (std::thread& thread : threads) thread.join();
    if (seed % 3 == 1) {
      EXPECT_GT(errors, 0);
    } else if (seed % 3 == 0) {
      EXPECT_EQ(errors, 0);
    }
  }
}

TEST(ParameterStore, RefusesWhatCannotBe) {
  const auto make = [](const StoreOptions& options, int cells = 1) {
    ParameterStore(options, Cells(cells), std::make_shared<Adder>());
  };
  EXPECT_THROW(make({.num_groups = 0}), Error);
  EXPECT_THROW(make({.num_groups = 2, .policy = AsyncPolicy::BackupWorkers(3)}), Error);
  EXPECT_THROW(make({.record_order = "x.jsonl"}, 2), Error);
  EXPECT_THROW(make({.replay_order = "/nonexistent/order.jsonl"}), Error);
  ParameterStore bounded({.num_groups = 1, .policy = AsyncPolicy::StaleSynchronous(1)}, Cells(),
                         std::make_shared<Adder>());
  const Reading first = *bounded.Read(0);
  EXPECT_THROW(bounded.Read(0), Error);
  EXPECT_THROW(bounded.Replace(Cells(), 0), Error);
  EXPECT_THROW(bounded.Read(1), Error);
}

}  // namespace
}  // namespace replicator::store
