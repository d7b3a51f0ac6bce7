#include "runtime/drift_hook.h"

#include <fmt/format.h>

#include <cstring>

#include "base/hash.h"
#include "replicator/runtime/drift.h"

namespace replicator {
namespace {

uint64_t HashOf(const Literal& value) { return HashBytes(value.bytes(), value.byte_size()); }

// "12 of 128 elements differ, the first at 5"
std::string DescribeDifference(const Literal& a, const Literal& b) {
  const size_t width = ByteSize(a.dtype());
  size_t differing = 0, first = 0;
  for (size_t i = 0; i * width < a.byte_size(); ++i) {
    if (std::memcmp(a.bytes() + i * width, b.bytes() + i * width, width) == 0) continue;
    if (differing++ == 0) first = i;
  }
  return fmt::format("{} of {} elements differ, the first at {}", differing, a.num_elements(), first);
}

void CheckMirrored(const VariableDef& def, const std::vector<Literal>& values, int64_t step) {
  const uint64_t expected = HashOf(values[0]);
  for (size_t r = 1; r < values.size(); ++r) {
    const uint64_t hash = HashOf(values[r]);
    if (hash == expected) continue;
    throw ReplicasDiffer(
        fmt::format("after step {} the replicas have drifted apart: the mirrored variable '{}' hashes to {:016x} on "
                    "replica 0, but to {:016x} on replica {} ({})",
                    step, def.options.name, expected, hash, r, DescribeDifference(values[0], values[r])),
        def.options.name, static_cast<int>(r), expected, hash, def.where);
  }
}

}  // namespace

void DriftHook::AfterRun(HookContext& context, const std::vector<std::optional<Fetched>>&) {
  const int64_t step = context.step();
  if (step / every_steps_ == last_step_ / every_steps_) return;
  last_step_ = step;
  for (const auto& def : engine_.variables().all()) {
    if (def->options.aggregation == Aggregation::kNone) CheckMirrored(*def, engine_.ReadReplicas(*def), step);
  }
}

}  // namespace replicator
