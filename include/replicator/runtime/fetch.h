// What can be fetched, and what comes back.
#pragma once

#include <memory>
#include <vector>

#include "replicator/base/literal.h"
#include "replicator/graph/reduce_op.h"
#include "replicator/graph/tensor.h"

namespace replicator {

class Engine;
class FetchNode;

// An expression in the cross-replica graph: a step's result, or something computed from results. It may be built at any
// time, also after the step. Cheap to copy. Immutable, so safe to share between threads.
class Fetch {
 public:
  Fetch() = default;
  explicit Fetch(std::shared_ptr<const FetchNode> node) : node_(std::move(node)) {}
  const std::shared_ptr<const FetchNode>& node() const { return node_; }

 private:
  std::shared_ptr<const FetchNode> node_;
};

// The R results of one expression of a step function (or the step itself, for a step function that returns nothing).
// Fetching it runs the whole step once, with all its assignments.
class PerReplica : public Fetch {
 public:
  using Fetch::Fetch;
  // Element type and extents of one replica's result.
  const Shape& shape() const;
  // Whether all replicas' results are equal by construction; then fetching gives one value.
  bool replicated() const;
  int num_replicas() const;
};

// Reductions happen on the host when they are read: floating types are accumulated in double precision and rounded
// once, integers are exact. Each throws Error(kInvalidArgument) for an undefined value and for a step that returns
// nothing.
//
// Over replicas only: the result has the element type and shape of one replica's. kMean needs a floating type, kSum any
// but bool; NaN wins in kMin and kMax. A replicated value is refused for kSum (the caller would get R times it); for
// the others it is itself.
Fetch Reduce(const PerReplica& value, ReduceOp op, SourceLocation where = SourceLocation::current());
// The value of replica `source` for all replicas: fetching it gives that value. Throws Error(kInvalidArgument) unless
// 0 <= source < R.
PerReplica Broadcast(const PerReplica& value, int source = 0, SourceLocation where = SourceLocation::current());
// Over replicas and all elements: a floating scalar (f64 for integers and bool), as TensorFlow's reduce_mean of a list
// of tensors.
Fetch ReduceMean(const PerReplica& value, SourceLocation where = SourceLocation::current());
// Over replicas and all elements: a scalar of the same floating type, u64 for unsigned integers, i64 for signed ones
// and bool (so that it counts). A replicated value is refused, as above.
Fetch ReduceSum(const PerReplica& value, SourceLocation where = SourceLocation::current());

// What Session::Run returns: a value that may still be being computed. Reading waits, and throws the step's Error if it
// failed. Cheap to copy; safe to read from any thread. Holds device memory until the last copy is gone.
class Fetched {
 public:
  class State;
  Fetched() = default;
  explicit Fetched(std::shared_ptr<State> state) : state_(std::move(state)) {}

  // The value. For a varying per-replica value: throws Error(kInvalidArgument) unless there is one replica; use Get(r).
  Literal Get() const;
  // The value of replica `r`; for a replicated or reduced value, the same for every r.
  Literal Get(int r) const;
  // All replicas' values, in order.
  std::vector<Literal> GetAll() const;
  // The only element of Get(), converted.
  template <typename T>
  T Item() const {
    return Get().Item<T>();
  }
  // Waits until it has been computed; throws if that failed.
  void Wait() const;

 private:
  std::shared_ptr<State> state_;
};

}  // namespace replicator
