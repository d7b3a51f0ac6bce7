// Reading a dataset.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "replicator/data/element.h"

namespace replicator::data {

namespace internal {
class Node;
class Cursor;
}  // namespace internal

// One reader of a dataset, with its own position; made by Dataset::MakeIterator. Used from one thread at a time (not
// necessarily the same one). Its background threads, if any, end with it, at any moment.
//
// When Next (NextStep) throws, the position stays before the element (step) that failed: the next call tries it again.
class Iterator {
 public:
  explicit Iterator(std::shared_ptr<const internal::Node> node, std::stop_token stop = {});
  ~Iterator();
  Iterator(Iterator&&) noexcept;
  Iterator& operator=(Iterator&&) noexcept;

  // The next element; nullopt at the end of the sweep, and from then on until Restart or Seek.
  std::optional<Element> Next();

  // The next `num_replicas` elements: one step's batches for the replicas that this pipeline feeds, in replica order.
  // nullopt at the end of the sweep. Throws Error(kInvalidArgument) when the sweep ends within the step, which can
  // happen only without Shard, or when the dataset was sharded for another number of replicas;
  // Error(kFailedPrecondition) when the iterator stands within a step.
  std::optional<std::vector<Element>> NextStep(int64_t num_replicas);

  // Where the next element begins: position of the last element that Next returned, whatever was read ahead.
  Position position() const { return position_; }

  // Goes to a position that this dataset, perhaps sharded otherwise, has reported. O(1) for an indexable dataset; a
  // stream is replayed from the start of the sweep. Throws Error(kInvalidArgument) when the dataset cannot have such a
  // position (beyond its end, or not at a multiple of its global batch size); the iterator is then unchanged.
  void Seek(const Position& position);

  // Starts the next sweep from its beginning, newly shuffled.
  void Restart();

 private:
  std::shared_ptr<const internal::Node> node_;
  std::stop_token stop_;
  std::unique_ptr<internal::Cursor> cursor_;  // opened by the first Next at a position
  Position position_;
  bool at_end_ = false;
};

}  // namespace replicator::data
