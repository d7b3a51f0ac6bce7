#include <atomic>
#include <utility>

#include "replicator/base/error.h"
#include "runtime/input_iterator_impl.h"

namespace replicator {
namespace {

int64_t NextOrder() {
  static std::atomic<int64_t> next{0};
  return next++;
}

void CheckDefined(const InputIterator& iterator) {
  if (iterator.defined()) return;
  throw Error(ErrorCode::kFailedPrecondition,
              "this InputIterator is undefined; make one with Replicator::MakeInputIterator");
}

}  // namespace

const std::map<std::string, Shape>& InputIterator::Spec() const {
  CheckDefined(*this);
  return groups_[0]->spec();
}
void InputIterator::Initialize() {
  CheckDefined(*this);
  for (const auto& group : groups_) group->Initialize();
}

InputIterator::Impl::Impl(const InputFn& input_fn, InputReplicationMode mode, int num_replicas, SourceLocation where)
    : pipelines_(input_fn, mode, num_replicas, where), order_(NextOrder()) {}

void InputIterator::Impl::Bind(const std::shared_ptr<const void>& owner, Put put) {
  const std::lock_guard lock(run_mutex_);
  if (owner_ == owner) return;
  if (owner_ != nullptr) {
    throw Error(ErrorCode::kFailedPrecondition,
                "the input made at " + ToString(where()) +
                    " feeds the steps of another replicator; make one for each replicator",
                {where()});
  }
  owner_ = owner;
  put_ = std::move(put);
}

DeviceBatches InputIterator::Impl::Take() {
  if (!put_back_.empty()) {
    DeviceBatches batches = std::move(put_back_.back());
    put_back_.pop_back();
    return batches;
  }
  if (!ended_) {
    if (feeder_ == nullptr) {
      feeder_ = std::make_unique<Feeder>(kDepth, [this](const std::stop_token& stop) { return OpenFeeder(stop); });
    }
    if (std::optional<DeviceBatches> batches = feeder_->Take()) return std::move(*batches);
    feeder_.reset();
    ended_ = true;
  }
  throw OutOfRange("the input made at " + ToString(where()) + " has ended (" + data::ToString(position()) +
                       "); Initialize() its iterator to begin another sweep",
                   {where()});
}

void InputIterator::Impl::PutBack(DeviceBatches batches) { put_back_.push_back(std::move(batches)); }

void InputIterator::Impl::Commit(const DeviceBatches& batches) {
  const std::lock_guard lock(position_mutex_);
  position_ = batches.position;
}

data::Position InputIterator::Impl::position() const {
  const std::lock_guard lock(position_mutex_);
  return position_;
}

void InputIterator::Impl::Seek(const data::Position& position) {
  CheckPosition(position);
  Reset(position);
}

void InputIterator::Impl::Initialize() {
  const std::lock_guard lock(run_mutex_);
  const data::Position now = position();
  if (now.index == 0 && now.delivered == 0 && !ended_) return;
  Reset({.epoch = now.epoch + 1});
}

void InputIterator::Impl::Reset(const data::Position& position) {
  feeder_.reset();
  put_back_.clear();
  ended_ = false;
  start_ = position;
  const std::lock_guard lock(position_mutex_);
  position_ = position;
}

InputIterator::Impl::Feeder::Pull InputIterator::Impl::OpenFeeder(const std::stop_token& stop) {
  auto reader = std::make_shared<InputPipelines::Reader>(pipelines_, start_, stop);
  return [this, reader]() -> std::optional<DeviceBatches> {
    std::optional<HostBatches> host = reader->Next();
    if (!host.has_value()) return std::nullopt;
    DeviceBatches batches{.position = host->position};
    for (size_t r = 0; r < host->replicas.size(); ++r) {
      auto& components = batches.replicas.emplace_back();
      for (const auto& [name, value] : host->replicas[r]) components.push_back(put_(value, static_cast<int>(r)));
    }
    return batches;
  };
}

}  // namespace replicator
