#include <algorithm>
#include <cstring>
#include <deque>

#include "data/stages.h"
#include "replicator/base/error.h"

namespace replicator::data::internal {
namespace {

constexpr char kMask[] = "mask";

// How the examples that enter are dealt; see dataset.h.
struct Deal {
  int64_t batch;          // b
  int64_t global;         // G
  int64_t first_replica;  // f, counted over all groups
  int64_t local;          // k

  int64_t StartInStep(int64_t local_replica) const { return (first_replica + local_replica) * batch; }
};

std::string Describe(int64_t examples, const Deal& deal) {
  return std::to_string(examples) + " examples do not make whole global batches of " + std::to_string(deal.global) +
         " (" + std::to_string(deal.batch) + " on each of " + std::to_string(deal.global / deal.batch) +
         " replicas): " + std::to_string(examples % deal.global) +
         " remain; say .remainder = Remainder::kDrop to leave them out, "
         "kPadAndMask to fill up with zeros and get a mask, or Repeat before Batch";
}

class Batch final : public Node {
 public:
  Batch(Traits traits, NodePtr input, Deal deal, Remainder remainder, SourceLocation where)
      : Node(std::move(traits)), input_(std::move(input)), deal_(deal), remainder_(remainder), where_(where) {
    for (const auto& [name, shape] : input_->traits().spec) row_bytes_.push_back(shape.byte_size());
  }

  Element Read(Place place) const override {
    const int64_t start = place.index / deal_.local * deal_.global + deal_.StartInStep(place.index % deal_.local);
    const Traits& from = input_->traits();
    const int64_t valid = from.infinite ? deal_.batch : std::clamp<int64_t>(*from.size - start, 0, deal_.batch);
    Filler filler(*this);
    for (int64_t row = 0; row < valid; ++row) input_->ReadInto({place.epoch, start + row}, filler.NextRow());
    return std::move(filler).Finish();
  }

  std::unique_ptr<Cursor> Open(Place place, std::stop_token stop) const override {
    // The step before the place is read again and discarded, since it may have ended early.
    const int64_t step = place.index / deal_.local;
    const int64_t first = step > 0 && place.index % deal_.local == 0 ? step - 1 : step;
    auto cursor =
        std::make_unique<BatchCursor>(*this, input_->Open({place.epoch, first * deal_.global}, std::move(stop)));
    Discard(*cursor, place.index - first * deal_.local);
    return cursor;
  }

 private:
  // A batch in the making.
  class Filler {
   public:
    explicit Filler(const Batch& node) : node_(node) {
      components_ = Allocate(node.traits().spec);
      if (node.remainder_ == Remainder::kPadAndMask) {
        mask_ = reinterpret_cast<bool*>(components_.at(kMask).mutable_bytes());
        std::memset(mask_, 0, static_cast<size_t>(node.deal_.batch));
      }
      for (auto& [name, literal] : components_) {
        if (mask_ == nullptr || name != kMask) rows_.push_back(literal.mutable_bytes());
      }
    }

    // Where the next example's components go.
    std::span<std::byte* const> NextRow() {
      if (valid_ > 0) {
        for (size_t i = 0; i < rows_.size(); ++i) rows_[i] += node_.row_bytes_[i];
      }
      if (mask_ != nullptr) mask_[valid_] = true;
      ++valid_;
      return rows_;
    }

    Element Finish() && {
      const auto padding = static_cast<size_t>(node_.deal_.batch - valid_);
      if (padding > 0) {
        for (size_t i = 0; i < rows_.size(); ++i) {
          std::memset(rows_[i] + (valid_ > 0 ? node_.row_bytes_[i] : 0), 0, padding * node_.row_bytes_[i]);
        }
      }
      return {.components = std::move(components_), .valid_count = valid_};
    }

   private:
    const Batch& node_;
    Components components_;
    bool* mask_ = nullptr;
    std::vector<std::byte*> rows_;
    int64_t valid_ = 0;
  };

  // Reads whole steps, of which it keeps this pipeline's part.
  class BatchCursor final : public Cursor {
   public:
    BatchCursor(const Batch& node, std::unique_ptr<Cursor> inner) : node_(node), inner_(std::move(inner)) {}

    std::optional<Element> Next() override {
      if (ready_.empty() && !ended_) ReadStep();
      if (ready_.empty()) return std::nullopt;
      std::optional<Element> element = std::move(ready_.front());
      ready_.pop_front();
      return element;
    }

