#include <algorithm>

#include "data/read_ahead.h"
#include "data/stages.h"

namespace replicator::data::internal {
namespace {

// A stage that yields elements of its input unchanged, at other places.
class Reindexed : public Node {
 public:
  Reindexed(Traits traits, NodePtr input) : Node(std::move(traits)), input_(std::move(input)) {}

  Element Read(Place place) const final { return input_->Read(Source(place)); }
  void ReadInto(Place place, std::span<std::byte* const> out) const final { input_->ReadInto(Source(place), out); }

 protected:
  virtual Place Source(Place place) const { return place; }
  const Node& input() const { return *input_; }

 private:
  NodePtr input_;
};

class Repeat final : public Reindexed {
 public:
  Repeat(Traits traits, NodePtr input, std::optional<int64_t> count)
      : Reindexed(std::move(traits), std::move(input)), count_(count) {}

  std::unique_ptr<Cursor> Open(Place place, std::stop_token stop) const override {
    auto cursor = std::make_unique<SweepCursor>(*this, place.epoch, stop);
    Discard(*cursor, place.index);
    return cursor;
  }

 protected:
  Place Source(Place place) const override {
    const int64_t size = *input().traits().size;
    return {SweepEpoch(place.epoch, place.index / size), place.index % size};
  }

 private:
  class SweepCursor final : public Cursor {
   public:
    SweepCursor(const Repeat& node, uint64_t epoch, std::stop_token stop)
        : node_(node), epoch_(epoch), stop_(std::move(stop)) {}

    std::optional<Element> Next() override {
      while (!node_.count_.has_value() || sweep_ < *node_.count_) {
        if (inner_ == nullptr) inner_ = node_.input().Open({node_.SweepEpoch(epoch_, sweep_), 0}, stop_);
        std::optional<Element> element = inner_->Next();
        if (element.has_value()) {
          sweep_is_empty_ = false;
          return element;
        }
        if (sweep_is_empty_) return std::nullopt;
        inner_.reset();
        sweep_is_empty_ = true;
        ++sweep_;
      }
      return std::nullopt;
    }

   private:
    const Repeat& node_;
    const uint64_t epoch_;
    const std::stop_token stop_;
    std::unique_ptr<Cursor> inner_;
    int64_t sweep_ = 0;
    bool sweep_is_empty_ = true;
  };

  // Distinct for each sweep of each epoch; an unbounded repeat leaves room for 2^32 sweeps.
  uint64_t SweepEpoch(uint64_t epoch, int64_t sweep) const {
    return epoch * (count_.has_value() ? static_cast<uint64_t>(*count_) : uint64_t{1} << 32) +
           static_cast<uint64_t>(sweep);
  }

  const std::optional<int64_t> count_;
};

class Take final : public Reindexed {
 public:
  Take(Traits traits, NodePtr input, int64_t count) : Reindexed(std::move(traits), std::move(input)), count_(count) {}

  std::unique_ptr<Cursor> Open(Place place, std::stop_token stop) const override {
    return std::make_unique<TakeCursor>(input().Open(place, std::move(stop)), count_ - place.index);
  }

 private:
  class TakeCursor final : public Cursor {
   public:
    TakeCursor(std::unique_ptr<Cursor> inner, int64_t left) : inner_(std::move(inner)), left_(left) {}
    std::optional<Element> Next() override { return left_-- > 0 ? inner_->Next() : std::nullopt; }

   private:
    std::unique_ptr<Cursor> inner_;
    int64_t left_;
  };

  const int64_t count_;
};

class Skip final : public Reindexed {
 public:
  Skip(Traits traits, NodePtr input, int64_t count) : Reindexed(std::move(traits), std::move(input)), count_(count) {}

  std::unique_ptr<Cursor> Open(Place place, std::stop_token stop) const override {
    if (place.index > 0) return input().Open({place.epoch, place.index + count_}, std::move(stop));
    // A stream that is shorter than what is skipped is empty, not wrong.
    std::unique_ptr<Cursor> cursor = input().Open({place.epoch, 0}, std::move(stop));
    for (int64_t i = 0; i < count_; ++i) {
      if (!cursor->Next().has_value()) return std::make_unique<EmptyCursor>();
    }
    return cursor;
  }

 protected:
  Place Source(Place place) const override { return {place.epoch, place.index + count_}; }

 private:
  class EmptyCursor final : public Cursor {
   public:
    std::optional<Element> Next() override { return std::nullopt; }
  };

  const int64_t count_;
};

class Shard final : public Reindexed {
 public:
  using Reindexed::Reindexed;
  std::unique_ptr<Cursor> Open(Place place, std::stop_token stop) const override {
    return input().Open(place, std::move(stop));
  }
};

class Prefetch final : public Reindexed {
 public:
  Prefetch(Traits traits, NodePtr input, int64_t count)
      : Reindexed(std::move(traits), std::move(input)), count_(count) {}

  std::unique_ptr<Cursor> Open(Place place, std::stop_token stop) const override {
    return std::make_unique<ReadAhead>(1, count_, std::move(stop), [&](std::stop_token own) -> ReadAhead::Pull {
      std::shared_ptr<Cursor> cursor = input().Open(place, std::move(own));
      return [cursor]() -> std::optional<ReadAhead::Task> {
        std::optional<Element> element = cursor->Next();
        if (!element.has_value()) return std::nullopt;
        return [element = std::move(*element)]() mutable { return std::move(element); };
      };
    });
  }

 private:
  const int64_t count_;
};

}  // namespace

NodePtr RepeatNode(NodePtr input, std::optional<int64_t> count, SourceLocation where) {
  Traits traits = input->traits();
  if (traits.size.has_value() && *traits.size > 0) {
    traits.infinite = !count.has_value();
    if (count.has_value()) {
      traits.size = CheckedProduct(*traits.size, *count, "the number of elements", where);
    } else {
      traits.size.reset();
    }
  }
  return std::make_shared<Repeat>(std::move(traits), std::move(input), count);
}

NodePtr TakeNode(NodePtr input, int64_t count) {
  Traits traits = input->traits();
  if (traits.indexable) {
    traits.size = traits.infinite ? count : std::min(*traits.size, count);
    traits.infinite = false;
  }
  return std::make_shared<Take>(std::move(traits), std::move(input), count);
}

NodePtr SkipNode(NodePtr input, int64_t count) {
  Traits traits = input->traits();
  if (traits.size.has_value()) traits.size = std::max(*traits.size - count, int64_t{0});
  return std::make_shared<Skip>(std::move(traits), std::move(input), count);
}

NodePtr ShardNode(NodePtr input, const InputContext& ctx) {
  Traits traits = input->traits();
  traits.shard = ctx;
  return std::make_shared<Shard>(std::move(traits), std::move(input));
}

NodePtr PrefetchNode(NodePtr input, int64_t count) {
  Traits traits = input->traits();
  traits.read_ahead = std::max(traits.read_ahead, count);
  return std::make_shared<Prefetch>(std::move(traits), std::move(input), count);
}

}  // namespace replicator::data::internal
