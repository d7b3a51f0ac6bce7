#include <atomic>
#include <cstring>

#include "data/stages.h"
#include "replicator/base/error.h"

namespace replicator::data::internal {
namespace {

// One contiguous array per component, filled row by row as the rows are asked for.
class Cache final : public Node {
 public:
  Cache(Traits traits, NodePtr input)
      : Node(std::move(traits)), input_(std::move(input)), states_(static_cast<size_t>(*this->traits().size)) {
    ElementSpec stacked = this->traits().spec;
    for (auto& [name, shape] : stacked) {
      row_bytes_.push_back(shape.byte_size());
      shape.dims.insert(shape.dims.begin(), *this->traits().size);
    }
    storage_ = Allocate(stacked);
    rows_ = MutableBytes(storage_);
  }

  Element Read(Place place) const override {
    Element element{.components = Allocate(traits().spec)};
    ReadInto(place, MutableBytes(element.components));
    return element;
  }

  void ReadInto(Place place, std::span<std::byte* const> out) const override {
    std::atomic<State>& state = states_[static_cast<size_t>(place.index)];
    if (state.load(std::memory_order_acquire) != State::kFull) {
      input_->ReadInto({0, place.index}, out);
      State expected = State::kEmpty;
      // Where another thread is filling the row this moment, it was computed twice, with the same result.
      if (!state.compare_exchange_strong(expected, State::kFilling, std::memory_order_relaxed)) return;
      for (size_t i = 0; i < rows_.size(); ++i) std::memcpy(Row(place.index, i), out[i], row_bytes_[i]);
      state.store(State::kFull, std::memory_order_release);
      return;
    }
    for (size_t i = 0; i < rows_.size(); ++i) std::memcpy(out[i], Row(place.index, i), row_bytes_[i]);
  }

 private:
  enum class State : uint8_t { kEmpty, kFilling, kFull };

  std::byte* Row(int64_t index, size_t component) const {
    return rows_[component] + static_cast<size_t>(index) * row_bytes_[component];
  }

  NodePtr input_;
  std::vector<size_t> row_bytes_;
  Components storage_;
  std::vector<std::byte*> rows_;  // into storage_; a row is written by who set its state to kFilling
  mutable std::vector<std::atomic<State>> states_;
};

}  // namespace

NodePtr CacheNode(NodePtr input, SourceLocation where) {
  const Traits& traits = input->traits();
  if (!traits.size.has_value() || traits.batched) {
    throw Error(ErrorCode::kInvalidArgument,
                "Cache keeps the examples of an indexable, bounded dataset; place it before Repeat and Batch", {where});
  }
  for (const auto& [name, shape] : traits.spec) {
    CheckedProduct(*traits.size, static_cast<int64_t>(shape.byte_size()), "the cache of '" + name + "'", where);
  }
  Traits cached = traits;
  return std::make_shared<Cache>(std::move(cached), std::move(input));
}

}  // namespace replicator::data::internal
