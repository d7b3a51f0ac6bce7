// How values are distributed, for EventWriter::AddHistogram.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "replicator/base/source_location.h"

namespace replicator::io {

// TensorFlow's HistogramProto (core/framework/summary.proto). Bucket i counts the values between bucket_limits[i - 1]
// and bucket_limits[i]; the first one has no lower limit. TensorBoard draws the buckets that are not empty, the
// outermost ones from `min` and to `max`.
struct Histogram {
  double min = 0, max = 0;
  double num = 0;  // values in all
  double sum = 0, sum_squares = 0;
  std::vector<double> bucket_limits;
  std::vector<double> bucket_counts;

  // Throws Error(kInvalidArgument) unless there are as many limits as counts, the limits ascend strictly, min <= max,
  // counts are not negative, and all numbers are finite.
  void Validate(SourceLocation where = SourceLocation::current()) const;
};

// Of integers, counts[k] times k: a bucket of width 1 around each k that has a count, and an empty one in each gap
// between them. `min` and `max` are the outer edges of the outermost buckets, half beyond the integers, so that each
// bar is drawn as wide as the others and with its integer in the middle. No counts: a histogram without buckets. Throws
// Error(kInvalidArgument) for a negative count, and for integers of 2^52 or more, at which a double has no halves.
Histogram HistogramOfCounts(const std::map<int64_t, int64_t>& counts, SourceLocation where = SourceLocation::current());

}  // namespace replicator::io
