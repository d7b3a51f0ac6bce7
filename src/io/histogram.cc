#include "replicator/io/histogram.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "replicator/base/error.h"

namespace replicator::io {
namespace {

constexpr int64_t kFirstWithoutHalves = int64_t{1} << 52;

bool IsFinite(double value) { return std::isfinite(value); }

}  // namespace

void Histogram::Validate(SourceLocation where) const {
  const auto check = [&](bool good, const std::string& rule) {
    if (!good) throw Error(ErrorCode::kInvalidArgument, "histogram: " + rule, {where});
  };
  check(bucket_limits.size() == bucket_counts.size(), std::to_string(bucket_limits.size()) + " bucket limits and " +
                                                          std::to_string(bucket_counts.size()) +
                                                          " bucket counts; each bucket needs one of both");
  for (const double value : {min, max, num, sum, sum_squares}) {
    check(IsFinite(value), "min, max, num, sum and sum_squares must be finite");
  }
  check(min <= max, "min is greater than max");
  check(num >= 0, "num is negative");
  check(std::all_of(bucket_limits.begin(), bucket_limits.end(), IsFinite), "the bucket limits must be finite");
  check(std::adjacent_find(bucket_limits.begin(), bucket_limits.end(), std::greater_equal<>()) == bucket_limits.end(),
        "the bucket limits must ascend");
  check(std::all_of(bucket_counts.begin(), bucket_counts.end(), [](double c) { return IsFinite(c) && c >= 0; }),
        "the bucket counts must be finite and not negative");
}

Histogram HistogramOfCounts(const std::map<int64_t, int64_t>& counts, SourceLocation where) {
  Histogram histogram;
  for (const auto& [key, count] : counts) {
    if (count < 0 || key <= -kFirstWithoutHalves || key >= kFirstWithoutHalves) {
      throw Error(ErrorCode::kInvalidArgument,
                  "histogram: " + std::to_string(count) + " times " + std::to_string(key) +
                      "; counts must not be negative, and integers must be smaller than 2^52",
                  {where});
    }
    if (count == 0) continue;
    const auto value = static_cast<double>(key);
    const auto weight = static_cast<double>(count);
    const double lower = value - 0.5, upper = value + 0.5;
    if (histogram.bucket_limits.empty()) {
      histogram.min = lower;
    } else if (histogram.bucket_limits.back() < lower) {
      histogram.bucket_limits.push_back(lower);
      histogram.bucket_counts.push_back(0);
    }
    histogram.bucket_limits.push_back(upper);
    histogram.bucket_counts.push_back(weight);
    histogram.max = upper;
    histogram.num += weight;
    histogram.sum += weight * value;
    histogram.sum_squares += weight * value * value;
  }
  return histogram;
}

}  // namespace replicator::io
