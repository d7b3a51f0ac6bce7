#include "replicator/data/dataset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>

#include "data/testing.h"

namespace replicator::data {
namespace {

using Rows = std::vector<std::vector<int64_t>>;

std::vector<int64_t> Flat(const Rows& rows) {
  std::vector<int64_t> all;
  for (const auto& row : rows) all.insert(all.end(), row.begin(), row.end());
  return all;
}

Components Doubled(const Element& element) {
  Literal id = element["id"];
  for (int64_t& value : id.mutable_data<int64_t>()) value *= 2;
  return {{"id", id}};
}

TEST(Dataset, FromTensorsSlicesAxis0) {
  const Dataset dataset = Dataset::FromTensors({{"x", Literal::FromValues<float>({2, 3}, {1, 2, 3, 4, 5, 6})},
                                                {"flag", Literal::FromValues<bool>({2}, {true, false})}});
  EXPECT_EQ(dataset.Spec(), (ElementSpec{{"flag", {DType::kBool, {}}}, {"x", {DType::kF32, {3}}}}));
  EXPECT_EQ(dataset.Size(), 2);
  EXPECT_TRUE(dataset.IsIndexable());
  Iterator iterator = dataset.MakeIterator();
  iterator.Next();
  const Element second = *iterator.Next();
  EXPECT_EQ(second["x"], Literal::FromValues<float>({3}, {4, 5, 6}));
  EXPECT_EQ(second["flag"], Literal::Scalar(false));
  EXPECT_EQ(second.position, (Position{.index = 2}));
  EXPECT_EQ(second.valid_count, 1);
  EXPECT_FALSE(iterator.Next().has_value());
  EXPECT_FALSE(iterator.Next().has_value());
  EXPECT_ERROR(second["y"], kNotFound, "it has flag, x");
}

TEST(Dataset, FromTensorsRefuses) {
  const Literal three = Literal::FromValues<float>({3}, {1, 2, 3});
  EXPECT_ERROR(Dataset::FromTensors({}), kInvalidArgument, "at least one component");
  EXPECT_ERROR(Dataset::FromTensors({{"x", Literal::Scalar(1.0f)}}), kInvalidArgument, "'x' is a scalar");
  EXPECT_ERROR(Dataset::FromTensors({{"", three}}), kInvalidArgument, "empty name");
  EXPECT_ERROR(Dataset::FromTensors({{"x", three}, {"y", Literal(Shape{DType::kF32, {4}})}}), kInvalidArgument,
               "'x' has 3 examples, but 'y' has 4");
}

TEST(Dataset, ErrorsNameTheUsersLine) {
  try {
    Ids(3).Batch(2);
  } catch (const Error& error) {
    ASSERT_EQ(error.where().size(), 1u);
    EXPECT_THAT(error.what(), testing::HasSubstr("dataset_test.cc"));
    return;
  }
  FAIL();
}

TEST(Dataset, FromIndex) {
  const ElementSpec spec = {{"id", {DType::kI64, {}}}};
  const Dataset squares =
      Dataset::FromIndex(5, spec, [](int64_t i) { return Components{{"id", Literal::Scalar(i * i)}}; });
  EXPECT_EQ(Flat(ReadIds(squares.Batch(5))), (std::vector<int64_t>{0, 1, 4, 9, 16}));
  const Dataset wrong = Dataset::FromIndex(5, spec, [](int64_t) { return Components{{"id", Literal::Scalar(1.0f)}}; });
  EXPECT_ERROR(wrong.Skip(3).MakeIterator().Next(), kInvalidArgument,
               "element 3: component 'id' has the wrong shape f32[]; the spec is {id: i64[]}");
  const Dataset failing =
      Dataset::FromIndex(5, spec, [](int64_t) -> Components { throw std::runtime_error("no disk"); });
  EXPECT_ERROR(failing.Skip(2).Batch(3).MakeIterator().Next(), kUnknown, "failed at element 2 of epoch 0: no disk");
  EXPECT_ERROR(Dataset::FromIndex(-1, spec, nullptr), kInvalidArgument, "-1");
  EXPECT_ERROR(Dataset::FromIndex(1, {{"x", {DType::kF32, {-1}}}}, nullptr), kInvalidArgument, "static");
}

TEST(Dataset, GeneratorStartsAnewInEachSweep) {
  const Dataset stream = IdStream(3);
  EXPECT_FALSE(stream.IsIndexable());
  EXPECT_FALSE(stream.Size().has_value());
  Iterator iterator = stream.MakeIterator();
  EXPECT_EQ(Flat(ReadIds(iterator)), (std::vector<int64_t>{0, 1, 2}));
  EXPECT_FALSE(iterator.Next().has_value());
  iterator.Restart();
  EXPECT_EQ(iterator.position(), (Position{.epoch = 1}));
  EXPECT_EQ(Flat(ReadIds(iterator)), (std::vector<int64_t>{0, 1, 2}));
}

TEST(Dataset, GeneratorErrorsAndEnd) {
  const ElementSpec spec = {{"id", {DType::kI64, {}}}};
  const auto after_two = [&](std::function<std::optional<Components>()> then) {
    return Dataset::Generator(spec, [then]() -> GeneratorFn {
      return [then, n = int64_t{0}]() mutable -> std::optional<Components> {
        return n < 2 ? Components{{"id", Literal::Scalar(n++)}} : then();
      };
    });
  };
  EXPECT_EQ(ReadIds(after_two([]() -> std::optional<Components> { throw OutOfRange("queue closed"); })).size(), 2u);
  EXPECT_ERROR(ReadIds(after_two([]() -> std::optional<Components> { throw std::runtime_error("torn"); })), kUnknown,
               "the generator failed at element 2 of epoch 0: torn");
  EXPECT_ERROR(ReadIds(after_two([] { return Components{}; })), kInvalidArgument,
               "element 2: component 'id' is missing");
  EXPECT_ERROR(ReadIds(after_two([] { return Components{{"id", Literal::Scalar(int64_t{1})}, {"more", Literal()}}; })),
               kInvalidArgument, "'more' is unknown");
}

TEST(Dataset, MapKeepsOrderAndInfersTheSpec) {
  const Dataset mapped = Ids(100).Map([](const Element& e) {
    return Components{{"id", e["id"]}, {"half", Literal::Scalar(e["id"].Item<float>() / 2)}};
  });
  EXPECT_EQ(mapped.Spec(), (ElementSpec{{"half", {DType::kF32, {}}}, {"id", {DType::kI64, {}}}}));
  for (int parallelism : {1, 2, 7}) {
    for (const Dataset& source : {Ids(100), IdStream(100)}) {
      const auto ids = Flat(ReadIds(source.Map(Doubled, {.parallelism = parallelism})));
      ASSERT_EQ(ids.size(), 100u);
      for (size_t i = 0; i < ids.size(); ++i) EXPECT_EQ(ids[i], static_cast<int64_t>(2 * i));
    }
  }
}

TEST(Dataset, MapAfterBatchSeesBatches) {
  const Dataset dataset = Ids(10).Batch(4, {.remainder = Remainder::kPadAndMask}).Map([](const Element& e) {
    Components components = Doubled(e);
    components["mask"] = e["mask"];
    return components;
  });
  Iterator iterator = dataset.MakeIterator();
  iterator.Seek({.index = 8});
  const Element last = *iterator.Next();
  EXPECT_EQ(IdsOf(last), (std::vector<int64_t>{16, 18, 0, 0}));
  EXPECT_EQ(last.valid_count, 2);
}

TEST(Dataset, MapGetsTheIdOfItsElement) {
  const Dataset dataset = Ids(6).Repeat(2).Map([](const Element& e, const ElementId& id) {
    return Components{{"id", Literal::FromValues<int64_t>({2}, {e["id"].Item<int64_t>(), id.index})}};
  });
  Iterator iterator = dataset.MakeIterator();
  iterator.Seek({.index = 8});
  EXPECT_EQ(IdsOf(*iterator.Next()), (std::vector<int64_t>{2, 8}));
}

TEST(Dataset, MapErrorsNameTheElement) {
  const auto fail_at_7 = [](const Element& e) {
    if (e["id"].Item<int64_t>() == 7) throw Error(ErrorCode::kOutOfRange, "seven is right out");
    return e.components;
  };
  for (int parallelism : {1, 3}) {
    for (const Dataset& source : {Ids(10), IdStream(10)}) {
      const Dataset dataset = source.Map(fail_at_7, {.parallelism = parallelism});
      Iterator iterator = dataset.MakeIterator();
      for (int64_t i = 0; i < 7; ++i) EXPECT_EQ(IdsOf(*iterator.Next()), (std::vector<int64_t>{i}));
      for (int attempt = 0; attempt < 2; ++attempt) {  // not kOutOfRange, which would look like the regular end
        EXPECT_ERROR(iterator.Next(), kUnknown, "Map failed at element 7 of epoch 0: seven is right out");
        EXPECT_EQ(iterator.position(), (Position{.index = 7}));
      }
      iterator.Seek({.index = 8});
      EXPECT_EQ(IdsOf(*iterator.Next()), (std::vector<int64_t>{8}));
      EXPECT_ERROR(dataset.Batch(5).Skip(1).MakeIterator().Next(), kUnknown, "element 7");
    }
  }
  EXPECT_ERROR(Ids(3).Map([](const Element&) -> Components { throw 1; }), kUnknown, "not a std::exception");
  EXPECT_ERROR(Ids(3).Map([](const Element&) { return Components{}; }), kInvalidArgument, "no components");
  EXPECT_ERROR(Ids(3).Map(Doubled, {.parallelism = 0}), kInvalidArgument, "1 to 1024");
  const auto changes_shape = [](const Element& e) {
    return Components{{"x", Literal(Shape{DType::kF32, {e["id"].Item<int64_t>() / 2}})}};
  };
  EXPECT_ERROR(ReadIds(Ids(3).Map(changes_shape).Skip(2)), kInvalidArgument,
               "element 2: component 'x' has the wrong shape f32[1]");
}

TEST(Dataset, ShuffleIsAPermutationOfTheWholeAndNewInEachEpoch) {
  Iterator iterator = Ids(1000).Shuffle(1).MakeIterator();
  const auto first = Flat(ReadIds(iterator));
  iterator.Restart();
  const auto second = Flat(ReadIds(iterator));
  EXPECT_NE(first, second);
  for (auto ids : {first, second}) {
    EXPECT_FALSE(std::is_sorted(ids.begin(), ids.end()));
    std::sort(ids.begin(), ids.end());
    EXPECT_EQ(ids, Flat(ReadIds(Ids(1000))));
  }
  // The sweeps of Repeat are the epochs.
  auto both = first;
  both.insert(both.end(), second.begin(), second.end());
  EXPECT_EQ(Flat(ReadIds(Ids(1000).Shuffle(1).Repeat(2))), both);
  EXPECT_EQ(Flat(ReadIds(Ids(1000).Shuffle(1).Repeat().Take(2000))), both);
  Iterator same = Ids(1000).Shuffle({.seed = 1, .reshuffle_each_epoch = false}).MakeIterator();
  same.Restart();
  EXPECT_EQ(Flat(ReadIds(same)), first);
}

TEST(Dataset, WindowShuffleDrawsFromTheNextOnes) {
  Iterator iterator = IdStream(1000).Shuffle({.seed = 1, .window = 50}).MakeIterator();
  const auto first = Flat(ReadIds(iterator));
  iterator.Restart();
  EXPECT_NE(Flat(ReadIds(iterator)), first);
  EXPECT_EQ(Flat(ReadIds(IdStream(1000).Shuffle({.seed = 1, .window = 50}))), first);
  for (size_t i = 0; i < first.size(); ++i) EXPECT_LT(first[i], static_cast<int64_t>(i) + 50);
  auto sorted = first;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(sorted, Flat(ReadIds(Ids(1000))));
  EXPECT_NE(sorted, first);
  EXPECT_EQ(ReadIds(IdStream(5).Shuffle({.window = 100})).size(), 5u);
}

TEST(Dataset, RangeStages) {
  for (const Dataset& source : {Ids(5), IdStream(5)}) {
    EXPECT_EQ(Flat(ReadIds(source.Take(2))), (std::vector<int64_t>{0, 1}));
    EXPECT_EQ(Flat(ReadIds(source.Take(9))), (std::vector<int64_t>{0, 1, 2, 3, 4}));
    EXPECT_EQ(Flat(ReadIds(source.Skip(3))), (std::vector<int64_t>{3, 4}));
    EXPECT_EQ(Flat(ReadIds(source.Skip(3).Take(1).Repeat(3))), (std::vector<int64_t>{3, 3, 3}));
    EXPECT_EQ(Flat(ReadIds(source.Repeat().Skip(4).Take(3))), (std::vector<int64_t>{4, 0, 1}));
    for (const Dataset& empty :
         {source.Take(0), source.Skip(5), source.Skip(9), source.Repeat(0), source.Take(0).Repeat(),
          source.Take(0).Shuffle({.window = 3}).Batch(2).Prefetch(1).Repeat()}) {
      EXPECT_TRUE(ReadIds(empty).empty());
    }
  }
  EXPECT_TRUE(Ids(5).Repeat().IsInfinite());
  EXPECT_TRUE(Ids(5).Repeat().Repeat(3).IsInfinite());
  EXPECT_EQ(Ids(5).Repeat().Take(7).Size(), 7);
  EXPECT_FALSE(Ids(5).Take(0).Repeat().IsInfinite());
}

TEST(Dataset, StagesRefuse) {
  EXPECT_ERROR(Ids(3).Take(-1), kInvalidArgument, "-1");
  EXPECT_ERROR(Ids(3).Skip(-1), kInvalidArgument, "-1");
  EXPECT_ERROR(Ids(3).Repeat(-1), kInvalidArgument, "for ever");
  EXPECT_ERROR(Ids(3).Repeat(int64_t{1} << 62), kInvalidArgument, "too large");
  EXPECT_ERROR(Ids(3).Prefetch(0), kInvalidArgument, "at least 1");
  EXPECT_ERROR(Ids(3).Repeat().Shuffle(1), kInvalidArgument, "Shuffle before Repeat");
  EXPECT_ERROR(IdStream(3).Shuffle(1), kInvalidArgument, "window");
  EXPECT_ERROR(IdStream(3).Cache(), kInvalidArgument, "indexable");
  EXPECT_ERROR(Ids(3).Repeat().Cache(), kInvalidArgument, "before Repeat");
}

TEST(Dataset, CacheComputesOnce) {
  std::atomic<int> calls = 0;
  const Dataset cached = Ids(50)
                             .Map([&calls](const Element& e) {
                               ++calls;
                               return Doubled(e);
                             })
                             .Cache();
  EXPECT_EQ(calls, 1);  // for the spec
  const auto expected = Flat(ReadIds(Ids(50).Map(Doubled)));
  for (int sweep = 0; sweep < 3; ++sweep) EXPECT_EQ(Flat(ReadIds(cached)), expected);
  EXPECT_EQ(calls, 51);
  EXPECT_EQ(Flat(ReadIds(cached.Shuffle(1).Batch(50))), Flat(ReadIds(Ids(50).Shuffle(1).Map(Doubled))));
  EXPECT_EQ(calls, 51);
}

TEST(Position, Text) {
  const Position position{.epoch = 3, .index = int64_t{1} << 40, .delivered = 2};
  EXPECT_EQ(ToString(position), "epoch 3 index 1099511627776 delivered 2");
  EXPECT_EQ(PositionFromString(ToString(position)), position);
  for (const char* bad : {"", "epoch 1", "epoch 1 index 2 delivered 3 ", "epoch -1 index 2 delivered 3",
                          "epoch 1 index 99999999999999999999 delivered 0", "epoch x index 2 delivered 3"}) {
    EXPECT_ERROR(PositionFromString(bad), kInvalidArgument, "is not a position");
  }
}

}  // namespace
}  // namespace replicator::data
