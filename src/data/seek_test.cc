// Seeking to a position is the same as having run there.
#include <gtest/gtest.h>

#include "data/testing.h"

namespace replicator::data {
namespace {

struct Seen {
  std::vector<int64_t> ids;
  Position position;
  friend bool operator==(const Seen&, const Seen&) = default;
};

std::optional<Seen> NextOf(Iterator& iterator) {
  const auto element = iterator.Next();
  if (!element.has_value()) return std::nullopt;
  EXPECT_EQ(element->position, iterator.position());
  return Seen{IdsOf(*element), element->position};
}

// From every position of the first two sweeps, the rest is as in the unbroken run.
void ExpectSeekable(const Dataset& dataset) {
  for (int64_t epoch = 0; epoch < 2; ++epoch) {
    Iterator unbroken = dataset.MakeIterator();
    if (epoch == 1) unbroken.Restart();
    std::vector<Seen> run;
    std::vector<Position> positions = {unbroken.position()};
    while (run.size() < 60) {
      auto seen = NextOf(unbroken);
      if (!seen.has_value()) break;
      run.push_back(*seen);
      positions.push_back(seen->position);
    }
    ASSERT_FALSE(run.empty());
    Iterator resumed = dataset.MakeIterator();
    for (size_t start = 0; start <= run.size(); ++start) {
      resumed.Seek(PositionFromString(ToString(positions[start])));
      EXPECT_EQ(resumed.position(), positions[start]);
      for (size_t i = start; i < std::min(run.size(), start + 5); ++i) {
        const auto seen = NextOf(resumed);
        ASSERT_TRUE(seen.has_value()) << i << " after " << start;
        ASSERT_EQ(*seen, run[i]) << i << " after " << start;
      }
      if (start == run.size() && run.size() < 60) {
        EXPECT_FALSE(resumed.Next().has_value());
      }
    }
  }
}

Components Negated(const Element& element) {
  Components components = element.components;
  for (int64_t& id : components.at("id").mutable_data<int64_t>()) id = -id;
  return components;
}

TEST(Seek, IndexablePipelines) {
  const InputContext ctx = InputContext::ForPipeline(1, 2, 6);
  ExpectSeekable(Ids(40));
  ExpectSeekable(Ids(40).Shuffle(1));
  ExpectSeekable(Ids(40).Shuffle(1).Repeat().Map(Negated, {.parallelism = 2}).Batch(3).Prefetch(2));
  ExpectSeekable(Ids(40).Cache().Shuffle(1).Shard(ctx).Batch(2, {.remainder = Remainder::kPadAndMask}).Repeat(3));
  ExpectSeekable(
      Ids(40).Skip(1).Shuffle(1).Shard(ctx).Batch(2, {.remainder = Remainder::kDrop}).Skip(1).Map(Negated).Prefetch(1));
}

TEST(Seek, StreamsByReplay) {
  const InputContext ctx = InputContext::ForPipeline(1, 2, 6);
  ExpectSeekable(IdStream(40));
  ExpectSeekable(IdStream(40).Shuffle({.seed = 1, .window = 7}).Repeat(3));
  ExpectSeekable(
      IdStream(40).Skip(3).Map(Negated, {.parallelism = 3}).Take(30).Batch(4, {.remainder = Remainder::kPadAndMask}));
  ExpectSeekable(IdStream(40).Shard(ctx).Batch(2, {.remainder = Remainder::kPadAndMask}));
  ExpectSeekable(IdStream(40).Shard(ctx).Batch(2, {.remainder = Remainder::kPadAndMask}).Prefetch(2).Repeat());
  ExpectSeekable(IdStream(40).Shard(ctx).Batch(2, {.remainder = Remainder::kDrop}).Map(Negated).Skip(1).Prefetch(3));
}

TEST(Seek, FarAwayIsImmediate) {
  Iterator iterator = Ids(60000).Shuffle(1).Repeat().Batch(100).MakeIterator();
  iterator.Seek({.index = int64_t{1'000'000'000'000}});
  const Element far = *iterator.Next();
  EXPECT_EQ(far.position.index, 1'000'000'000'100);
  iterator.Seek({.index = int64_t{1'000'000'000'000}});
  EXPECT_EQ((*iterator.Next())["id"], far["id"]);
}

TEST(Seek, PositionIsThatOfTheConsumedElementWhateverIsReadAhead) {
  Iterator iterator = Ids(100).Batch(10).Prefetch(5).MakeIterator();
  EXPECT_EQ(iterator.position(), Position{});
  for (int64_t i = 1; i <= 10; ++i) {
    EXPECT_EQ(iterator.Next()->position, (Position{.index = 10 * i}));
    EXPECT_EQ(iterator.position(), (Position{.index = 10 * i}));
  }
  iterator.Restart();
  EXPECT_EQ(iterator.Next()->position, (Position{.epoch = 1, .index = 10}));
}

TEST(Seek, RefusesPositionsOfAnotherDataset) {
  Iterator iterator = Ids(100).Batch(10).MakeIterator();
  iterator.Next();
  EXPECT_ERROR(iterator.Seek({.index = 15}), kInvalidArgument, "not a multiple of the global batch of 10");
  EXPECT_ERROR(iterator.Seek({.index = 110}), kInvalidArgument, "the dataset ends at index 100");
  EXPECT_ERROR(iterator.Seek({.index = -10}), kInvalidArgument, "out of range");
  EXPECT_ERROR(iterator.Seek({.epoch = -1}), kInvalidArgument, "out of range");
  EXPECT_ERROR(iterator.Seek({.delivered = 1}), kInvalidArgument, "1 batches per step");
  EXPECT_EQ(iterator.position(), (Position{.index = 10}));
  EXPECT_EQ(IdsOf(*iterator.Next())[0], 10);

  for (const Dataset& stream :
       {IdStream(10), IdStream(10).Prefetch(2), IdStream(10).Take(20), IdStream(10).Shuffle({.window = 3})}) {
    Iterator short_stream = stream.MakeIterator();
    short_stream.Next();
    EXPECT_ERROR(short_stream.Seek({.index = 11}), kInvalidArgument, "the stream ended after 10 elements");
    EXPECT_TRUE(short_stream.Next().has_value());
    EXPECT_EQ(short_stream.position(), (Position{.index = 2}));
  }
}

}  // namespace
}  // namespace replicator::data
