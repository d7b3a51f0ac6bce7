#include "replicator/io/histogram.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "replicator/base/error.h"

namespace replicator::io {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

void ExpectRefused(const std::function<void()>& statement, const std::string& text) {
  try {
    statement();
    ADD_FAILURE() << "no error; expected: " << text;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    EXPECT_THAT(error.message(), HasSubstr(text));
    EXPECT_EQ(error.where().size(), 1u);
  }
}

TEST(HistogramOfCounts, HasOneBucketPerInteger) {
  // 3 x -2, 1 x -1, 2 x 4: sum 1, squares 12 + 1 + 32.
  const Histogram histogram = HistogramOfCounts({{-2, 3}, {-1, 1}, {0, 0}, {4, 2}});
  EXPECT_THAT(histogram.bucket_limits, ElementsAre(-1.5, -0.5, 3.5, 4.5));
  EXPECT_THAT(histogram.bucket_counts, ElementsAre(3, 1, 0, 2));
  EXPECT_EQ(histogram.min, -2.5);
  EXPECT_EQ(histogram.max, 4.5);
  EXPECT_EQ(histogram.num, 6);
  EXPECT_EQ(histogram.sum, 1);
  EXPECT_EQ(histogram.sum_squares, 45);
  EXPECT_NO_THROW(histogram.Validate());
}

TEST(HistogramOfCounts, OfNothingIsEmpty) {
  for (const std::map<int64_t, int64_t>& counts : {std::map<int64_t, int64_t>{}, {{7, 0}}}) {
    const Histogram histogram = HistogramOfCounts(counts);
    EXPECT_THAT(histogram.bucket_limits, IsEmpty());
    EXPECT_EQ(histogram.num, 0);
    EXPECT_NO_THROW(histogram.Validate());
  }
}

TEST(HistogramOfCounts, AnyIntegersWithHalves) {
  const int64_t largest = (int64_t{1} << 52) - 1;
  const Histogram histogram = HistogramOfCounts({{-largest, 1}, {largest - 1, 1}, {largest, 1}});
  EXPECT_EQ(histogram.bucket_limits.size(), 4u);
  EXPECT_NO_THROW(histogram.Validate());
  ExpectRefused([&] { HistogramOfCounts({{largest + 1, 1}}); }, "1 times 4503599627370496");
  ExpectRefused([&] { HistogramOfCounts({{-largest - 1, 1}}); }, "smaller than 2^52");
  ExpectRefused([&] { HistogramOfCounts({{std::numeric_limits<int64_t>::min(), 1}}); }, "smaller than 2^52");
  ExpectRefused([&] { HistogramOfCounts({{0, 1}, {3, -2}}); }, "-2 times 3; counts must not be negative");
}

TEST(Histogram, ValidateNamesWhatIsWrong) {
  const Histogram good = HistogramOfCounts({{0, 1}, {1, 2}});
  const auto broken = [&](const std::function<void(Histogram&)>& change, const std::string& text) {
    Histogram histogram = good;
    change(histogram);
    ExpectRefused([&] { histogram.Validate(); }, text);
  };
  const double infinity = std::numeric_limits<double>::infinity();
  broken([](Histogram& h) { h.bucket_limits.pop_back(); }, "1 bucket limits and 2 bucket counts");
  broken([](Histogram& h) { h.bucket_limits[1] = h.bucket_limits[0]; }, "the bucket limits must ascend");
  broken([](Histogram& h) { h.bucket_limits[0] = 9; }, "the bucket limits must ascend");
  broken([](Histogram& h) { h.bucket_limits[0] = NAN; }, "the bucket limits must be finite");
  broken([&](Histogram& h) { h.bucket_limits[1] = infinity; }, "the bucket limits must be finite");
  broken([](Histogram& h) { h.bucket_counts[1] = -1; }, "the bucket counts must be");
  broken([](Histogram& h) { h.bucket_counts[1] = NAN; }, "the bucket counts must be");
  broken([](Histogram& h) { h.min = 5; }, "min is greater than max");
  broken([](Histogram& h) { h.num = -1; }, "num is negative");
  for (double Histogram::* member :
       {&Histogram::min, &Histogram::max, &Histogram::num, &Histogram::sum, &Histogram::sum_squares}) {
    broken([&](Histogram& h) { h.*member = NAN; }, "must be finite");
    broken([&](Histogram& h) { h.*member = infinity; }, "must be finite");
  }
}

}  // namespace
}  // namespace replicator::io
