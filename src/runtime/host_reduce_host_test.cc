#include "runtime/host_reduce.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace replicator {
namespace {

using testing::ElementsAre;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

template <typename T>
std::vector<Literal> Rows(const std::vector<std::vector<T>>& rows) {
  std::vector<Literal> values;
  for (const auto& row : rows) values.push_back(Literal::FromValues<T>({static_cast<int64_t>(row.size())}, row));
  return values;
}

TEST(ReduceOverReplicas, GoesElementByElement) {
  const auto values = Rows<float>({{1, -2}, {3, 5}, {2, 6}});
  EXPECT_THAT(ReduceOverReplicas(values, ReduceOp::kSum).ToDoubles(), ElementsAre(6, 9));
  EXPECT_THAT(ReduceOverReplicas(values, ReduceOp::kMean).ToDoubles(), ElementsAre(2, 3));
  EXPECT_THAT(ReduceOverReplicas(values, ReduceOp::kMin).ToDoubles(), ElementsAre(1, -2));
  EXPECT_THAT(ReduceOverReplicas(values, ReduceOp::kMax).ToDoubles(), ElementsAre(3, 6));
  EXPECT_THAT(ReduceOverReplicas(values, ReduceOp::kOnlyFirstReplica).ToDoubles(), ElementsAre(1, -2));
  EXPECT_EQ(ReduceOverReplicas(values, ReduceOp::kSum).shape(), values[0].shape());
}

TEST(ReduceOverReplicas, RoundsFloatsOnce) {
  // 2^24 + 1 + 1 in single precision, added one by one, would stay 2^24.
  const auto values = Rows<float>({{16777216}, {1}, {1}});
  EXPECT_EQ(ReduceOverReplicas(values, ReduceOp::kSum).Item<float>(), 16777218.0f);
  const std::vector<Literal> halves = {Literal::Scalar(Half(2048.0f)), Literal::Scalar(Half(1.0f)),
                                       Literal::Scalar(Half(1.0f))};
  EXPECT_EQ(ReduceOverReplicas(halves, ReduceOp::kSum).Item<float>(), 2050.0f);
}

TEST(ReduceOverReplicas, IsExactForIntegers) {
  const int64_t large = int64_t{1} << 53;
  const auto values = Rows<int64_t>({{large}, {1}, {-7}});
  EXPECT_EQ(ReduceOverReplicas(values, ReduceOp::kSum).Item<int64_t>(), large - 6);
  EXPECT_EQ(ReduceOverReplicas(Rows<uint8_t>({{200}, {100}}), ReduceOp::kSum).Item<int>(), 44);
  EXPECT_EQ(ReduceOverReplicas(Rows<int64_t>({{large + 1}, {large + 1}}), ReduceOp::kMean).Item<int64_t>(), large + 1);
  EXPECT_EQ(ReduceOverReplicas(Rows<int32_t>({{-3}, {-4}}), ReduceOp::kMean).Item<int>(), -4);
  EXPECT_EQ(ReduceOverReplicas(Rows<uint64_t>({{~uint64_t{0}}, {1}}), ReduceOp::kMax).Item<uint64_t>(), ~uint64_t{0});
}

TEST(ReduceOverReplicas, NaNWins) {
  for (const auto& values : {Rows<double>({{1}, {kNaN}}), Rows<double>({{kNaN}, {1}})}) {
    for (ReduceOp op : {ReduceOp::kMin, ReduceOp::kMax, ReduceOp::kSum, ReduceOp::kMean}) {
      EXPECT_TRUE(std::isnan(ReduceOverReplicas(values, op).Item<double>()));
    }
  }
}

TEST(ReduceOverReplicas, TakesBoolAsAnyAndAll) {
  const auto values = Rows<bool>({{true, false, true}, {true, false, false}});
  EXPECT_THAT(ReduceOverReplicas(values, ReduceOp::kMin).ToDoubles(), ElementsAre(1, 0, 0));
  EXPECT_THAT(ReduceOverReplicas(values, ReduceOp::kMax).ToDoubles(), ElementsAre(1, 0, 1));
}

TEST(ReduceOverReplicas, TakesEmptyValues) {
  EXPECT_EQ(ReduceOverReplicas(Rows<float>({{}, {}}), ReduceOp::kSum).num_elements(), 0);
}

TEST(OverEverything, AddsAllElements) {
  EXPECT_EQ(SumOverEverything(Rows<float>({{1, 2}, {3, 4.5}})), Literal::Scalar(10.5f));
  EXPECT_EQ(SumOverEverything(Rows<bool>({{true, true}, {false, true}})), Literal::Scalar<int64_t>(3));
  EXPECT_EQ(SumOverEverything(Rows<int8_t>({{100, 100}, {-1, 100}})), Literal::Scalar<int64_t>(299));
  EXPECT_EQ(SumOverEverything(Rows<uint8_t>({{200, 200}})), Literal::Scalar<uint64_t>(400));
  EXPECT_EQ(SumOverEverything(Rows<float>({{}})), Literal::Scalar(0.0f));
}

TEST(OverEverything, AveragesAllElements) {
  EXPECT_EQ(MeanOverEverything(Rows<float>({{1, 2}, {3, 4}})), Literal::Scalar(2.5f));
  EXPECT_EQ(MeanOverEverything(Rows<int32_t>({{1, 2}})), Literal::Scalar(1.5));
  EXPECT_EQ(MeanOverEverything(Rows<bool>({{true, false, false, false}})), Literal::Scalar(0.25));
  EXPECT_TRUE(std::isnan(MeanOverEverything(Rows<float>({{}})).Item<float>()));
}

}  // namespace
}  // namespace replicator
