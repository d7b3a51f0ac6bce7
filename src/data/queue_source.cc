#include <deque>
#include <utility>

#include "data/stages.h"
#include "replicator/base/error.h"

namespace replicator::data {
namespace internal {
namespace {

class QueueCursor final : public Cursor {
 public:
  QueueCursor(Queue queue, const QueueReadOptions& options, uint64_t epoch, SourceLocation where, std::stop_token stop)
      : queue_(std::move(queue)), options_(options), place_{epoch, 0}, where_(where), stop_(std::move(stop)) {}

  std::optional<Element> Next() override {
    if (taken_.empty()) Take();
    if (taken_.empty()) return std::nullopt;
    Element element{.components = std::move(taken_.front())};
    taken_.pop_front();
    ++place_.index;
    return element;
  }

 private:
  void Take() {
    try {
      std::vector<Components> block = queue_.PopBatch(options_.block, options_.timeout_seconds, stop_);
      if (options_.drop_incomplete && std::ssize(block) < options_.block) return;
      for (Components& components : block) taken_.push_back(std::move(components));
    } catch (const Error& error) {
      // These say themselves which queue it was.
      if (error.code() == ErrorCode::kDeadlineExceeded || error.code() == ErrorCode::kCancelled) throw;
      RethrowFrom("a producer of the queue", place_, where_);
    } catch (...) {
      RethrowFrom("a producer of the queue", place_, where_);
    }
  }

  Queue queue_;
  const QueueReadOptions options_;
  Place place_;
  const SourceLocation where_;
  const std::stop_token stop_;
  std::deque<Components> taken_;
};

class QueueSource final : public Node {
 public:
  QueueSource(Queue queue, const QueueReadOptions& options, SourceLocation where)
      : Node({.spec = queue.spec(), .indexable = false, .live = true}),
        queue_(std::move(queue)),
        options_(options),
        where_(where) {}

  std::unique_ptr<Cursor> Open(Place place, std::stop_token stop) const override {
    return std::make_unique<QueueCursor>(queue_, options_, place.epoch, where_, std::move(stop));
  }

 private:
  const Queue queue_;
  const QueueReadOptions options_;
  const SourceLocation where_;
};

}  // namespace

NodePtr QueueNode(Queue queue, QueueReadOptions options, SourceLocation where) {
  if (options.block < 1 || options.block > queue.capacity()) {
    throw Error(ErrorCode::kInvalidArgument,
                std::to_string(options.block) + " elements at once were asked of the queue made at " +
                    replicator::ToString(queue.where()) + "; ask for 1 to " + std::to_string(queue.capacity()) +
                    ", its capacity",
                {where, queue.where()});
  }
  return std::make_shared<QueueSource>(std::move(queue), options, where);
}

}  // namespace internal

std::function<Dataset(const InputContext&)> InputFromQueue(Queue queue, QueueInputOptions options,
                                                           SourceLocation where) {
  const bool stacks = options.global_batch_size != 0;
  if (!stacks && options.remainder == Remainder::kPadAndMask) {
    throw Error(ErrorCode::kInvalidArgument,
                "kPadAndMask needs a global_batch_size: elements that are whole batches cannot be padded", {where});
  }
  return [queue = std::move(queue), options, stacks, where](const InputContext& ctx) {
    // The pipeline has the queue to itself, so it deals to its own replicas only.
    const int64_t replicas = ctx.num_replicas_in_pipeline;
    const int64_t batch = stacks ? ctx.PerReplicaBatchSize(options.global_batch_size, where) : 1;
    Dataset elements = Dataset::FromQueue(queue,
                                          {.block = batch * replicas,
                                           .drop_incomplete = options.remainder == Remainder::kDrop,
                                           .timeout_seconds = options.timeout_seconds},
                                          where);
    const InputContext own{.num_replicas_in_sync = replicas, .num_replicas_in_pipeline = replicas};
    if (stacks) return elements.Shard(own, where).Batch(batch, {.remainder = options.remainder}, where);
    return elements;
  };
}

}  // namespace replicator::data
