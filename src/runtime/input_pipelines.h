// The pipelines that feed the local replicas, read step by step on the host.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "replicator/data/dataset.h"
#include "replicator/runtime/input_iterator.h"

namespace replicator {

// One step's batches.
struct HostBatches {
  std::vector<data::Components> replicas;  // in replica order
  data::Position position;                 // after them; the same in every pipeline
};

// What the input function returned for each pipeline. Immutable.
class InputPipelines {
 public:
  // kSingle and kPerWorker: one pipeline for all replicas; kPerReplica: one for each. Throws what `input_fn` throws,
  // and Error(kInvalidArgument) for an empty function or for pipelines whose batches differ in names, dtypes or shapes.
  InputPipelines(const InputFn& input_fn, InputReplicationMode mode, int num_replicas, SourceLocation where);

  // Of one replica's batch.
  const data::ElementSpec& spec() const { return datasets_.front().Spec(); }
  int num_replicas() const { return num_replicas_; }
  SourceLocation where() const { return where_; }

  // Reads the pipelines in step with one another. Used from one thread at a time.
  class Reader {
   public:
    // Throws as data::Iterator::Seek. `pipelines` must outlive it. A wait for a generator can be interrupted by `stop`.
    Reader(const InputPipelines& pipelines, const data::Position& start, const std::stop_token& stop);

    // nullopt when all pipelines end. Throws Error(kInvalidArgument) when they end at different steps, or within one,
    // and what the pipelines throw; it stands before that step then.
    std::optional<HostBatches> Next();

   private:
    void Rewind(size_t pipelines);

    const InputPipelines& pipelines_;
    std::vector<data::Iterator> iterators_;
    data::Position position_;
  };

  // Throws Error(kInvalidArgument) for a position that the pipelines cannot have. (A stream is asked only when read.)
  void CheckPosition(const data::Position& position) const;

 private:
  std::vector<data::Dataset> datasets_;  // by pipeline; at least one
  std::vector<int64_t> replicas_of_;     // by pipeline
  int num_replicas_;
  SourceLocation where_;
};

}  // namespace replicator
