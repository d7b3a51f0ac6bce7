// What becomes of a last batch that is not full.
#include <gtest/gtest.h>

#include <algorithm>

#include "data/testing.h"

namespace replicator::data {
namespace {

std::vector<bool> MaskOf(const Element& element) {
  const auto mask = element["mask"].data<bool>();
  return {mask.begin(), mask.end()};
}

TEST(Batch, StacksAlongANewAxis) {
  const Dataset dataset = Dataset::FromTensors({{"x", Literal::FromValues<float>({4, 2}, {1, 2, 3, 4, 5, 6, 7, 8})},
                                                {"y", Literal(Shape{DType::kI8, {4}})}})
                              .Batch(2);
  EXPECT_EQ(dataset.Spec(), (ElementSpec{{"x", {DType::kF32, {2, 2}}}, {"y", {DType::kI8, {2}}}}));
  EXPECT_EQ(dataset.Size(), 2);
  EXPECT_EQ(dataset.ExamplesPerStep(), 2);
  Iterator iterator = dataset.MakeIterator();
  iterator.Next();
  const Element second = *iterator.Next();
  EXPECT_EQ(second["x"], Literal::FromValues<float>({2, 2}, {5, 6, 7, 8}));
  EXPECT_EQ(second.valid_count, 2);
  EXPECT_EQ(second.position, (Position{.index = 4}));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(second["x"].bytes()) % Literal::kAlignment, 0u);
}

TEST(Batch, OfBatches) {
  const Dataset dataset = Ids(12).Batch(2).Batch(3);
  EXPECT_EQ(dataset.Spec(), (ElementSpec{{"id", {DType::kI64, {3, 2}}}}));
  EXPECT_EQ(dataset.ExamplesPerStep(), 6);
  Iterator iterator = dataset.MakeIterator();
  iterator.Seek({.index = 6});
  EXPECT_EQ(IdsOf(*iterator.Next()), (std::vector<int64_t>{6, 7, 8, 9, 10, 11}));
}

TEST(Batch, ErrorIsTheDefaultAndNamesTheCounts) {
  EXPECT_ERROR(Ids(10).Batch(4), kInvalidArgument,
               "10 examples do not make whole global batches of 4 (4 on each of 1 replicas): 2 remain");
  EXPECT_ERROR(Ids(10).Shard(InputContext::ForPipeline(1, 2, 4)).Batch(1), kInvalidArgument,
               "global batches of 4 (1 on each of 4 replicas): 2 remain");
  Iterator stream = IdStream(10).Batch(4).MakeIterator();
  stream.Next();
  stream.Next();
  EXPECT_ERROR(stream.Next(), kInvalidArgument, "10 examples do not make whole global batches of 4");
  EXPECT_EQ(ReadIds(Ids(10).Repeat().Batch(4).Take(5)).size(), 5u);  // no remainder
  EXPECT_ERROR(Ids(10).Batch(0), kInvalidArgument, "at least one example");
  EXPECT_ERROR(Ids(10).Batch(int64_t{1} << 61), kInvalidArgument, "too large");
}

TEST(Batch, DropLeavesTheSameOutEverywhere) {
  for (int64_t pipeline = 0; pipeline < 2; ++pipeline) {
    for (const Dataset& source : {Ids(19), IdStream(19)}) {
      // Pipeline 0 could fill its batch of the last step (16, 17 of 16 .. 19), and must not.
      const Dataset dataset =
          source.Shard(InputContext::ForPipeline(pipeline, 2, 2)).Batch(2, {.remainder = Remainder::kDrop});
      EXPECT_EQ(ReadIds(dataset).size(), 4u);
    }
  }
  EXPECT_ERROR(Ids(3).Batch(4, {.remainder = Remainder::kDrop}), kInvalidArgument, "all 3 examples would be dropped");
}

TEST(Batch, PadAndMaskKeepsShapesAndCounts) {
  const ElementSpec spec = {{"id", {DType::kI64, {3}}}, {"mask", {DType::kBool, {3}}}};
  // 14 examples over 4 replicas, 3 each: the second step has 2, of which replica 0 gets both.
  for (const Dataset& source : {Ids(14), IdStream(14)}) {
    std::vector<Element> last;
    for (int64_t pipeline = 0; pipeline < 2; ++pipeline) {
      const Dataset dataset =
          source.Shard(InputContext::ForPipeline(pipeline, 2, 4)).Batch(3, {.remainder = Remainder::kPadAndMask});
      EXPECT_EQ(dataset.Spec(), spec);
      Iterator iterator = dataset.MakeIterator();
      const auto first_step = iterator.NextStep(2);
      for (const Element& batch : *first_step) {
        EXPECT_EQ(batch.valid_count, 3);
        EXPECT_EQ(MaskOf(batch), (std::vector<bool>{true, true, true}));
      }
      const auto last_step = iterator.NextStep(2);
      last.insert(last.end(), last_step->begin(), last_step->end());
      EXPECT_FALSE(iterator.NextStep(2).has_value());
      EXPECT_EQ(iterator.position(), (Position{.index = 24}));
    }
    ASSERT_EQ(last.size(), 4u);
    EXPECT_EQ(IdsOf(last[0]), (std::vector<int64_t>{12, 13, 0}));
    EXPECT_EQ(MaskOf(last[0]), (std::vector<bool>{true, true, false}));
    EXPECT_EQ(last[0].valid_count, 2);
    for (size_t r = 1; r < 4; ++r) {
      EXPECT_EQ(IdsOf(last[r]), (std::vector<int64_t>{0, 0, 0}));
      EXPECT_EQ(MaskOf(last[r]), (std::vector<bool>{false, false, false}));
      EXPECT_EQ(last[r].valid_count, 0);
    }
  }
  EXPECT_ERROR(Dataset::FromTensors({{"mask", Literal(Shape{DType::kF32, {4}})}})
                   .Batch(2, {.remainder = Remainder::kPadAndMask}),
               kInvalidArgument, "already has one");
}

TEST(Batch, ExactMeanThroughTheMask) {
  for (int64_t replicas : {1, 2, 4, 8}) {
    double sum = 0;
    int64_t weight = 0;
    Iterator iterator = Ids(1001)
                            .Shuffle(5)
                            .Shard(InputContext::ForPipeline(0, 1, replicas))
                            .Batch(64 / replicas, {.remainder = Remainder::kPadAndMask})
                            .MakeIterator();
    while (auto step = iterator.NextStep(replicas)) {
      for (const Element& batch : *step) {
        const std::vector<int64_t> ids = IdsOf(batch);
        const std::vector<bool> mask = MaskOf(batch);
        for (size_t i = 0; i < ids.size(); ++i) sum += mask[i] ? static_cast<double>(ids[i]) : 0;
        weight += batch.valid_count;
        EXPECT_EQ(std::count(mask.begin(), mask.end(), true), batch.valid_count);
      }
    }
    EXPECT_EQ(weight, 1001);
    EXPECT_EQ(sum / static_cast<double>(weight), 500.0);
  }
}

TEST(Batch, EmptyDatasetHasNoSteps) {
  for (const Dataset& empty : {Ids(0), IdStream(0)}) {
    for (Remainder remainder : {Remainder::kError, Remainder::kDrop, Remainder::kPadAndMask}) {
      for (int64_t pipeline = 0; pipeline < 2; ++pipeline) {
        Iterator iterator =
            empty.Shard(InputContext::ForPipeline(pipeline, 2, 2)).Batch(4, {.remainder = remainder}).MakeIterator();
        EXPECT_FALSE(iterator.Next().has_value());
      }
    }
  }
}

}  // namespace
}  // namespace replicator::data
