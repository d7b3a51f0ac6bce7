// Computing with the values of all replicas at once.
#pragma once

#include <functional>
#include <memory>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <vector>

#include "replicator/graph/nest.h"

namespace replicator {

// For MergeCall: takes the leaves of all arguments by replica, and returns those of the result; `result` keeps its
// structure.
using MergedFunction = std::function<std::vector<Tensor>(const std::vector<std::vector<Tensor>>& leaves_by_replica,
                                                         std::shared_ptr<const void>& result)>;
struct MergeCallResult {
  std::vector<Tensor> leaves;
  std::shared_ptr<const void> structure;
};
MergeCallResult AddMergeCall(const std::type_info& function, const FlatNest& arguments, const MergedFunction& merged);

template <typename Fn, NestOfTensors... Args>
auto MergeCallAt(SourceLocation where, const Fn& fn, const Args&... args) {
  using Result = std::remove_cvref_t<std::invoke_result_t<const Fn&, const std::vector<Args>&...>>;
  static_assert(NestOfTensors<Result>, "the function of a MergeCall must return a tensor or a nest of tensors");
  const std::tuple<Args...> own(args...);
  const MergedFunction merged = [&](const std::vector<std::vector<Tensor>>& replicas,
                                    std::shared_ptr<const void>& structure) {
    std::tuple<std::vector<Args>...> values;
    for (const std::vector<Tensor>& leaves : replicas) {
      const std::tuple<Args...> of_replica = NestLike(own, leaves);
      [&]<size_t... kIndex>(std::index_sequence<kIndex...>) {
        (std::get<kIndex>(values).push_back(std::get<kIndex>(of_replica)), ...);
      }(std::index_sequence_for<Args...>());
    }
    const auto result = std::make_shared<const Result>(std::apply(fn, std::as_const(values)));
    structure = result;
    return NestLeaves(*result);
  };
  const MergeCallResult result = AddMergeCall(typeid(Fn), FlatNest(own, where), merged);
  return NestLike(*static_cast<const Result*>(result.structure.get()), result.leaves);
}

// Gathers what every replica passes and calls `fn` on it, once for all replicas: for each argument (a tensor or a nest)
// fn takes a std::vector of the R replicas' values, in order, and it returns a tensor or a nest. The result is
// replicated: every replica computes it, alike.
//
//   Tensor median = MergeCall([](const std::vector<Tensor>& x) { return Maximum(Minimum(x[0], x[1]), ...); }, x);
//
// It is a collective: all replicas call it in the same order, with the same function (type) and arguments of the same
// structures, dtypes and shapes. fn is really called once, while replica 0 is built, with tensors of a graph of its
// own: values from outside come in as arguments, and where it runs there are no replicas, so that collectives,
// variables, random draws and assignments in it are errors. Gradients flow to all replicas' arguments.
template <typename Fn, NestOfTensors A>
auto MergeCall(const Fn& fn, const A& a, SourceLocation where = SourceLocation::current()) {
  return MergeCallAt(where, fn, a);
}
template <typename Fn, NestOfTensors A, NestOfTensors B>
auto MergeCall(const Fn& fn, const A& a, const B& b, SourceLocation where = SourceLocation::current()) {
  return MergeCallAt(where, fn, a, b);
}
template <typename Fn, NestOfTensors A, NestOfTensors B, NestOfTensors C>
auto MergeCall(const Fn& fn, const A& a, const B& b, const C& c, SourceLocation where = SourceLocation::current()) {
  return MergeCallAt(where, fn, a, b, c);
}

}  // namespace replicator
