#include "replicator/store/staleness.h"

#include <fmt/format.h>

namespace replicator {

double AsyncStatistics::mean_staleness() const {
  double sum = 0, count = 0;
  for (const auto& [value, times] : staleness) {
    sum += static_cast<double>(value) * static_cast<double>(times);
    count += static_cast<double>(times);
  }
  return count == 0 ? 0 : sum / count;
}

int64_t AsyncStatistics::max_staleness() const { return staleness.empty() ? 0 : staleness.rbegin()->first; }

int64_t AsyncStatistics::dropped() const {
  int64_t sum = 0;
  for (const GroupStatistics& group : groups) sum += group.dropped;
  return sum;
}

double AsyncStatistics::steps_per_second() const {
  double sum = 0;
  for (const GroupStatistics& group : groups) sum += group.steps_per_second;
  return sum;
}

std::string ToString(const AsyncStatistics& statistics) {
  std::string text =
      fmt::format("{} updates, staleness {:.2f} on average and {} at most, {} gradients dropped\n", statistics.updates,
                  statistics.mean_staleness(), statistics.max_staleness(), statistics.dropped());
  text += "group   steps  applied  dropped    waits  waited s  steps/s\n";
  for (size_t g = 0; g < statistics.groups.size(); ++g) {
    const GroupStatistics& group = statistics.groups[g];
    text += fmt::format("{:>5} {:>7} {:>8} {:>8} {:>8} {:>9.2f} {:>8.1f}\n", g, group.steps, group.applied,
                        group.dropped, group.waits, group.wait_seconds, group.steps_per_second);
  }
  text += "staleness:";
  for (const auto& [value, times] : statistics.staleness) text += fmt::format(" {}: {}", value, times);
  return text + "\n";
}

}  // namespace replicator
