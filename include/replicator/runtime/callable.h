// Functions of the variables that any thread may call while steps train them: the policy of an actor, a probe, a server
// of predictions.
//
//   const Callable policy = session.MakeCallable([&](const Tensor& observation) { return Softmax(model(observation));
//   },
//                                                {{DType::kF32, {1, 4}}});
//   const Literal probabilities = policy({observation})[0];   // in any thread, as often as one likes
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "replicator/base/literal.h"
#include "replicator/graph/nest.h"
#include "replicator/graph/replica_context.h"
#include "replicator/graph/tensor.h"

namespace replicator {

class Engine;

struct CallableOptions {
  Mode mode = Mode::kEval;
  // Unreplicated: the function is built once, for a single replica, and runs on one device. Replicated: it is built
  // once for each replica, as a step function is, runs on all of their devices at once, and may use collectives.
  bool replicated = false;
  // Of an unreplicated callable: whose values of the variables it reads, on whose device it runs.
  int replica = 0;
};

struct CallOptions {
  // Where random draws come from: calls of one callable with equal keys draw the same numbers. Without one, each call
  // draws anew; which call gets which numbers then depends on the order in which threads call.
  std::optional<uint64_t> random_key = std::nullopt;
};

// A shared handle on a compiled function. Calls are safe from any thread, concurrently with one another and with
// training. It shares the replicator's devices and variables, and works as long as it lives: also after Shutdown, and
// when session and replicator are gone.
//
// A call reads all of its variables at one moment: as they are after the steps enqueued so far, each of these whole. It
// waits for those steps, as any reader does; steps enqueued later neither wait for it nor change what it reads. (While
// it reads, a step writes its new values elsewhere, so for that time the variables take their memory twice.)
//
// Throws Error: kInvalidArgument for inputs of another number, element type or shape than the callable's;
// kFailedPrecondition for a variable that a failed step has lost; the plugin's where the call itself fails, or a step
// fails that it waits for (that step's own error is still reported by the session).
class Callable {
 public:
  class Impl;
  Callable() = default;  // undefined; calling it throws Error(kFailedPrecondition)
  explicit Callable(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
  bool defined() const { return impl_ != nullptr; }

  // Of an unreplicated callable: what the function returns for these inputs. Waits.
  std::vector<Literal> operator()(const std::vector<Literal>& inputs, const CallOptions& options = {}) const;
  // Of a replicated one: [replica][result] for inputs [replica][input]. A result that is equal on all replicas by
  // construction is computed once.
  std::vector<std::vector<Literal>> CallReplicas(const std::vector<std::vector<Literal>>& inputs,
                                                 const CallOptions& options = {}) const;

  // Of one replica.
  const std::vector<Shape>& inputs() const;
  const std::vector<Shape>& outputs() const;

 private:
  std::shared_ptr<Impl> impl_;
};

// The function with its arguments and results as lists.
using CallableFn = std::function<std::vector<Tensor>(const std::vector<Tensor>&)>;

// Session::MakeCallable for a flattened function. Throws what `fn` throws, and Error(kInvalidArgument) where it assigns
// a variable, returns nothing, or the options cannot be right.
Callable BuildCallable(const std::shared_ptr<Engine>& engine, const CallableFn& fn, const std::vector<Shape>& inputs,
                       const CallableOptions& options, SourceLocation where);

namespace internal {

template <typename Fn, size_t... I>
constexpr bool TakesTensors(std::index_sequence<I...>) {
  return std::is_invocable_v<Fn&, decltype((static_cast<void>(I), std::declval<const Tensor&>()))...>;
}

[[noreturn]] void ThrowArity(size_t inputs, SourceLocation where);

// Calls fn(tensors[0], tensors[1], ...) if it takes just so many, trying N and more.
template <size_t N, typename Fn>
std::vector<Tensor> ApplyTensors(Fn& fn, const std::vector<Tensor>& tensors, SourceLocation where) {
  constexpr size_t kMost = 8;
  if constexpr (N > kMost) {
    ThrowArity(tensors.size(), where);
  } else {
    if constexpr (TakesTensors<Fn>(std::make_index_sequence<N>())) {
      if (tensors.size() == N) {
        return [&]<size_t... I>(std::index_sequence<I...>) {
          return NestLeaves(fn(tensors[I]...));
        }(std::make_index_sequence<N>());
      }
    }
    return ApplyTensors<N + 1>(fn, tensors, where);
  }
}

// A function of up to eight Tensors or of one vector of them.
template <typename Fn>
CallableFn ToCallableFn(Fn& fn, SourceLocation where) {
  return [&fn, where](const std::vector<Tensor>& tensors) {
    if constexpr (std::is_invocable_v<Fn&, const std::vector<Tensor>&>) {
      return NestLeaves(fn(tensors));
    } else {
      return ApplyTensors<0>(fn, tensors, where);
    }
  };
}

}  // namespace internal
}  // namespace replicator
