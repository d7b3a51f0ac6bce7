#include "data/permutation.h"
#include "data/stages.h"
#include "replicator/base/error.h"

namespace replicator::data::internal {
namespace {

class Shuffle final : public Node {
 public:
  Shuffle(Traits traits, NodePtr input, ShuffleOptions options)
      : Node(std::move(traits)),
        input_(std::move(input)),
        options_(options),
        permutation_(this->traits().size.value_or(0) / this->traits().elements_per_step) {}

  Element Read(Place place) const override { return input_->Read(Source(place)); }
  void ReadInto(Place place, std::span<std::byte* const> out) const override { input_->ReadInto(Source(place), out); }

  std::unique_ptr<Cursor> Open(Place place, std::stop_token stop) const override {
    auto cursor = std::make_unique<WindowCursor>(input_->Open({place.epoch, 0}, std::move(stop)), options_.window,
                                                 Key(place.epoch));
    Discard(*cursor, place.index);
    return cursor;
  }

 private:
  class WindowCursor final : public Cursor {
   public:
    WindowCursor(std::unique_ptr<Cursor> inner, int64_t window, uint64_t key)
        : inner_(std::move(inner)), window_(static_cast<size_t>(window)), key_(key) {}

    std::optional<Element> Next() override {
      while (!ended_ && held_.size() < window_) {
        std::optional<Element> element = inner_->Next();
        ended_ = !element.has_value();
        if (!ended_) held_.push_back(std::move(*element));
      }
      if (held_.empty()) return std::nullopt;
      const uint64_t random = Mix(key_ + ++draws_) >> 32;
      std::swap(held_[(random * held_.size()) >> 32], held_.back());
      std::optional<Element> drawn = std::move(held_.back());
      held_.pop_back();
      return drawn;
    }

   private:
    std::unique_ptr<Cursor> inner_;
    const size_t window_;
    const uint64_t key_;
    uint64_t draws_ = 0;
    std::vector<Element> held_;
    bool ended_ = false;
  };

  uint64_t Key(uint64_t epoch) const { return EpochKey(options_.seed, options_.reshuffle_each_epoch ? epoch : 0); }
  // Whole steps change places, so that replicas keep to their own parts of a step.
  Place Source(Place place) const {
    const int64_t step = traits().elements_per_step;
    return {place.epoch, permutation_.At(Key(place.epoch), place.index / step) * step + place.index % step};
  }

  NodePtr input_;
  ShuffleOptions options_;
  Permutation permutation_;
};

}  // namespace

NodePtr ShuffleNode(NodePtr input, ShuffleOptions options, SourceLocation where) {
  const Traits& traits = input->traits();
  if (traits.infinite) {
    throw Error(
        ErrorCode::kInvalidArgument,
        "an unbounded dataset cannot be shuffled as a whole; Shuffle before Repeat: each sweep is shuffled anew",
        {where});
  }
  if (!traits.indexable && (options.window < 1 || options.window >= (int64_t{1} << 32))) {
    throw Error(ErrorCode::kInvalidArgument,
                "a stream is shuffled within a window of at least 1 and less than 2^32 elements, but the window is " +
                    std::to_string(options.window) + "; write Shuffle({.seed = 1, .window = 10000})",
                {where});
  }
  if (!traits.indexable && traits.elements_per_step > 1) {
    throw Error(
        ErrorCode::kInvalidArgument,
        "Shuffle after a sharded Batch would give replicas each other's batches; Shuffle the stream before Batch",
        {where});
  }
  Traits shuffled = traits;
  return std::make_shared<Shuffle>(std::move(shuffled), std::move(input), options);
}

}  // namespace replicator::data::internal
