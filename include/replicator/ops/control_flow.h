// Control flow that happens when the step runs: branches and loops whose bodies are built once.
//
// A body is a C++ function that is called while the step is built, and builds operations as a step function does. It
// may use any tensor of the graph around it, read variables, call modules and collectives, and draw random numbers
// (which differ between the iterations of a loop). It may not assign variables: return the value, and assign it
// afterwards. What is made in a body exists only there; only what it returns comes out. A loop's body may be called a
// second time, where it makes a carry varying that began as replicated; so it must build the same each time.
//
// Collectives in a body: all replicas must run them equally often, so a predicate or a number of iterations around them
// must be replicated.
//
// Shapes and dtypes do not change from one iteration to the next. All throw GraphError.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "replicator/graph/tensor.h"

namespace replicator {

// What then_fn returns where `predicate` (a bool scalar) holds, otherwise what else_fn returns; only that one is run.
// Both must return the same number of tensors, of the same dtypes and shapes, and at least one. A result is replicated
// if the predicate and both branches' are.
std::vector<Tensor> Cond(const Operand& predicate, const std::function<std::vector<Tensor>()>& then_fn,
                         const std::function<std::vector<Tensor>()>& else_fn,
                         SourceLocation where = SourceLocation::current());

// carries = init; while (cond_fn(carries)) carries = body_fn(carries); returns carries. cond_fn returns a bool scalar.
// At least one carry. It has no gradient, as nobody knows how many values would have to be kept: use For.
std::vector<Tensor> While(const std::function<Tensor(const std::vector<Tensor>&)>& cond_fn,
                          const std::function<std::vector<Tensor>(const std::vector<Tensor>&)>& body_fn,
                          const std::vector<Tensor>& init, SourceLocation where = SourceLocation::current());

// How often a For runs: a number known now, or a scalar tensor (i32 or i64) that is clamped to [0, bound].
class TripCount {
 public:
  template <std::integral T>
  TripCount(T n) : bound_(static_cast<int64_t>(n)) {}  // NOLINT: implicit by design
  TripCount(const Operand& n, int64_t bound) : count_(n), bound_(bound) {}

  const std::optional<Operand>& count() const { return count_; }
  int64_t bound() const { return bound_; }

 private:
  std::optional<Operand> count_;
  int64_t bound_;
};

// for (i = 0; i < n; ++i) carries = body(i, carries); returns carries. `i` is an i32 scalar. At least one carry.
//
// Its gradient keeps the carries of every iteration (bound times their size), and computes the body once more.
std::vector<Tensor> For(const TripCount& n,
                        const std::function<std::vector<Tensor>(const Tensor& i, const std::vector<Tensor>&)>& body,
                        const std::vector<Tensor>& init, SourceLocation where = SourceLocation::current());

struct ScanOptions {
  bool reverse = false;  // from the last row to the first; row i of the results still belongs to row i of xs
  // The number of iterations; needed only where there are no xs.
  std::optional<int64_t> length = {};
};
struct ScanOutput {
  std::vector<Tensor> carry;
  std::vector<Tensor> ys;
};
// for each i: (carry, ys[i]) = body(carry, xs[i]), along the leading axis of xs, which all have the same extent. The
// body gets rows without that axis; ys have it. Either the carry or the ys may be empty. The gradient is as that of
// For.
ScanOutput Scan(const std::function<ScanOutput(const std::vector<Tensor>& carry, const std::vector<Tensor>& x)>& body,
                const std::vector<Tensor>& init, const std::vector<Tensor>& xs, const ScanOptions& options = {},
                SourceLocation where = SourceLocation::current());

}  // namespace replicator
