// What an InputIterator shares: the pipelines, the thread that carries batches to the devices ahead of the steps, and
// the position of the last batch that a step consumed.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "pjrt/buffer.h"
#include "replicator/runtime/input_iterator.h"
#include "runtime/input_pipelines.h"
#include "runtime/prefetcher.h"

namespace replicator {

// One step's batches on their way to the devices.
struct DeviceBatches {
  std::vector<std::vector<pjrt::Buffer>> replicas;  // [replica][component, in the order of names]
  data::Position position;                          // after them
};

// Thread-safe, as far as the comments say.
class InputIterator::Impl {
 public:
  // Starts to put a value onto a replica's device. Called from a background thread.
  using Put = std::function<pjrt::Buffer(const Literal& value, int replica)>;

  // Batches ready on the devices while a step runs.
  static constexpr size_t kDepth = 2;

  // Throws as InputPipelines. `order` of two iterators says whose run_mutex is locked first.
  Impl(const InputFn& input_fn, InputReplicationMode mode, int num_replicas, SourceLocation where);
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  const data::ElementSpec& spec() const { return pipelines_.spec(); }
  int num_replicas() const { return pipelines_.num_replicas(); }
  SourceLocation where() const { return pipelines_.where(); }

  // Says once for all on which devices the batches go; `owner` identifies them. Throws Error(kFailedPrecondition) when
  // another owner has done so.
  void Bind(const std::shared_ptr<const void>& owner, Put put);

  // Held from Take to Commit (or PutBack), so that batches are consumed in the order in which steps run. May be held
  // for long, while a generator waits; so it is locked before any other lock of the runtime, and several of them in the
  // order of `order`.
  std::mutex& run_mutex() { return run_mutex_; }
  int64_t order() const { return order_; }

  // The next batches; the caller holds run_mutex. Throws OutOfRange at the end of the sweep and from then on, and what
  // the pipelines throw.
  DeviceBatches Take();
  // Undoes a Take; the caller holds run_mutex. The last batches taken go back first.
  void PutBack(DeviceBatches batches);
  // A step has been started on them; the caller holds run_mutex.
  void Commit(const DeviceBatches& batches);

  // After the last batches that a step has consumed.
  data::Position position() const;
  // Throws Error(kInvalidArgument) for a position that the pipelines cannot have.
  void CheckPosition(const data::Position& position) const { pipelines_.CheckPosition(position); }
  // The caller holds run_mutex.
  void Seek(const data::Position& position);
  // Takes run_mutex. Where nothing has been consumed since the beginning of the sweep, it is the same sweep.
  void Initialize();

 private:
  using Feeder = Prefetcher<DeviceBatches>;

  Feeder::Pull OpenFeeder(const std::stop_token& stop);
  void Reset(const data::Position& position);

  const InputPipelines pipelines_;
  const int64_t order_;

  std::mutex run_mutex_;
  std::shared_ptr<const void> owner_;    // guarded by run_mutex_
  Put put_;                              // guarded by run_mutex_; const while a feeder exists
  data::Position start_;                 // guarded by run_mutex_; const while a feeder exists
  bool ended_ = false;                   // guarded by run_mutex_
  std::vector<DeviceBatches> put_back_;  // guarded by run_mutex_; taken last in, first out

  mutable std::mutex position_mutex_;
  data::Position position_;  // guarded by position_mutex_

  std::unique_ptr<Feeder> feeder_;  // guarded by run_mutex_; last: its thread uses what is above
};

}  // namespace replicator
