// An axis of a chart: its range, its ticks and their labels.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace replicator::io {

// The values on an axis so far.
struct Range {
  bool empty = true;
  double low = 0, high = 0;

  void Include(double value) {
    low = empty || value < low ? value : low;
    high = empty || value > high ? value : high;
    empty = false;
  }
};

struct Axis {
  bool log = false;
  double low = 0, high = 1;   // low < high, and 0 < low if log
  std::vector<double> ticks;  // ascending, within the range

  // Where a value of the range stands: 0 is `low`, 1 is `high`.
  double Fraction(double value) const;
};

// A range in which something can be drawn: where all values are (nearly) one, it is in the middle; where there are
// none, 0 to 1 (1 to 10 if log).
Range Widened(const Range& range, bool log);

// From tick to tick, with about `most_ticks` of them; from 0 where that is near the values. `range` is Widened.
Axis RoundAxis(const Range& range, bool log, int most_ticks);

// Exactly the range, with as many ticks as have room: `fits` says whether labels at these fractions do.
using LabelsFit = std::function<bool(const Axis& axis, const std::vector<std::string>& labels)>;
Axis ExactAxis(const Range& range, bool log, int most_ticks, const LabelsFit& fits);

// Of its ticks, all in one style: "0.25", "12,000", "1.5M" or "2×10⁻⁴", with as many digits as tell them apart.
std::vector<std::string> TickLabels(const Axis& axis);

}  // namespace replicator::io
