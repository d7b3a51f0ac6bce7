// What asynchronous groups share, as the store knows it: one version of some variables on the store's device, and what
// a group sends to change them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "pjrt/buffer.h"
#include "replicator/data/element.h"
#include "replicator/graph/variable.h"
#include "store/parameter_store.h"

namespace replicator {

class AsyncStep;

// How far each group has come: belongs to the version, so that a checkpoint fits together.
struct AsyncProgress {
  int64_t updates = 0;  // of the variables
  // The same by step; an aggregated update counts for the step of its first member.
  std::map<int, int64_t> applied;
  std::map<std::pair<int, int>, int64_t> executions;             // the next one's number, by (step, group)
  std::map<std::pair<int, int>, data::Position> input_position;  // by (input, group)
};

// Values that no update has changed are shared by the versions.
struct DeviceState final : store::State {
  std::vector<std::shared_ptr<pjrt::Buffer>> values;  // as the cell's variables
  AsyncProgress progress;                             // in the last cell
};

// One execution of a step by a group.
struct DeviceUpdate final : store::Update {
  AsyncStep* step = nullptr;
  int group = 0;
  int64_t execution = 0;
  int input = -1;  // -1: none
  data::Position position;
  mutable std::vector<pjrt::Buffer> pushed;  // on the store's device; taken by the store
  // The variables of the last cell as the group has read them, for the updates of other cells.
  std::shared_ptr<const DeviceState> counters;
};

}  // namespace replicator
