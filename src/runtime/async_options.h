// How an engine's groups of replicas train without waiting for one another.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "replicator/store/policy.h"

namespace replicator {

struct AsyncOptions {
  int num_sync_groups = 0;  // 0: one group; everything is synchronous, and nothing below counts
  Consistency consistency = Consistency::kSnapshot;
  AsyncPolicy policy = AsyncPolicy::Unbounded();
  int64_t max_steps = 0;
  std::string record_order = {};
  std::string replay_order = {};
  std::function<double(int sync_group, int64_t step)> simulated_delay = nullptr;  // seconds
};

}  // namespace replicator
