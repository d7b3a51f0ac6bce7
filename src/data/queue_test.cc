#include "replicator/data/queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "data/testing.h"

namespace replicator::data {
namespace {

const ElementSpec kSpec = {{"id", {DType::kI64, {}}}};

Components Id(int64_t id) { return {{"id", Literal::Scalar(id)}}; }
Components Ids(const std::vector<int64_t>& ids) {
  return {{"id", Literal::FromValues<int64_t>({std::ssize(ids)}, ids)}};
}
int64_t IdOf(const Components& element) { return element.at("id").Item<int64_t>(); }
std::vector<int64_t> IdsOf(const std::vector<Components>& elements) {
  std::vector<int64_t> ids;
  for (const Components& element : elements) ids.push_back(IdOf(element));
  return ids;
}

std::vector<int64_t> Drain(Queue& queue) {
  std::vector<int64_t> ids;
  while (const auto element = queue.Pop()) ids.push_back(IdOf(*element));
  return ids;
}

// Long enough for a thread that is not held back to go wrong.
void Settle() { std::this_thread::sleep_for(std::chrono::milliseconds(30)); }

TEST(Queue, GivesElementsInOrderAndThenTheEnd) {
  Queue queue(kSpec);
  EXPECT_TRUE(queue.Push(Id(7)));
  EXPECT_TRUE(queue.PushBatch(Ids({8, 9, 10})));
  EXPECT_TRUE(queue.PushBatch(Ids(std::vector<int64_t>{})));
  EXPECT_EQ(queue.size(), 4);
  EXPECT_EQ(IdsOf(queue.PopBatch(2)), (std::vector<int64_t>{7, 8}));
  EXPECT_FALSE(queue.closed());
  queue.Close();
  queue.Close();
  EXPECT_TRUE(queue.closed());
  EXPECT_FALSE(queue.Push(Id(11)));
  EXPECT_FALSE(queue.PushBatch(Ids({11})));
  EXPECT_EQ(IdsOf(queue.PopBatch(5)), (std::vector<int64_t>{9, 10})) << "all that is left";
  EXPECT_EQ(queue.Pop(), std::nullopt);
  EXPECT_EQ(queue.Pop(0), std::nullopt) << "the end is known at once";
}

TEST(Queue, HoldsNoMoreThanItsCapacity) {
  Queue queue(kSpec, {.capacity = 3});
  std::atomic<int> pushed = 0;
  std::jthread producer([&, own = queue]() mutable {
    for (int64_t i = 0; i < 10; ++i) {
      ASSERT_TRUE(own.Push(Id(i)));
      ++pushed;
    }
    own.Close();
  });
  while (pushed < 3) std::this_thread::yield();
  Settle();
  EXPECT_EQ(pushed, 3);
  EXPECT_EQ(queue.size(), 3);
  EXPECT_EQ(IdOf(*queue.Pop()), 0);
  while (pushed < 4) std::this_thread::yield();
  Settle();
  EXPECT_EQ(pushed, 4);
  EXPECT_EQ(Drain(queue), (std::vector<int64_t>{1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST(Queue, TimesOutAtBothEndsAndHasChangedNothing) {
  Queue queue(kSpec, {.capacity = 2});
  EXPECT_ERROR(queue.Pop(0), kDeadlineExceeded, "did not have 1 element within 0 s: it has 0; its producers");
  EXPECT_ERROR(queue.Pop(0.01), kDeadlineExceeded, "within 0.01 s");
  ASSERT_TRUE(queue.Push(Id(1), 0));
  EXPECT_ERROR(queue.PopBatch(2, 0.01), kDeadlineExceeded, "did not have 2 elements");
  EXPECT_ERROR(queue.PushBatch(Ids({2, 3}), 0.01), kDeadlineExceeded, "had no room for 2 elements");
  ASSERT_TRUE(queue.Push(Id(4), 0));
  EXPECT_ERROR(queue.Push(Id(5), 0.01), kDeadlineExceeded, "it holds 2 of at most 2; its consumer");
  EXPECT_ERROR(queue.Push(Id(5), 0), kDeadlineExceeded, "queue_test.cc");
  queue.Close();
  EXPECT_EQ(Drain(queue), (std::vector<int64_t>{1, 4}));
  EXPECT_ERROR(queue.Pop(-1), kInvalidArgument, "at least 0 seconds");
  EXPECT_ERROR(queue.Pop(std::numeric_limits<double>::quiet_NaN()), kInvalidArgument, "kForever");
  EXPECT_EQ(queue.Pop(1e300), std::nullopt);
}

TEST(Queue, WaitsNoLongerThanAsked) {
  Queue queue(kSpec);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_ERROR(queue.Pop(0.1), kDeadlineExceeded, "within 0.1 s");
  const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - start;
  EXPECT_GE(waited.count(), 0.1);
  EXPECT_LT(waited.count(), 5);
}

TEST(Queue, ClosingWakesEveryone) {
  Queue full(kSpec, {.capacity = 1});
  ASSERT_TRUE(full.Push(Id(0)));
  Queue empty(kSpec);
  std::atomic<int> refused = 0, ended = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] { refused += full.Push(Id(1)) ? 0 : 1; });
      threads.emplace_back([&] { ended += empty.Pop().has_value() ? 0 : 1; });
    }
    Settle();
    EXPECT_EQ(refused + ended, 0);
    full.Close();
    empty.Close();
  }
  EXPECT_EQ(refused, 4);
  EXPECT_EQ(ended, 4);
  EXPECT_EQ(full.size(), 1);
}

TEST(Queue, AFailedProducerIsToldWhenTheRestHasBeenTaken) {
  Queue queue(kSpec);
  ASSERT_TRUE(queue.Push(Id(3)));
  queue.Fail(std::make_exception_ptr(Error(ErrorCode::kInternal, "the actor fell over")));
  queue.Close();
  EXPECT_FALSE(queue.Push(Id(4)));
  EXPECT_EQ(IdOf(*queue.Pop()), 3);
  for (int i = 0; i < 2; ++i) EXPECT_ERROR(queue.Pop(), kInternal, "the actor fell over");

  Queue closed(kSpec);
  closed.Close();
  closed.Fail(std::make_exception_ptr(Error(ErrorCode::kInternal, "too late")));
  EXPECT_EQ(closed.Pop(), std::nullopt);
}

TEST(Queue, StopInterruptsAConsumer) {
  Queue queue(kSpec);
  std::stop_source stop;
  std::jthread stopper([&] {
    Settle();
    stop.request_stop();
  });
  EXPECT_ERROR(queue.PopBatch(1, Queue::kForever, stop.get_token()), kCancelled, "queue_test.cc");
}

TEST(Queue, LosesAndRepeatsNothingAmongManyProducersAndConsumers) {
  constexpr int64_t kProducers = 8, kEach = 400;
  Queue queue(kSpec, {.capacity = 5});
  std::atomic<int64_t> sum = 0, count = 0;
  std::vector<std::jthread> consumers;
  for (int i = 0; i < 3; ++i) {
    consumers.emplace_back([&, block = i + 1] {
      for (auto taken = queue.PopBatch(block); !taken.empty(); taken = queue.PopBatch(block)) {
        for (const Components& element : taken) sum += IdOf(element);
        count += std::ssize(taken);
      }
    });
  }
  {
    std::vector<std::jthread> producers;
    for (int64_t p = 0; p < kProducers; ++p) {
      producers.emplace_back([&, p] {
        for (int64_t i = 0; i < kEach; ++i) ASSERT_TRUE(queue.Push(Id(p * kEach + i)));
      });
    }
  }
  queue.Close();
  consumers.clear();
  constexpr int64_t kAll = kProducers * kEach;
  EXPECT_EQ(count, kAll);
  EXPECT_EQ(sum, kAll * (kAll - 1) / 2);
}

TEST(Queue, KeepsEachProducersOrderAndEachBatchTogether) {
  constexpr int64_t kProducers = 4, kBatches = 100;
  Queue queue(kSpec, {.capacity = 4});
  std::vector<std::jthread> producers;
  for (int64_t p = 0; p < kProducers; ++p) {
    producers.emplace_back([&, p] {
      for (int64_t i = 0; i < kBatches; ++i) {
        const int64_t id = (p * kBatches + i) * 3;
        ASSERT_TRUE(queue.PushBatch(Ids({id, id + 1, id + 2})));
      }
    });
  }
  std::vector<int64_t> next(kProducers, 0);
  for (int64_t batch = 0; batch < kProducers * kBatches; ++batch) {
    const auto ids = IdsOf(queue.PopBatch(3));
    const auto producer = static_cast<size_t>(ids[0] / (3 * kBatches));
    const int64_t id = (static_cast<int64_t>(producer) * kBatches + next.at(producer)++) * 3;
    ASSERT_EQ(ids, (std::vector<int64_t>{id, id + 1, id + 2}));
  }
}

TEST(Queue, ServesInTheOrderOfArrival) {
  Queue queue(kSpec, {.capacity = 4});
  ASSERT_TRUE(queue.PushBatch(Ids({0, 1, 2, 3})));
  std::jthread big([&, own = queue]() mutable { ASSERT_TRUE(own.PushBatch(Ids({10, 11, 12, 13}))); });
  // There is room for a small one, but as soon as the big one waits it is to go first.
  ASSERT_EQ(IdOf(*queue.Pop()), 0);
  for (bool waits = false; !waits;) {
    try {
      ASSERT_TRUE(queue.Push(Id(4), 0.01));
      ASSERT_TRUE(queue.Pop().has_value());
    } catch (const Error& error) {
      waits = error.code() == ErrorCode::kDeadlineExceeded;
    }
  }
  EXPECT_EQ(queue.size(), 3);
  queue.PopBatch(3);
  EXPECT_EQ(IdsOf(queue.PopBatch(4)), (std::vector<int64_t>{10, 11, 12, 13}));
}

TEST(Queue, RefusesWhatDoesNotAgreeWithItsSpec) {
  Queue queue({{"id", {DType::kI64, {}}}, {"x", {DType::kF32, {2}}}}, {.capacity = 4});
  const Literal id = Literal::Scalar<int64_t>(1);
  const Literal x = Literal::FromValues<float>({2}, {1, 2});
  EXPECT_ERROR(queue.Push({{"id", id}}), kInvalidArgument,
               "component 'x' is missing; the spec is {id: i64[], x: f32[2]}");
  EXPECT_ERROR(queue.Push({{"id", id}, {"x", x.Reshape({1, 2})}}), kInvalidArgument,
               "component 'x' has the wrong shape f32[1,2]");
  EXPECT_ERROR(queue.Push({{"id", Literal::Scalar<int32_t>(1)}, {"x", x}}), kInvalidArgument, "wrong shape i32[]");
  EXPECT_ERROR(queue.Push({{"id", id}, {"x", x}, {"y", x}}), kInvalidArgument, "component 'y' is unknown");
  EXPECT_ERROR(queue.PushBatch({{"id", id}, {"x", x}}), kInvalidArgument, "PushBatch, element 0: component 'id'");
  EXPECT_ERROR(queue.PushBatch({{"id", id.Reshape({1})}, {"x", x}}), kInvalidArgument,
               "component 'x' has the wrong shape f32[2]; the spec is {id: i64[1], x: f32[1,2]}");
  EXPECT_ERROR(queue.PushBatch({{"id", Literal({DType::kI64, {5}})}, {"x", Literal({DType::kF32, {5, 2}})}}),
               kInvalidArgument, "5 elements cannot go together into the queue made at");
  EXPECT_EQ(queue.size(), 0);
  EXPECT_TRUE(queue.Push({{"id", id}, {"x", x}}));
  EXPECT_EQ(queue.Pop()->at("x"), x);

  EXPECT_ERROR(Queue(ElementSpec{}), kInvalidArgument, "at least one component");
  EXPECT_ERROR(Queue(kSpec, {.capacity = 0}), kInvalidArgument, "its capacity is 0");
  EXPECT_ERROR(queue.PopBatch(5), kInvalidArgument, "ask for 1 to 4, its capacity");
  EXPECT_ERROR(queue.PopBatch(0), kInvalidArgument, "0 elements at once");
}

}  // namespace
}  // namespace replicator::data
