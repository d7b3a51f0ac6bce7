// Input pipelines.
//
//   Dataset::FromTensors({{"image", images}, {"label", labels}})
//       .Shuffle(/*seed=*/1).Repeat().Shard(ctx).Batch(ctx.PerReplicaBatchSize(1024)).Prefetch(2)
//
// An **indexable** dataset (from tensors or from an index) is a pure function of (epoch, index) at every stage: it can
// be read from any place at once, in parallel, always with the same result. A **stream** (from a generator) is read in
// order and resumed by replay; one from a queue is resumed with what comes next, since nothing can be read from a queue
// again. Every stage preserves which it is.
//
// How batches are dealt. Let R = ctx.num_replicas_in_sync * ctx.num_sync_groups be all replicas of the job, b the
// argument of Batch, G = b * R the global batch, and let the pipeline feed the k replicas [f, f + k), where
// f = ctx.sync_group * ctx.num_replicas_in_sync + ctx.first_replica. Step t covers examples [t*G, (t+1)*G) of the
// stream that enters Batch. In each step the pipeline yields k elements in replica order: the l-th, for replica r = f +
// l, holds the examples
//     [t*G + r*b, t*G + (r+1)*b)   in order.
// So the global batch of a step is the same, in the same order, for every number of pipelines and replicas; every
// pipeline has the same number of steps; and what happens to an incomplete last global batch is decided for all alike.
// Groups that step at their own pace are dealt to as if all of their replicas stepped together: the t-th steps of all
// groups, whenever each takes its own, make up step t. With one group, G is what one step trains on.
// Without Shard, R = k = 1: one pipeline that deals its batches to its replicas in order gives the same.
//
// Stages between Shard and Batch act on the global stream. Take, Skip and Prefetch after a sharded Batch count steps.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

#include "replicator/base/source_location.h"
#include "replicator/data/element.h"
#include "replicator/data/input_context.h"
#include "replicator/data/iterator.h"

namespace replicator::data {

class Queue;
struct QueueReadOptions;

// Where an element stands in the stream that enters a Map: with a seed of one's own, the key of random augmentation
// that is reproducible and, before Batch, the same for every number of replicas.
struct ElementId {
  uint64_t epoch = 0;
  int64_t index = 0;
};

// Called from several threads at once when parallel, so it must not share unguarded state; it should depend on nothing
// but its arguments, since elements may be computed again after a Seek.
using MapFn = std::function<Components(Element)>;
using IndexedMapFn = std::function<Components(Element, const ElementId&)>;

// Returns the elements of one sweep one by one, then nullopt (or throws OutOfRange, as a closed queue does).
using GeneratorFn = std::function<std::optional<Components>()>;

struct MapOptions {
  // Threads that compute elements ahead of the reader; the order is kept. 1: computed where it is read.
  int parallelism = 1;
  // What `fn` returns. Where empty, found by calling `fn` once: on the first element of an indexable dataset, on zeros
  // for a stream or an empty dataset.
  ElementSpec spec;
};

struct ShuffleOptions {
  uint64_t seed = 0;
  // Elements held in memory to draw from: required for a stream. An indexable dataset is always shuffled as a whole.
  int64_t window = 0;
  // Another order in each epoch, as a function of (seed, epoch); otherwise epoch 0's order in each.
  bool reshuffle_each_epoch = true;
};

// What becomes of the last global batch when the examples run out within it.
enum class Remainder {
  kError,       // an error that names the counts
  kDrop,        // no pipeline yields any of it
  kPadAndMask,  // filled up with zeros at its end; every batch has another component "mask": bool [b], true for real
                // examples. A replica may get a batch of padding only.
};

struct BatchOptions {
  // The default neither loses examples nor lets padding into a metric unsaid. Training repeats before it batches (then
  // there is no remainder) or says kDrop; exact evaluation says kPadAndMask and weights by the mask.
  Remainder remainder = Remainder::kError;
};

// A description of elements to read, all of one spec. A cheap value: copies share the immutable description, and any
// thread may use any copy. Every stage returns a new dataset and throws Error(kInvalidArgument), with the user's line,
// for arguments that cannot be right.
class Dataset {
 public:
  // Element i has row i (along axis 0) of each tensor. Indexable. The tensors are shared, not copied.
  static Dataset FromTensors(const Components& tensors, SourceLocation where = SourceLocation::current());

  // Element i is read(i), 0 <= i < size, in agreement with `spec`. Indexable. `read` may be called from several threads
  // at once.
  static Dataset FromIndex(int64_t size, ElementSpec spec, std::function<Components(int64_t index)> read,
                           SourceLocation where = SourceLocation::current());

