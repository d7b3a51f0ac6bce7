// Memory for time: activations that are computed again when gradients need them.
#pragma once

#include <utility>

#include "replicator/graph/rematerialised.h"

namespace replicator {

// `fn` with the same results and the same gradients, whose inner values are not kept for the backward pass but
// recomputed there from what `fn` was given (checkpointing: Chen et al., "Training Deep Nets with Sublinear Memory
// Cost", 2016; jax.checkpoint). fn takes and returns whatever it likes: tensors, batches, nests of them.
//
//   auto block = Rematerialise([&](const Tensor& x) { return Relu(norm(dense(x))); });
//   Tensor y = block(x);
//
// For a deep network, wrap each block: then only the blocks' inputs are kept, and one block's inner values at a time.
//
// - Kept are the values from outside that fn uses, arguments and captures alike, and what collectives inside return:
//   the backward pass communicates nothing again. Variables cost nothing, as they are there anyway.
// - Random draws inside come out the same in the recomputation: dropout is safe. Assignments inside happen once.
// - fn may be called inside another rematerialised function: while the outer one is recomputed, the inner one keeps
//   nothing either. Differentiating twice works; the second derivative keeps what the first has recomputed.
// - The recomputation hangs on the gradient that arrives, behind an optimization_barrier, so that XLA can neither merge
//   it with the first computation nor start it early. XLA's CPU compiler plans memory in its own way, and there it may
//   save little; on accelerators it saves what it should.
template <typename Fn>
auto Rematerialise(Fn fn) {
  return [fn = std::move(fn)](auto&&... arguments) -> decltype(auto) {
    const RematerialisedScope scope;
    return fn(std::forward<decltype(arguments)>(arguments)...);
  };
}

}  // namespace replicator
