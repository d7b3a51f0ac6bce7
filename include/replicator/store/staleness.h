// What asynchronous training has measured of itself.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace replicator {

struct GroupStatistics {
  int64_t steps = 0;    // gradients that the group has pushed
  int64_t applied = 0;  // those that went into an update
  int64_t dropped = 0;  // those that came too late
  int64_t waits = 0;    // times that the policy made it wait
  double wait_seconds = 0;
  double steps_per_second = 0;  // from its first read to its last push
};

// A consistent picture of one moment.
struct AsyncStatistics {
  int64_t updates = 0;  // of the variables, since the beginning of this process
  // How many applied gradients had which staleness: the number of updates between the read that a gradient was computed
  // from and its own. With Consistency::kPerVariable each variable's part of a gradient counts.
  std::map<int64_t, int64_t> staleness;
  std::vector<GroupStatistics> groups;

  double mean_staleness() const;    // 0 if nothing has been applied
  int64_t max_staleness() const;    // likewise
  int64_t dropped() const;          // by all groups
  double steps_per_second() const;  // of all groups together
};

// A table for people, one line for each group and one for the distribution of staleness.
std::string ToString(const AsyncStatistics& statistics);

}  // namespace replicator