   private:
    void ReadStep() {
      const Deal& deal = node_.deal_;
      std::vector<Filler> fillers;
      fillers.reserve(static_cast<size_t>(deal.local));
      for (int64_t i = 0; i < deal.local; ++i) fillers.emplace_back(node_);
      int64_t count = 0;
      for (; count < deal.global; ++count, ++examples_) {
        const std::optional<Element> element = inner_->Next();
        if (!element.has_value()) break;
        const int64_t replica = count / deal.batch - deal.first_replica;
        if (replica < 0 || replica >= deal.local) continue;
        const auto row = fillers[static_cast<size_t>(replica)].NextRow();
        size_t i = 0;
        for (const auto& [name, literal] : element->components)
          std::memcpy(row[i++], literal.bytes(), literal.byte_size());
      }
      ended_ = count < deal.global;
      if (count == 0 || (ended_ && node_.remainder_ == Remainder::kDrop)) return;
      if (ended_ && node_.remainder_ == Remainder::kError) {
        throw Error(ErrorCode::kInvalidArgument, "the stream ended: its last " + Describe(examples_, deal),
                    {node_.where_});
      }
      for (Filler& filler : fillers) ready_.push_back(std::move(filler).Finish());
    }

    const Batch& node_;
    std::unique_ptr<Cursor> inner_;
    std::deque<Element> ready_;
    int64_t examples_ = 0;  // read so far
    bool ended_ = false;
  };

  NodePtr input_;
  const Deal deal_;
  const Remainder remainder_;
  const SourceLocation where_;
  std::vector<size_t> row_bytes_;  // of the input's components
};

}  // namespace

NodePtr BatchNode(NodePtr input, int64_t size, Remainder remainder, SourceLocation where) {
  Traits traits = input->traits();
  if (traits.batched && traits.shard.has_value()) {
    throw Error(ErrorCode::kInvalidArgument,
                "Batch after a sharded Batch would mix the batches of several replicas; Batch once, after Shard",
                {where});
  }
  const InputContext ctx = traits.shard.value_or(InputContext{});
  const Deal deal{.batch = size,
                  .global = CheckedProduct(CheckedProduct(size, ctx.num_replicas_in_sync, "the global batch", where),
                                           ctx.num_sync_groups, "the global batch of all groups", where),
                  .first_replica = ctx.sync_group * ctx.num_replicas_in_sync + ctx.first_replica,
                  .local = ctx.num_replicas_in_pipeline};
  for (auto& [name, shape] : traits.spec) {
    shape.dims.insert(shape.dims.begin(), size);
    int64_t elements = 1;
    for (int64_t extent : shape.dims) elements = CheckedProduct(elements, extent, "a batch of '" + name + "'", where);
    CheckedProduct(elements, static_cast<int64_t>(ByteSize(shape.dtype)), "a batch of '" + name + "'", where);
  }
  if (remainder == Remainder::kPadAndMask && !traits.spec.emplace(kMask, Shape{DType::kBool, {size}}).second) {
    throw Error(ErrorCode::kInvalidArgument,
                "kPadAndMask adds a component 'mask', but the dataset already has one; rename it with Map", {where});
  }
  if (traits.size.has_value()) {
    const int64_t examples = *traits.size;
    const int64_t left = examples % deal.global;
    if (left > 0 && remainder == Remainder::kError)
      throw Error(ErrorCode::kInvalidArgument, Describe(examples, deal), {where});
    if (left > 0 && examples < deal.global && remainder == Remainder::kDrop) {
      throw Error(ErrorCode::kInvalidArgument,
                  "all " + std::to_string(examples) +
                      " examples would be dropped, since they are fewer than the global batch of " +
                      std::to_string(deal.global) + "; use a smaller batch, or kPadAndMask",
                  {where});
    }
    const int64_t steps = examples / deal.global + (left > 0 && remainder == Remainder::kPadAndMask ? 1 : 0);
    traits.size = steps * deal.local;
  }
  traits.batched = true;
  traits.elements_per_step = deal.local;
  traits.examples_per_step = CheckedProduct(traits.examples_per_step, deal.global, "the examples of a step", where);
  return std::make_shared<Batch>(std::move(traits), std::move(input), deal, remainder, where);
}

}  // namespace replicator::data::internal
