#include "replicator/replicators/multi_worker_async_replicator.h"

#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "replicator/runtime/monitored_session.h"
#include "runtime/async_engine.h"

namespace replicator {
namespace {

AsyncEngine& EngineOf(const Replicator& replicator) { return static_cast<AsyncEngine&>(*replicator.engine()); }

EngineOptions ToEngineOptions(const MultiWorkerAsyncReplicatorOptions& options) {
  if (options.num_sync_groups < 1) {
    throw Error(ErrorCode::kInvalidArgument,
                "num_sync_groups must be at least 1, but is " + std::to_string(options.num_sync_groups));
  }
  return {.platform = options.platform,
          .plugin_path = options.plugin_path,
          .num_replicas = options.num_replicas_in_sync,
          .seed = options.seed,
          .cache_dir = options.cache_dir,
          .async = {.num_sync_groups = options.num_sync_groups,
                    .consistency = options.consistency,
                    .policy = options.policy,
                    .max_steps = options.max_steps,
                    .record_order = options.record_order,
                    .replay_order = options.replay_order,
                    .simulated_delay = options.simulated_delay}};
}

}  // namespace

MultiWorkerAsyncReplicator::MultiWorkerAsyncReplicator(const MultiWorkerAsyncReplicatorOptions& options)
    : Replicator(Engine::Create(ToEngineOptions(options))) {}

int MultiWorkerAsyncReplicator::num_sync_groups() const { return engine()->options().async.num_sync_groups; }

AsyncStatistics MultiWorkerAsyncReplicator::statistics() const { return *engine()->async_statistics(); }

AsyncStatistics MultiWorkerAsyncReplicator::RunGroups(Session& session, const Fetch& fetch,
                                                      const RunGroupsOptions& options) {
  auto* monitored = dynamic_cast<MonitoredSession*>(&session);
  std::mutex mutex;
  std::exception_ptr first;  // guarded by mutex
  const auto work = [&](int group) {
    const DeviceScope scope(group);
    try {
      while (monitored == nullptr || !monitored->ShouldStop()) {
        const Fetched result = session.Run(fetch);
        if (options.on_step != nullptr) options.on_step(group, result);
      }
      EngineOf(*this).Leave(group);
    } catch (const OutOfRange&) {
    } catch (...) {
      {
        const std::lock_guard lock(mutex);
        if (first == nullptr) first = std::current_exception();
      }
      EngineOf(*this).Stop(std::current_exception());
    }
  };
  std::vector<std::thread> threads;
  for (int group = 0; group < num_sync_groups(); ++group) threads.emplace_back(work, group);
  for (std::thread& thread : threads) thread.join();
  if (first != nullptr) std::rethrow_exception(first);
  return statistics();
}

}  // namespace replicator
