// How gradients read the values of rematerialised calls.
#pragma once

#include <map>

#include "graph/graph.h"

namespace replicator {

// operands: a value, and what must exist before it may be used. The result is the value; XLA sees a new one.
extern const OpDef kOptimizationBarrier;

bool IsWithin(const Node& node, const RematerialisedCall& call);

// The recomputation of one call's values, built node by node as gradient rules ask for them.
class Recomputation {
 public:
  // Of the nodes up to `last` that belong to the call without a gap. It may begin when `after` exists. `outer`: the
  // recomputation of the call around it, or null; it must outlive this one.
  Recomputation(std::shared_ptr<Graph> graph, const RematerialisedCall& call, int last, const Tensor& after,
                Recomputation* outer);

  const RematerialisedCall& call() const { return call_; }
  int first() const { return first_; }
  // What stands for `value`: its copy, if it belongs to the call, else what is kept of it.
  Value Of(Value value);
  // The value itself, kept from the first computation, behind a barrier.
  Value Original(Value value);

 private:
  bool IsRecomputed(int node) const;

  std::shared_ptr<Graph> graph_;
  const RematerialisedCall& call_;
  int first_, last_;
  Tensor after_;
  Recomputation* outer_;
  std::map<Value, Value> originals_;  // behind barriers
  std::map<int, int> copies_;
};

}  // namespace replicator
