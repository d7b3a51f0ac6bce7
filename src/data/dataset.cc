#include "replicator/data/dataset.h"

#include "data/stages.h"
#include "replicator/base/error.h"

namespace replicator::data {
namespace {

// `count` elements or, after a sharded Batch, steps; in elements.
int64_t Elements(const internal::Traits& traits, int64_t count, int64_t minimum, const char* stage,
                 SourceLocation where) {
  if (count < minimum) {
    throw Error(ErrorCode::kInvalidArgument,
                std::string(stage) + " needs a count of at least " + std::to_string(minimum) + ", but got " +
                    std::to_string(count),
                {where});
  }
  return internal::CheckedProduct(count, traits.elements_per_step, std::string("the count of ") + stage, where);
}

}  // namespace

Dataset Dataset::FromTensors(const Components& tensors, SourceLocation where) {
  return Dataset(internal::TensorsNode(tensors, where));
}

Dataset Dataset::FromIndex(int64_t size, ElementSpec spec, std::function<Components(int64_t)> read,
                           SourceLocation where) {
  return Dataset(internal::IndexNode(size, std::move(spec), std::move(read), where));
}

Dataset Dataset::Generator(ElementSpec spec, std::function<GeneratorFn(std::stop_token)> factory,
                           SourceLocation where) {
  return Dataset(internal::GeneratorNode(std::move(spec), std::move(factory), where));
}

Dataset Dataset::Generator(ElementSpec spec, std::function<GeneratorFn()> factory, SourceLocation where) {
  return Generator(std::move(spec), [factory = std::move(factory)](std::stop_token) { return factory(); }, where);
}

Dataset Dataset::FromQueue(const Queue& queue, const QueueReadOptions& options, SourceLocation where) {
  return Dataset(internal::QueueNode(queue, options, where));
}

Dataset Dataset::Map(MapFn fn, MapOptions options, SourceLocation where) const {
  return Map([fn = std::move(fn)](Element element, const ElementId&) { return fn(std::move(element)); },
             std::move(options), where);
}

Dataset Dataset::Map(IndexedMapFn fn, MapOptions options, SourceLocation where) const {
  if (options.parallelism < 1 || options.parallelism > 1024) {
    throw Error(ErrorCode::kInvalidArgument,
                "Map needs a parallelism of 1 to 1024 threads, but got " + std::to_string(options.parallelism),
                {where});
  }
  return Dataset(internal::MapNode(node_, std::move(fn), std::move(options), where));
}

Dataset Dataset::Shuffle(uint64_t seed, SourceLocation where) const { return Shuffle({.seed = seed}, where); }

Dataset Dataset::Shuffle(ShuffleOptions options, SourceLocation where) const {
  return Dataset(internal::ShuffleNode(node_, options, where));
}

Dataset Dataset::Shard(const InputContext& ctx, SourceLocation where) const {
  ctx.Validate(where);
  const internal::Traits& traits = node_->traits();
  if (traits.batched) {
    throw Error(ErrorCode::kInvalidArgument,
                "Shard decides how Batch deals examples to replicas, so it must come before Batch", {where});
  }
  if (traits.shard.has_value()) {
    throw Error(ErrorCode::kInvalidArgument, "the dataset is sharded already; Shard once", {where});
  }
  return Dataset(internal::ShardNode(node_, ctx));
}

Dataset Dataset::Batch(int64_t size, BatchOptions options, SourceLocation where) const {
  if (size < 1) {
    throw Error(ErrorCode::kInvalidArgument, "a batch must have at least one example, but got " + std::to_string(size),
                {where});
  }
  return Dataset(internal::BatchNode(node_, size, options.remainder, where));
}

Dataset Dataset::Repeat(SourceLocation where) const {
  return Dataset(internal::RepeatNode(node_, std::nullopt, where));
}

Dataset Dataset::Repeat(int64_t count, SourceLocation where) const {
  if (count < 0) {
    throw Error(ErrorCode::kInvalidArgument,
                "Repeat needs a count of at least 0, but got " + std::to_string(count) + "; Repeat() repeats for ever",
                {where});
  }
  if (node_->traits().infinite) return *this;
  return Dataset(internal::RepeatNode(node_, count, where));
}

Dataset Dataset::Take(int64_t count, SourceLocation where) const {
  return Dataset(internal::TakeNode(node_, Elements(node_->traits(), count, 0, "Take", where)));
}

Dataset Dataset::Skip(int64_t count, SourceLocation where) const {
  return Dataset(internal::SkipNode(node_, Elements(node_->traits(), count, 0, "Skip", where)));
}

Dataset Dataset::Cache(SourceLocation where) const { return Dataset(internal::CacheNode(node_, where)); }

Dataset Dataset::Prefetch(int64_t count, SourceLocation where) const {
  return Dataset(internal::PrefetchNode(node_, Elements(node_->traits(), count, 1, "Prefetch", where)));
}

const ElementSpec& Dataset::Spec() const { return node_->traits().spec; }
bool Dataset::IsIndexable() const { return node_->traits().indexable; }
bool Dataset::IsInfinite() const { return node_->traits().infinite; }
std::optional<int64_t> Dataset::Size() const { return node_->traits().size; }
int64_t Dataset::ElementsPerStep() const { return node_->traits().elements_per_step; }
int64_t Dataset::ExamplesPerStep() const { return node_->traits().examples_per_step; }
const std::optional<InputContext>& Dataset::Sharding() const { return node_->traits().shard; }

Iterator Dataset::MakeIterator(SourceLocation where) const { return MakeIterator(std::stop_token(), where); }

Iterator Dataset::MakeIterator(std::stop_token stop, SourceLocation where) const {
  const internal::Traits& traits = node_->traits();
  if (traits.shard.has_value() && !traits.batched) {
    throw Error(ErrorCode::kFailedPrecondition,
                "the dataset is sharded but not batched; follow Shard(ctx) by Batch(ctx.PerReplicaBatchSize(global))",
                {where});
  }
  return Iterator(node_, std::move(stop));
}

}  // namespace replicator::data
