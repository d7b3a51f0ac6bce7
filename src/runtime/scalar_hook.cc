#include "runtime/scalar_hook.h"

#include "replicator/base/error.h"

namespace replicator {
namespace {

// While a value is read there are this many later steps enqueued, which keep the devices busy.
constexpr int64_t kStepsBehind = 2;

}  // namespace

std::vector<Fetch> ScalarHook::BeforeRun(HookContext& context) {
  const int64_t next = context.step() + 1;
  if (next != 1 && next % every_steps_ != 0) return {};
  std::vector<Fetch> fetches;
  for (const auto& [name, fetch] : scalars_) fetches.push_back(fetch);
  return fetches;
}

void ScalarHook::AfterRun(HookContext& context, const std::vector<std::optional<Fetched>>& values) {
  for (size_t i = 0; i < values.size(); ++i) {
    if (!values[i].has_value()) continue;
    recorder_.Enqueue(scalars_[i].first, context.step(), [value = *values[i]] { return value.Item<double>(); });
  }
  recorder_.ReadUntil(context.step() - kStepsBehind);
}

void ScalarHook::End(HookContext& context) {
  recorder_.ReadUntil(context.step());
  try {
    recorder_.Flush();
  } catch (const Error& error) {
    context.Warn("scalars are lost: " + error.message());
  }
}

}  // namespace replicator
