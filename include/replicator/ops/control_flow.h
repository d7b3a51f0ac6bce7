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
// What bodies take and return are nests of tensors: a Tensor, or a vector, map, pair, tuple or struct of them
// (graph/nest.h). Structures, shapes and dtypes are the same in both branches, and do not change from one iteration to
// the next. All throw GraphError.
//
//   const Tensor y = Cond(x > 0, [&] { return Sqrt(x); }, [&] { return x * 0.0; });
//   const Tensor power = For(10, [&](const Tensor& i, const Tensor& p) { return p * x; }, x);
//   auto [h, ys] = Scan([&](const Tensor& h, const Tensor& x) {
//     const Tensor next = Tanh(MatMul(h, w) + x);
//     return std::pair(next, ReduceSum(next));
//   }, h0, xs);
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "replicator/graph/nest.h"
#include "replicator/graph/tensor.h"

namespace replicator {

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

struct ScanOptions {
  bool reverse = false;  // from the last row to the first; row i of the results still belongs to row i of xs
  // The number of iterations; needed only where there are no xs.
  std::optional<int64_t> length = {};
};

// The same functions on the leaves of nests.
namespace control_flow {

using Leaves = std::vector<Tensor>;
struct ScanLeaves {
  Leaves carry, ys;
};

Leaves Cond(const Operand& predicate, const std::function<Leaves()>& then_fn, const std::function<Leaves()>& else_fn,
            SourceLocation where);
Leaves While(const std::function<Tensor(const Leaves&)>& cond_fn, const std::function<Leaves(const Leaves&)>& body_fn,
             const Leaves& init, SourceLocation where);
Leaves For(const TripCount& n, const std::function<Leaves(const Tensor& i, const Leaves&)>& body, const Leaves& init,
           SourceLocation where);
ScanLeaves Scan(const std::function<ScanLeaves(const Leaves& carry, const Leaves& x)>& body, const Leaves& init,
                const Leaves& xs, const ScanOptions& options, SourceLocation where);

// Throws GraphError for `op` where two structures that should be the same are not; `what` says which they are.
void CheckStructures(const char* op, const std::string& expected, const std::string& found, const char* what,
                     SourceLocation where);

}  // namespace control_flow

// What then_fn returns where `predicate` (a bool scalar) holds, otherwise what else_fn returns; only that one is run.
// Both return nests of one type, with at least one tensor. A result is replicated if the predicate and both branches'
// are.
template <typename Then, typename Else>
auto Cond(const Operand& predicate, Then&& then_fn, Else&& else_fn, SourceLocation where = SourceLocation::current()) {
  using T = std::invoke_result_t<Then&>;
  T result;
  const control_flow::Leaves leaves = control_flow::Cond(
      predicate, [&] { return NestLeaves(result = then_fn()); },
      [&] {
        const T other = else_fn();
        control_flow::CheckStructures("cond", NestStructure(result), NestStructure(other), "the branches of a Cond",
                                      where);
        return NestLeaves(other);
      },
      where);
  return NestLike(std::move(result), leaves);
}

// carry = init; while (cond_fn(carry)) carry = body_fn(carry); returns carry. cond_fn returns a bool scalar. It has no
// gradient, as nobody knows how many values would have to be kept: use For.
template <typename CondFn, typename BodyFn, NestOfTensors T = std::vector<Tensor>>
T While(CondFn&& cond_fn, BodyFn&& body_fn, const T& init, SourceLocation where = SourceLocation::current()) {
  const std::string structure = NestStructure(init);
  const control_flow::Leaves leaves =
      control_flow::While([&](const control_flow::Leaves& carry) -> Tensor { return cond_fn(NestLike(init, carry)); },
                          [&](const control_flow::Leaves& carry) {
                            const T next = body_fn(NestLike(init, carry));
                            control_flow::CheckStructures("while", structure, NestStructure(next),
                                                          "the carry of a While and what its body returns", where);
                            return NestLeaves(next);
                          },
                          NestLeaves(init), where);
  return NestLike(init, leaves);
}

// for (i = 0; i < n; ++i) carry = body(i, carry); returns carry. `i` is an i32 scalar.
//
// Its gradient keeps the carries of every iteration (bound times their size), and computes the body once more.
template <typename Body, NestOfTensors T = std::vector<Tensor>>
T For(const TripCount& n, Body&& body, const T& init, SourceLocation where = SourceLocation::current()) {
  const std::string structure = NestStructure(init);
  const control_flow::Leaves leaves = control_flow::For(
      n,
      [&](const Tensor& i, const control_flow::Leaves& carry) {
        const T next = body(i, NestLike(init, carry));
        control_flow::CheckStructures("for", structure, NestStructure(next),
                                      "the carry of a For and what its body returns", where);
        return NestLeaves(next);
      },
      NestLeaves(init), where);
  return NestLike(init, leaves);
}

// for each i: (carry, ys[i]) = body(carry, xs[i]), along the leading axis of xs, which all have the same extent;
// returns (carry, ys). The body gets rows without that axis, and returns a std::pair; ys have the axis. Either the
// carry or the ys may be empty. The gradient is as that of For.
template <typename Body, NestOfTensors T = std::vector<Tensor>, NestOfTensors X = std::vector<Tensor>>
auto Scan(Body&& body, const T& init, const X& xs, const ScanOptions& options = {},
          SourceLocation where = SourceLocation::current()) {
  using Y = typename std::invoke_result_t<Body&, const T&, const X&>::second_type;
  const std::string structure = NestStructure(init);
  Y row;
  const control_flow::ScanLeaves leaves = control_flow::Scan(
      [&](const control_flow::Leaves& carry, const control_flow::Leaves& x) -> control_flow::ScanLeaves {
        auto [next, y] = body(NestLike(init, carry), NestLike(xs, x));
        control_flow::CheckStructures("scan", structure, NestStructure(T(next)),
                                      "the carry of a Scan and what its body returns", where);
        row = y;
        return {NestLeaves(T(next)), NestLeaves(row)};
      },
      NestLeaves(init), NestLeaves(xs), options, where);
  return std::pair<T, Y>(NestLike(init, leaves.carry), NestLike(std::move(row), leaves.ys));
}

}  // namespace replicator
