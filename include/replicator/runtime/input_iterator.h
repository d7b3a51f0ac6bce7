// The input of a step: one or several pipelines that feed all local replicas.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "replicator/data/dataset.h"
#include "replicator/data/input_context.h"

namespace replicator {

using InputFn = std::function<data::Dataset(const data::InputContext&)>;

// A position in a step's input. One iterator may feed several steps: each execution takes one new batch per replica. A
// shared handle; safe from any thread.
class InputIterator {
 public:
  class Impl;
  InputIterator() = default;
  explicit InputIterator(std::shared_ptr<Impl> impl) : groups_({std::move(impl)}) {}
  // One for each asynchronous sync group, of equal components.
  explicit InputIterator(std::vector<std::shared_ptr<Impl>> groups) : groups_(std::move(groups)) {}

  bool defined() const { return !groups_.empty(); }
  // Components of one replica's batch.
  const std::map<std::string, Shape>& Spec() const;
  // Back to the start of a new sweep (after OutOfRange, or at any time). Nothing happens where no step has consumed a
  // batch of this sweep, so that a loop over sweeps may begin with it. Waits while a step waits for its batch.
  void Initialize();
  // By sync group; one where all replicas are synchronous, none where it is undefined.
  const std::vector<std::shared_ptr<Impl>>& groups() const { return groups_; }
  std::shared_ptr<Impl> impl() const { return groups_.empty() ? nullptr : groups_.front(); }

 private:
  std::vector<std::shared_ptr<Impl>> groups_;
};

}  // namespace replicator
