#include "data/permutation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <vector>

namespace replicator::data::internal {
namespace {

std::vector<int64_t> Values(int64_t size, uint64_t seed, uint64_t epoch = 0) {
  const Permutation permutation(size);
  std::vector<int64_t> values(static_cast<size_t>(size));
  for (int64_t i = 0; i < size; ++i) values[static_cast<size_t>(i)] = permutation.At(EpochKey(seed, epoch), i);
  return values;
}

void ExpectBijection(int64_t size, uint64_t seed) {
  std::vector<bool> seen(static_cast<size_t>(size));
  for (int64_t value : Values(size, seed)) {
    ASSERT_TRUE(value >= 0 && value < size) << value << " of " << size;
    ASSERT_FALSE(seen[static_cast<size_t>(value)]) << value << " twice of " << size;
    seen[static_cast<size_t>(value)] = true;
  }
}

TEST(Permutation, IsABijection) {
  for (int64_t size = 1; size <= 1000; ++size) ExpectBijection(size, static_cast<uint64_t>(size) * 7);
  for (int64_t size : {1 << 16, 60000, 1281167}) ExpectBijection(size, 1);
}

TEST(Permutation, StaysWithinHugeDomains) {
  const int64_t size = (int64_t{1} << 62) - 1;
  const Permutation permutation(size);
  std::set<int64_t> values;
  for (int64_t i = 0; i < 1000; ++i) {
    values.insert(permutation.At(5, i));
    values.insert(permutation.At(5, size - 1 - i));
  }
  EXPECT_EQ(values.size(), 2000u);
  EXPECT_GE(*values.begin(), 0);
  EXPECT_LT(*values.rbegin(), size);
}

TEST(Permutation, DependsOnSeedAndEpoch) {
  EXPECT_EQ(Values(1000, 1), Values(1000, 1));
  EXPECT_NE(Values(1000, 1), Values(1000, 2));
  EXPECT_NE(Values(1000, 1, 0), Values(1000, 1, 1));
  EXPECT_NE(Values(1000, 0, 1), Values(1000, 1, 0));
}

// Every order of a few elements must be about equally frequent over the keys. Bound: the 99.9 % quantile of chi
// squared.
TEST(Permutation, AllOrdersAreEquallyFrequent) {
  constexpr int kDraws = 24000;
  std::map<std::vector<int64_t>, int> counts;
  for (uint64_t epoch = 0; epoch < kDraws; ++epoch) ++counts[Values(4, 11, epoch)];
  ASSERT_EQ(counts.size(), 24u);
  double chi_squared = 0;
  for (const auto& [order, count] : counts) chi_squared += std::pow(count - kDraws / 24.0, 2) / (kDraws / 24.0);
  EXPECT_LT(chi_squared, 49.7);  // 23 degrees of freedom
}

// Where an element comes to lie, and how far neighbours end up from each other, is as for uniform permutations.
TEST(Permutation, MixesFarAndWide) {
  constexpr int64_t kSize = 60000;
  for (uint64_t seed = 0; seed < 5; ++seed) {
    const std::vector<int64_t> values = Values(kSize, seed);
    std::vector<double> histogram(100);
    double covariance = 0, distance = 0;
    for (int64_t i = 0; i < kSize; ++i) {
      const auto value = static_cast<double>(values[static_cast<size_t>(i)]);
      // 10 x 10 cells of (from, to)
      ++histogram[static_cast<size_t>(i / (kSize / 10) * 10 + values[static_cast<size_t>(i)] / (kSize / 10))];
      covariance += (static_cast<double>(i) / kSize - 0.5) * (value / kSize - 0.5);
      if (i > 0) distance += std::abs(value - static_cast<double>(values[static_cast<size_t>(i - 1)])) / kSize;
    }
    double chi_squared = 0;
    for (double count : histogram) chi_squared += std::pow(count - kSize / 100.0, 2) / (kSize / 100.0);
    EXPECT_LT(chi_squared, 126.1);                                       // 81 degrees of freedom, 99.9 %
    EXPECT_LT(std::abs(covariance / kSize * 12), 4 / std::sqrt(kSize));  // correlation, 4 standard deviations
    EXPECT_NEAR(distance / kSize, 1.0 / 3, 0.005);
  }
}

}  // namespace
}  // namespace replicator::data::internal
