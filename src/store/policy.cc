#include "replicator/store/policy.h"

#include <fmt/format.h>

#include "replicator/base/error.h"

namespace replicator {

AsyncPolicy AsyncPolicy::StaleSynchronous(int bound, SourceLocation where) {
  if (bound >= 0) return {Kind::kStaleSynchronous, bound};
  throw Error(ErrorCode::kInvalidArgument, fmt::format("StaleSynchronous: bound = {}; it must be at least 0", bound),
              {where});
}

AsyncPolicy AsyncPolicy::BackupWorkers(int required, SourceLocation where) {
  if (required >= 1) return {Kind::kBackupWorkers, required};
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("BackupWorkers: required = {}; at least 1 gradient makes an update", required), {where});
}

AsyncPolicy AsyncPolicy::WithStalenessAwareLearningRate() const {
  AsyncPolicy aware = *this;
  aware.staleness_aware_ = true;
  return aware;
}

std::string ToString(const AsyncPolicy& policy) {
  std::string text = "unbounded";
  if (policy.kind() == AsyncPolicy::Kind::kStaleSynchronous)
    text = fmt::format("stale-synchronous, bound {}", policy.bound());
  if (policy.kind() == AsyncPolicy::Kind::kBackupWorkers)
    text = fmt::format("the first {} gradients of each version", policy.required());
  return policy.staleness_aware_learning_rate() ? text + ", learning rate divided by staleness" : text;
}

}  // namespace replicator
