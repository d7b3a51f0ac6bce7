#include "runtime/input_pipelines.h"

#include <utility>

#include "replicator/base/error.h"

namespace replicator {

InputPipelines::InputPipelines(const InputFn& input_fn, InputReplicationMode mode, int num_replicas,
                               SourceLocation where)
    : num_replicas_(num_replicas), where_(where) {
  if (input_fn == nullptr) throw Error(ErrorCode::kInvalidArgument, "the input function is empty", {where});
  const int64_t num_pipelines = mode == InputReplicationMode::kPerReplica ? num_replicas : 1;
  for (int64_t pipeline = 0; pipeline < num_pipelines; ++pipeline) {
    const auto context = InputContext::ForPipeline(pipeline, num_pipelines, num_replicas, where);
    datasets_.push_back(input_fn(context));
    replicas_of_.push_back(context.num_replicas_in_pipeline);
    const data::ElementSpec& own = datasets_.back().Spec();
    if (own == spec()) continue;
    throw Error(ErrorCode::kInvalidArgument,
                "the input function gives pipeline 0 batches of " + data::ToString(spec()) + ", but pipeline " +
                    std::to_string(pipeline) + " batches of " + data::ToString(own) +
                    "; all replicas need the same names, element types and shapes",
                {where});
  }
}

void InputPipelines::CheckPosition(const data::Position& position) const {
  for (const data::Dataset& dataset : datasets_) {
    if (dataset.IsIndexable()) dataset.MakeIterator(where_).Seek(position);
  }
}

InputPipelines::Reader::Reader(const InputPipelines& pipelines, const data::Position& start,
                               const std::stop_token& stop)
    : pipelines_(pipelines), position_(start) {
  for (const data::Dataset& dataset : pipelines.datasets_) {
    iterators_.push_back(dataset.MakeIterator(stop, pipelines.where_));
    if (start != data::Position()) iterators_.back().Seek(start);
  }
}

std::optional<HostBatches> InputPipelines::Reader::Next() {
  HostBatches batches;
  size_t ended = 0;  // pipelines
  for (size_t p = 0; p < iterators_.size(); ++p) {
    std::optional<std::vector<data::Element>> step;
    try {
      step = iterators_[p].NextStep(pipelines_.replicas_of_[p]);
    } catch (...) {
      Rewind(p);
      throw;
    }
    if (!step.has_value()) {
      ++ended;
      continue;
    }
    for (data::Element& element : *step) batches.replicas.push_back(std::move(element.components));
  }
  if (ended == iterators_.size()) return std::nullopt;
  if (ended > 0) {
    Rewind(iterators_.size());
    throw Error(ErrorCode::kInvalidArgument,
                "the input has ended for " + std::to_string(ended) + " of the " + std::to_string(iterators_.size()) +
                    " pipelines, but the others still have batches (at " + data::ToString(position_) +
                    "); give every pipeline the same number of steps, as Shard(ctx) before Batch does",
                {pipelines_.where_});
  }
  position_ = iterators_.front().position();
  batches.position = position_;
  return batches;
}

void InputPipelines::Reader::Rewind(size_t pipelines) {
  for (size_t p = 0; p < pipelines; ++p) iterators_[p].Seek(position_);
}

}  // namespace replicator
