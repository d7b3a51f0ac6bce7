// A queue as an input function.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "data/testing.h"
#include "replicator/data/queue.h"

namespace replicator::data {
namespace {

using testing::ElementsAre;

const ElementSpec kSpec = {{"id", {DType::kI64, {}}}};

void PushIds(Queue& queue, int64_t begin, int64_t end) {
  for (int64_t id = begin; id < end; ++id) ASSERT_TRUE(queue.Push({{"id", Literal::Scalar(id)}}, 0));
}

Iterator Open(const Queue& queue, const QueueInputOptions& options, int64_t replicas, std::stop_token stop = {}) {
  return InputFromQueue(queue, options)(InputContext::ForPipeline(0, 1, replicas)).MakeIterator(std::move(stop));
}

// "id" of each replica in the next step.
std::vector<std::vector<int64_t>> Step(Iterator& iterator, int64_t replicas) {
  std::vector<std::vector<int64_t>> ids;
  const auto step = iterator.NextStep(replicas);
  if (!step.has_value()) return ids;
  for (const Element& element : *step) ids.push_back(IdsOf(element));
  return ids;
}

TEST(QueueInput, StacksExamplesAndDealsThemToTheReplicas) {
  Queue queue(kSpec);
  PushIds(queue, 0, 12);
  queue.Close();
  Iterator iterator = Open(queue, {.global_batch_size = 6}, 3);
  EXPECT_THAT(Step(iterator, 3), ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3), ElementsAre(4, 5)));
  EXPECT_THAT(Step(iterator, 3), ElementsAre(ElementsAre(6, 7), ElementsAre(8, 9), ElementsAre(10, 11)));
  EXPECT_EQ(iterator.position().index, 12);
  EXPECT_EQ(iterator.NextStep(3), std::nullopt);
  EXPECT_EQ(iterator.NextStep(3), std::nullopt);
}

TEST(QueueInput, ElementsMayBeBatchesAlready) {
  Queue queue({{"id", {DType::kI64, {2}}}});
  ASSERT_TRUE(queue.PushBatch({{"id", Literal::FromValues<int64_t>({5, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})}}));
  queue.Close();
  Iterator iterator = Open(queue, {.remainder = Remainder::kDrop}, 2);
  EXPECT_THAT(Step(iterator, 2), ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3)));
  EXPECT_THAT(Step(iterator, 2), ElementsAre(ElementsAre(4, 5), ElementsAre(6, 7)));
  EXPECT_EQ(iterator.NextStep(2), std::nullopt);
}

TEST(QueueInput, WhatIsLeftAtTheEndFollowsThePolicy) {
  const auto after_two_steps = [](Remainder remainder, const std::function<void(Iterator&)>& expect) {
    Queue queue(kSpec);
    PushIds(queue, 0, 11);
    queue.Close();
    Iterator iterator = Open(queue, {.global_batch_size = 4, .remainder = remainder}, 2);
    Step(iterator, 2);
    EXPECT_THAT(Step(iterator, 2), ElementsAre(ElementsAre(4, 5), ElementsAre(6, 7)));
    expect(iterator);
  };
  after_two_steps(Remainder::kDrop, [](Iterator& it) { EXPECT_EQ(it.NextStep(2), std::nullopt); });
  after_two_steps(Remainder::kError, [](Iterator& it) { EXPECT_ERROR(it.NextStep(2), kInvalidArgument, "3 remain"); });
  after_two_steps(Remainder::kPadAndMask, [](Iterator& it) {
    const auto step = it.NextStep(2);
    ASSERT_TRUE(step.has_value());
    EXPECT_THAT(IdsOf((*step)[1]), ElementsAre(10, 0));
    EXPECT_EQ((*step)[1]["mask"].ToDoubles(), (std::vector<double>{1, 0}));
    EXPECT_EQ(it.NextStep(2), std::nullopt);
  });

  Queue queue(kSpec);
  PushIds(queue, 0, 3);
  queue.Close();
  Iterator iterator = Open(queue, {}, 2);
  Step(iterator, 2);
  EXPECT_ERROR(iterator.NextStep(2), kInvalidArgument, "1 batches are left for 2 replicas");
}

