// An asynchronous step in two: what a group of replicas computes from the values that it has read, and what the shared
// store computes from that and its own present values: docs/impl.md, "Splitting".
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "replicate/program.h"

namespace replicator {

// One tensor that a group sends to the store, equal on all of its replicas.
struct PushedValue {
  // How several groups' values become one where they are aggregated. kLast: that of the last group, for a value that is
  // assigned as it is.
  enum class Combine { kMean, kSum, kLast };
  Combine combine = Combine::kMean;
  Value border;  // in the step's graph: what stands for it in the store
  Shape shape;
};

class SplitStep {
 public:
  // `step`: rewritten with StepOptions::asynchronous, on one logical device. Where a variable's new value depends on
  // the batch, on random numbers or on other replicas only through what has been pushed (ops/push.h), the store
  // computes it; otherwise the group does, and the new value itself is sent. Throws Error(kInvalidArgument) for several
  // logical devices, and where per-replica variables of several replicas are assigned.
  explicit SplitStep(Program step);

  const std::vector<std::shared_ptr<const VariableDef>>& updates() const { return step_.updates; }
  const std::vector<PushedValue>& pushed() const { return pushed_; }
  const Program& step() const { return step_; }

  // The group's program: it updates nothing; its outputs are those of the step function, then the pushed values.
  const Program& group() const { return group_; }

  // The other variables that the new values of update `u` are computed from.
  std::vector<std::shared_ptr<const VariableDef>> ReadBy(size_t u) const;

  // The store's program for some of the updates, by their numbers, on one device, from what `members` groups have
  // pushed. Its parameters are variables (kVariable), pushed values (kInput, named by PushedName, `batch` is the
  // member), and the update's scale (kInput, kUpdateScaleName). It has no other outputs than the new values and the
  // guard's flags.
  Program Apply(std::span<const size_t> updates, int members) const;

  static std::string PushedName(size_t pushed) { return "pushed " + std::to_string(pushed); }
  static constexpr char kUpdateScaleName[] = "update scale";

 private:
  Value Root(size_t u) const { return step_.graph->outputs()[step_.outputs.size() + u]; }
  void FindBorders();
  void BuildGroup();

  Program step_;
  std::vector<PushedValue> pushed_;
  Program group_;
};

// Which variables belong together where each is updated on its own: those of which one's new value is computed from the
// other's. Counters (integer scalars), by which all would hang together, are one cell, the last.
std::vector<std::vector<std::shared_ptr<const VariableDef>>> VariableCells(std::span<const SplitStep* const> steps);

}  // namespace replicator