  // A stream. `factory` is called at the start of each sweep and after each Seek; what it returns is called from one
  // thread at a time. To be resumable the sweeps must all be alike. A generator that waits (on a queue) should take the
  // stop token, and return nullopt once stop is requested, so that an iterator can end while it waits.
  static Dataset Generator(ElementSpec spec, std::function<GeneratorFn(std::stop_token)> factory,
                           SourceLocation where = SourceLocation::current());
  static Dataset Generator(ElementSpec spec, std::function<GeneratorFn()> factory,
                           SourceLocation where = SourceLocation::current());

  // A stream of what is pushed into the queue (replicator/data/queue.h), which ends when that is closed and empty. For
  // the stages that follow; InputFromQueue is the usual way. Throws Error(kInvalidArgument) unless 1 <= block <=
  // capacity.
  static Dataset FromQueue(const Queue& queue, const QueueReadOptions& options,
                           SourceLocation where = SourceLocation::current());

  // fn(element) in place of each element. What `fn` throws reaches the reader as an Error that names the element's
  // index and this line; so does a result that does not agree with the spec.
  Dataset Map(MapFn fn, MapOptions options = {}, SourceLocation where = SourceLocation::current()) const;
  Dataset Map(IndexedMapFn fn, MapOptions options = {}, SourceLocation where = SourceLocation::current()) const;

  // Indexable: a pseudo-random permutation of all elements, evaluated index by index, in no memory. Stream: each
  // element is drawn at random from the next `window` ones. An unbounded dataset is to be shuffled before Repeat.
  Dataset Shuffle(uint64_t seed, SourceLocation where = SourceLocation::current()) const;
  Dataset Shuffle(ShuffleOptions options, SourceLocation where = SourceLocation::current()) const;

  // The part of each global batch that `ctx` asks for; the next Batch resolves it (see above). Reading a sharded
  // dataset without Batch is an error. Streams: every pipeline reads the whole stream, and the streams must be alike.
  Dataset Shard(const InputContext& ctx, SourceLocation where = SourceLocation::current()) const;

  // `size` consecutive elements stacked along a new axis 0: `size` is that of one replica's batch. Where the number of
  // examples is known, Remainder::kError is raised here, and so is kDrop if it would drop everything; an empty dataset
  // has no steps.
  Dataset Batch(int64_t size, BatchOptions options = {}, SourceLocation where = SourceLocation::current()) const;

  // `count` sweeps in sequence (for ever without one), each with its own epoch. An empty dataset stays empty.
  Dataset Repeat(SourceLocation where = SourceLocation::current()) const;
  Dataset Repeat(int64_t count, SourceLocation where = SourceLocation::current()) const;

  // The first `count` elements; all where there are fewer.
  Dataset Take(int64_t count, SourceLocation where = SourceLocation::current()) const;
  // All but the first `count` elements.
  Dataset Skip(int64_t count, SourceLocation where = SourceLocation::current()) const;

  // Keeps each element in memory once it is computed; indexable and bounded datasets only. What precedes it happens
  // once: a Shuffle is to come after it.
  Dataset Cache(SourceLocation where = SourceLocation::current()) const;

  // Reads up to `count` elements ahead in the background.
  Dataset Prefetch(int64_t count, SourceLocation where = SourceLocation::current()) const;

  const ElementSpec& Spec() const;
  bool IsIndexable() const;
  bool IsInfinite() const;
  // Elements of one sweep of this pipeline; nullopt for a stream or an unbounded dataset.
  std::optional<int64_t> Size() const;
  // Elements of one step of this pipeline: k after a sharded Batch, otherwise 1.
  int64_t ElementsPerStep() const;
  // Examples of the global stream in one step, of all groups: G after Batch, otherwise 1.
  int64_t ExamplesPerStep() const;
  // What Shard was given.
  const std::optional<InputContext>& Sharding() const;

  Iterator MakeIterator(SourceLocation where = SourceLocation::current()) const;
  // Another thread may interrupt a Next that waits for a generator, through `stop`: it then throws Error(kCancelled) or
  // says that the sweep has ended, as the generator does.
  Iterator MakeIterator(std::stop_token stop, SourceLocation where = SourceLocation::current()) const;

 private:
  explicit Dataset(std::shared_ptr<const internal::Node> node) : node_(std::move(node)) {}

  std::shared_ptr<const internal::Node> node_;
};

}  // namespace replicator::data