TEST(QueueInput, ATimeoutLosesNothing) {
  Queue queue(kSpec);
  Iterator iterator = Open(queue, {.global_batch_size = 4, .timeout_seconds = 0.01}, 2);
  PushIds(queue, 0, 4);
  Step(iterator, 2);
  PushIds(queue, 4, 7);
  for (int i = 0; i < 2; ++i)
    EXPECT_ERROR(iterator.NextStep(2), kDeadlineExceeded, "did not have 4 elements within 0.01 s");
  EXPECT_EQ(iterator.position().index, 4);
  PushIds(queue, 7, 8);
  EXPECT_THAT(Step(iterator, 2), ElementsAre(ElementsAre(4, 5), ElementsAre(6, 7)));
}

TEST(QueueInput, GoesOnWithWhatComesWhenItIsResumed) {
  Queue queue(kSpec);
  PushIds(queue, 0, 12);
  Iterator iterator = Open(queue, {.global_batch_size = 4}, 1);
  iterator.Seek({.epoch = 0, .index = 400});
  EXPECT_THAT(Step(iterator, 1), ElementsAre(ElementsAre(0, 1, 2, 3)));
  EXPECT_EQ(iterator.position().index, 404);
  iterator.Restart();
  EXPECT_THAT(Step(iterator, 1), ElementsAre(ElementsAre(4, 5, 6, 7)));
  EXPECT_EQ(iterator.position(), (Position{.epoch = 1, .index = 4}));
}

TEST(QueueInput, WaitsForProducersAndCanBeStopped) {
  Queue queue(kSpec);
  std::stop_source stop;
  Iterator iterator = Open(queue, {.global_batch_size = 2}, 1, stop.get_token());
  std::jthread producer([&] {
    PushIds(queue, 0, 2);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    stop.request_stop();
  });
  EXPECT_THAT(Step(iterator, 1), ElementsAre(ElementsAre(0, 1)));
  EXPECT_ERROR(iterator.NextStep(1), kCancelled, "");
}

TEST(QueueInput, IsStoppedBehindOtherStages) {
  Queue queue(kSpec);
  const Dataset dataset = Dataset::FromQueue(queue, {.block = 2})
                              .Map([](Element element) { return element.components; }, {.parallelism = 2})
                              .Shuffle({.seed = 1, .window = 3})
                              .Batch(2)
                              .Prefetch(2);
  {
    Iterator destroyed = dataset.MakeIterator();
    PushIds(queue, 0, 10);
    EXPECT_TRUE(destroyed.Next().has_value());
  }
  std::stop_source stop;
  Iterator stopped = dataset.MakeIterator(stop.get_token());
  stop.request_stop();
  EXPECT_ERROR(stopped.Next(), kCancelled, "");
}

TEST(QueueInput, AProducersFailureReachesTheReader) {
  Queue queue(kSpec);
  Iterator iterator = Open(queue, {.global_batch_size = 2}, 1);
  PushIds(queue, 0, 2);
  queue.Fail(std::make_exception_ptr(OutOfRange("walked off the board")));
  Step(iterator, 1);
  for (int i = 0; i < 2; ++i) {
    EXPECT_ERROR(iterator.NextStep(1), kUnknown, "a producer of the queue failed at element");
    EXPECT_ERROR(iterator.NextStep(1), kUnknown, "walked off the board");
  }
}

TEST(QueueInput, RefusesBatchesThatCanNeverCome) {
  Queue queue(kSpec, {.capacity = 10});
  const InputContext three = InputContext::ForPipeline(0, 1, 3);
  EXPECT_ERROR(InputFromQueue(queue, {.global_batch_size = 12})(three), kInvalidArgument,
               "12 elements at once were asked of the queue made at");
  EXPECT_ERROR(InputFromQueue(queue, {.global_batch_size = 4})(three), kInvalidArgument, "3");
  EXPECT_ERROR(InputFromQueue(queue, {.global_batch_size = -3})(three), kInvalidArgument, "-3");
  EXPECT_ERROR(InputFromQueue(queue, {.remainder = Remainder::kPadAndMask}), kInvalidArgument, "global_batch_size");
  EXPECT_EQ(InputFromQueue(queue, {.global_batch_size = 9})(three).Spec(), (ElementSpec{{"id", {DType::kI64, {3}}}}));
}

}  // namespace
}  // namespace replicator::data
