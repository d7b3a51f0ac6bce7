// What a dataset consists of, and where in it a reader stands.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "replicator/base/literal.h"
#include "replicator/base/shape.h"

namespace replicator::data {

// Named values on the host, in the order of their names.
using Components = std::map<std::string, Literal>;
// The names, element types and extents that every element of a dataset has.
using ElementSpec = std::map<std::string, Shape>;

// "{image: u8[28,28,1], label: i32[]}"
std::string ToString(const ElementSpec& spec);

// A place in a dataset, between two elements. Where `delivered` is 0 (always at the end of a step) it has the same
// meaning for every number of pipelines and replicas, so that a checkpoint may be resumed on another number.
struct Position {
  int64_t epoch = 0;      // sweeps completed before this one (Iterator::Restart counts them)
  int64_t index = 0;      // examples of the global stream before the current step; elements where there is no Batch
  int64_t delivered = 0;  // batches of the current step that this pipeline has handed out already

  friend bool operator==(const Position&, const Position&) = default;
};

// "epoch 2 index 6144 delivered 0". The format is stable.
std::string ToString(const Position& position);
// The inverse. Throws Error(kInvalidArgument) for any other text or a negative number.
Position PositionFromString(std::string_view text);

// One example, or one replica's batch.
struct Element {
  Components components;
  // The place after this element: what a checkpoint holds once the element is consumed. Set by Iterator::Next.
  Position position;
  // Real examples in a batch (the others are padding, at its end); 1 for an example.
  int64_t valid_count = 1;

  // Throws Error(kNotFound), listing the known names.
  const Literal& operator[](std::string_view name) const;
};

}  // namespace replicator::data
