// A bounded queue between the program's threads and its input: actors push what they have seen, a learner's step takes
// it.
//
//   data::Queue queue({{"observation", {DType::kF32, {4}}}, {"return", {DType::kF32, {}}}}, {.capacity = 1024});
//   auto input_fn = InputFromQueue(queue, {.global_batch_size = 256});   // for Replicator::Run
//   ...
//   while (queue.Push({{"observation", observation}, {"return", value}})) { ... }   // in each actor's thread
//   ...
//   queue.Close();   // the actors' Push returns false; the learner ends when it has taken what is left
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "replicator/base/source_location.h"
#include "replicator/data/dataset.h"
#include "replicator/data/element.h"
#include "replicator/data/input_context.h"

namespace replicator::data {

struct QueueOptions {
  int64_t capacity = 64;  // elements; where so many are there, Push waits
};

// A shared handle: copies are the same queue, which lives as long as any of them. Every function may be called from any
// thread at any time. Those who wait at one end are served in the order of their arrival, so that nobody starves.
//
// A timeout is in seconds, at least 0; kForever waits without end, 0 does not wait. Where it runs out the call throws
// Error(kDeadlineExceeded), naming the queue's line, and has changed nothing.
class Queue {
 public:
  static constexpr double kForever = std::numeric_limits<double>::infinity();

  // Throws Error(kInvalidArgument) for a capacity below 1, or a spec without components or with a negative extent.
  explicit Queue(ElementSpec spec, QueueOptions options = {}, SourceLocation where = SourceLocation::current());

  // Puts an element at the end, waiting for room. True when it is in; false where the queue has been closed, also while
  // this call waited: it then never takes anything again, and its producers should end. Throws Error(kInvalidArgument),
  // naming the component and both shapes, for what does not agree with the spec.
  [[nodiscard]] bool Push(Components element, double timeout_seconds = kForever,
                          SourceLocation where = SourceLocation::current());
  // The same for several elements, stacked along a new axis 0 of every component: all go in together, next to one
  // another. Throws Error(kInvalidArgument) as well where there are more of them than the capacity.
  [[nodiscard]] bool PushBatch(const Components& elements, double timeout_seconds = kForever,
                               SourceLocation where = SourceLocation::current());

  // Takes the first element, waiting for one. nullopt when the queue has been closed and everything has been taken.
  std::optional<Components> Pop(double timeout_seconds = kForever);
  // Waits for `count` elements and takes all of them at once; fewer, perhaps none, where the queue has been closed and
  // holds no more. `stop` interrupts it: Error(kCancelled). Throws Error(kInvalidArgument) unless
  // 1 <= count <= capacity().
  std::vector<Components> PopBatch(int64_t count, double timeout_seconds = kForever, const std::stop_token& stop = {});

  // Wakes everyone: producers are refused, and consumers get what is left, then the end. Idempotent.
  void Close();
  // As Close, but in place of the end consumers get `error`, each time. For a producer that fails: its error reaches
  // the learner. The first Close or Fail decides.
  void Fail(std::exception_ptr error);

  bool closed() const;
  int64_t size() const;  // elements now
  int64_t capacity() const;
  const ElementSpec& spec() const;
  SourceLocation where() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

struct QueueReadOptions {
  // Elements taken at once: a reader holds either none or all of them, so that a timeout between them loses none.
  int64_t block = 1;
  // Whether the last elements of a closed queue are left out when they are fewer than a block.
  bool drop_incomplete = false;
  // As PopBatch's. After Error(kDeadlineExceeded) the next read waits anew.
  double timeout_seconds = Queue::kForever;
};

struct QueueInputOptions {
  // Examples of one step over all replicas: each element of the queue is an example. 0: each is one replica's batch.
  int64_t global_batch_size = 0;
  // What becomes of the last elements of a closed queue when they are fewer than a step needs. kPadAndMask needs a
  // global_batch_size.
  Remainder remainder = Remainder::kError;
  // How long a step may wait for its elements before Session::Run throws Error(kDeadlineExceeded). Nothing is lost by
  // it: the next Run waits anew.
  double timeout_seconds = Queue::kForever;
};

// An input function that takes its elements from a queue, all of a step at once. Session::Run throws OutOfRange when
// the queue is closed and its elements are used up. Reading ahead takes up to three steps' elements before the steps
// run; those are discarded by InputIterator::Initialize, by a restored checkpoint (which cannot bring a queue's
// elements back: training goes on with what comes), and at the end of the program.
//
// One queue feeds one pipeline. With kPerReplica, give each pipeline a queue of its own (ctx.input_pipeline_id).
// Throws Error(kInvalidArgument), at once or in Replicator::Run, for a batch that is larger than the queue's capacity
// or that the replicas cannot share.
std::function<Dataset(const InputContext&)> InputFromQueue(Queue queue, QueueInputOptions options = {},
                                                           SourceLocation where = SourceLocation::current());

}  // namespace replicator::data

namespace replicator {
using data::InputFromQueue;
}  // namespace replicator
