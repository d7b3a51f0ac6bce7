// What progress looks like.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "replicator/runtime/hook.h"

namespace replicator {

struct ProgressState {
  int64_t step = 0;
  std::optional<int64_t> last_step;  // where training ends, if that is known
  double steps_per_second = 0;       // 0: not known yet
  int64_t examples_per_step = 0;     // 0: unknown, then steps/s are shown
  std::vector<NamedScalar> scalars;
};

// "0:07", "12:34", "1:02:03"; rounded to seconds.
std::string FormatDuration(double seconds);

// "step 250/1000 (25%)  loss 0.4312  5120 examples/s  ETA 0:18"; what is not known is left out.
std::string FormatLine(const ProgressState& state);

// The same with a bar if last_step is known, at most `width` bytes: the bar shrinks, then parts that do not fit are
// left out, beginning with the last scalar.
std::string FormatBar(const ProgressState& state, int width);

}  // namespace replicator
