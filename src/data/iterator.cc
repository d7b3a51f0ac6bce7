#include "replicator/data/iterator.h"

#include <algorithm>

#include "data/read_ahead.h"
#include "replicator/base/error.h"

namespace replicator::data {
namespace internal {
namespace {

constexpr int64_t kMaxIndex = int64_t{1} << 62;

// The elements of an indexable node in order.
class IndexCursor final : public Cursor {
 public:
  IndexCursor(const Node& node, Place next) : node_(node), next_(next) {}

  std::optional<Element> Next() override {
    const std::optional<Place> place = NextPlace();
    if (!place.has_value()) return std::nullopt;
    return node_.Read(*place);
  }

  std::optional<Place> NextPlace() {
    const Traits& traits = node_.traits();
    if (!traits.infinite && next_.index >= *traits.size) return std::nullopt;
    const Place place = next_;
    ++next_.index;
    return place;
  }

 private:
  const Node& node_;
  Place next_;
};

std::unique_ptr<Cursor> OpenNode(const Node& node, Place place, const std::stop_token& stop) {
  const Traits& traits = node.traits();
  if (!traits.indexable) return node.Open({place.epoch, traits.live ? 0 : place.index}, stop);
  const int64_t window = std::max<int64_t>(traits.read_ahead, traits.workers > 1 ? traits.workers : 0);
  if (window == 0) return std::make_unique<IndexCursor>(node, place);
  const auto open = [&](std::stop_token) -> ReadAhead::Pull {
    return [&node, cursor = IndexCursor(node, place)]() mutable -> std::optional<ReadAhead::Task> {
      const std::optional<Place> next = cursor.NextPlace();
      if (!next.has_value()) return std::nullopt;
      return [&node, next] { return node.Read(*next); };
    };
  };
  return std::make_unique<ReadAhead>(traits.workers, window, stop, open);
}

// The element that a position stands before.
Place PlaceOf(const Traits& traits, const Position& position) {
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorCode::kInvalidArgument, "cannot resume at " + ToString(position) + ": " + why);
  };
  if (position.epoch < 0 || position.index < 0 || position.index >= kMaxIndex) refuse("it is out of range");
  if (position.index % traits.examples_per_step != 0) {
    refuse("the index is not a multiple of the global batch of " + std::to_string(traits.examples_per_step) +
           " examples; resume with the global batch that the position was saved with");
  }
  if (position.delivered < 0 || position.delivered >= traits.elements_per_step) {
    refuse("this pipeline yields " + std::to_string(traits.elements_per_step) +
           " batches per step; resume at the end of a step, or with the replicas that the position was saved with");
  }
  const int64_t step = position.index / traits.examples_per_step;
  const Place place{static_cast<uint64_t>(position.epoch), step * traits.elements_per_step + position.delivered};
  if (traits.size.has_value() && place.index > *traits.size) {
    refuse("the dataset ends at index " +
           std::to_string(*traits.size / traits.elements_per_step * traits.examples_per_step));
  }
  return place;
}

}  // namespace
}  // namespace internal

Iterator::Iterator(std::shared_ptr<const internal::Node> node, std::stop_token stop)
    : node_(std::move(node)), stop_(std::move(stop)) {}
Iterator::~Iterator() = default;
Iterator::Iterator(Iterator&&) noexcept = default;

Iterator& Iterator::operator=(Iterator&& other) noexcept {
  cursor_ = std::move(other.cursor_);  // first, since it reads the node
  node_ = std::move(other.node_);
  stop_ = std::move(other.stop_);
  position_ = other.position_;
  at_end_ = other.at_end_;
  return *this;
}

std::optional<Element> Iterator::Next() {
  if (at_end_) return std::nullopt;
  const internal::Traits& traits = node_->traits();
  std::optional<Element> element;
  try {
    if (cursor_ == nullptr) cursor_ = internal::OpenNode(*node_, internal::PlaceOf(traits, position_), stop_);
    element = cursor_->Next();
  } catch (...) {
    cursor_.reset();
    throw;
  }
  if (!element.has_value()) {
    cursor_.reset();
    at_end_ = true;
    return std::nullopt;
  }
  if (++position_.delivered == traits.elements_per_step) {
    position_.delivered = 0;
    position_.index += traits.examples_per_step;
  }
  element->position = position_;
  return element;
}

std::optional<std::vector<Element>> Iterator::NextStep(int64_t num_replicas) {
  const internal::Traits& traits = node_->traits();
  if (num_replicas < 1 || (traits.shard.has_value() && num_replicas != traits.elements_per_step)) {
    throw Error(ErrorCode::kInvalidArgument, "a step for " + std::to_string(num_replicas) +
                                                 " replicas was asked of a pipeline that yields " +
                                                 std::to_string(traits.elements_per_step) +
                                                 " batches per step; Shard with the context of this pipeline");
  }
  if (position_.delivered != 0) {
    throw Error(ErrorCode::kFailedPrecondition, "the iterator stands within a step, at " + ToString(position_) +
                                                    "; read whole steps only, or Seek to the end of one");
  }
  const Position start = position_;
  std::vector<Element> step;
  try {
    while (static_cast<int64_t>(step.size()) < num_replicas) {
      std::optional<Element> element = Next();
      if (!element.has_value()) break;
      step.push_back(std::move(*element));
    }
    if (step.empty()) return std::nullopt;
    if (static_cast<int64_t>(step.size()) == num_replicas) return step;
    throw Error(ErrorCode::kInvalidArgument, "the input ended within a step: " + std::to_string(step.size()) +
                                                 " batches are left for " + std::to_string(num_replicas) +
                                                 " replicas; write Shard(ctx) before Batch, whose remainder then "
                                                 "concerns whole global batches");
  } catch (...) {
    cursor_.reset();
    position_ = start;
    at_end_ = false;
    throw;
  }
}

void Iterator::Seek(const Position& position) {
  const internal::Place place = internal::PlaceOf(node_->traits(), position);
  if (!node_->traits().indexable) {
    cursor_ = internal::OpenNode(*node_, place, stop_);
  } else {
    cursor_.reset();
  }
  position_ = position;
  at_end_ = false;
}

void Iterator::Restart() {
  cursor_.reset();
  position_ = {.epoch = position_.epoch + 1};
  at_end_ = false;
}

}  // namespace replicator::data
