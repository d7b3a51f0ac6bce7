#include "store/parameter_store.h"

#include <algorithm>

#include "replicator/base/error.h"
#include "store/store_impl.h"

namespace replicator::store {
namespace {

double Seconds(std::chrono::steady_clock::duration duration) { return std::chrono::duration<double>(duration).count(); }

StoreOptions Validated(StoreOptions options, size_t num_cells) {
  const auto refuse = [](const std::string& what) { throw Error(ErrorCode::kInvalidArgument, what); };
  if (options.num_groups < 1) refuse("a store needs at least 1 group, not " + std::to_string(options.num_groups));
  if (options.max_updates < 0) refuse("max_updates is " + std::to_string(options.max_updates) + "; it must be >= 0");
  if (options.policy.kind() == AsyncPolicy::Kind::kBackupWorkers && options.policy.required() > options.num_groups) {
    refuse("the policy needs " + std::to_string(options.policy.required()) +
           " gradients for an update, but there are " + std::to_string(options.num_groups) + " groups");
  }
  if (num_cells != 1 && !(options.record_order.empty() && options.replay_order.empty()))
    refuse("an order can be recorded or replayed only with Consistency::kSnapshot");
  if (!options.record_order.empty() && options.record_order == options.replay_order)
    refuse("the order cannot be recorded into the file that is replayed, '" + options.record_order + "'");
  return options;
}

}  // namespace

ParameterStore::Impl::Impl(StoreOptions options, std::vector<StateRef> cells, std::shared_ptr<Applier> applier)
    : options_(Validated(std::move(options), cells.size())),
      applier_(std::move(applier)),
      groups_(static_cast<size_t>(options_.num_groups)) {
  for (StateRef& state : cells) cells_.emplace_back(std::move(state));
  if (!options_.replay_order.empty()) {
    const std::string text = FileSystem::Default().ReadFile(options_.replay_order);
    replay_.emplace(ParseOrder(text, options_.replay_order, options_.num_groups, options_.policy));
  }
  if (!options_.record_order.empty()) recorder_.emplace(options_.record_order, options_.num_groups, options_.policy);
}

ParameterStore::Impl::Group& ParameterStore::Impl::GroupLocked(int group) {
  if (group >= 0 && group < options_.num_groups) return groups_[static_cast<size_t>(group)];
  throw Error(ErrorCode::kInvalidArgument, "there is no sync group " + std::to_string(group) + "; there are " +
                                               std::to_string(options_.num_groups) + ", from 0");
}

void ParameterStore::Impl::CheckLocked() const {
  if (error_ != nullptr) std::rethrow_exception(error_);
}

int64_t ParameterStore::Impl::SlowestLocked() const {
  int64_t slowest = INT64_MAX;
  for (const Group& group : groups_) {
    if (group.active) slowest = std::min(slowest, group.clock);
  }
  return slowest;
}

size_t ParameterStore::Impl::ActiveLocked() const {
  return static_cast<size_t>(std::count_if(groups_.begin(), groups_.end(), [](const Group& g) { return g.active; }));
}

bool ParameterStore::Impl::MustWaitLocked(const Group& group, int number) const {
  if (replay_.has_value()) {
    const auto version = replay_->ReadsVersion({number, group.next_step});
    return version.has_value() && cells_[0].version() < *version;
  }
  if (options_.policy.aggregates()) return false;
  if (options_.max_updates > 0 && updates_ + in_flight_ >= options_.max_updates) return true;
  const bool bounded = options_.policy.kind() == AsyncPolicy::Kind::kStaleSynchronous;
  return bounded && group.clock - SlowestLocked() > options_.policy.bound();
}

template <typename Ready>
void ParameterStore::Impl::WaitLocked(std::unique_lock<std::mutex>& lock, Group& group, const Ready& ready) {
  if (ready()) return;
  const Clock::time_point begin = Clock::now();
  changed_.wait(lock, ready);
  ++group.statistics.waits;
  group.statistics.wait_seconds += Seconds(Clock::now() - begin);
}

// Nobody waits for it any longer.
void ParameterStore::Impl::GiveUpLocked(Group& group) {
  group.active = false;
  CompleteLocked();
  changed_.notify_all();
}

std::optional<Reading> ParameterStore::Impl::Read(int number) {
  std::unique_lock lock(mutex_);
  Group& group = GroupLocked(number);
  CheckLocked();
  const bool several = options_.policy.kind() == AsyncPolicy::Kind::kUnbounded && !recorder_ && !replay_;
  if (!several && group.in_flight > 0) {
    throw Error(ErrorCode::kFailedPrecondition,
                "sync group " + std::to_string(number) +
                    " begins a step while another one of it is in flight; with the policy '" +
                    ToString(options_.policy) + "', or an order, each group runs in one thread");
  }
  if (!group.active) {
    group.clock = std::max(group.clock, ActiveLocked() == 0 ? int64_t{0} : SlowestLocked());
    group.active = true;
  }
  const auto over = [&] {
    return error_ != nullptr || ended_ || FullLocked() ||
           (replay_.has_value() && !replay_->ReadsVersion({number, group.next_step}).has_value());
  };
  WaitLocked(lock, group, [&] { return over() || !MustWaitLocked(group, number); });
  CheckLocked();
  if (over()) {
    GiveUpLocked(group);
    CheckLocked();
    return std::nullopt;
  }
  if (!group.first_read) group.first_read = Clock::now();
  ++group.in_flight;
  ++in_flight_;
  Reading reading{.group = number, .step = group.next_step++, .versions = {}, .states = {}};
  for (size_t c = 0; c < cells_.size(); ++c) {
    reading.versions.push_back(cells_[c].version());
    reading.states.push_back(cells_[c].Lend());
    if (c + 1 == cells_.size()) break;
    lock.unlock();  // other groups' updates may come between the cells
    lock.lock();
  }
  if (replay_.has_value()) {
    replay_->NoteRead(reading.versions[0]);
    CompleteLocked();
    changed_.notify_all();
  }
  return reading;
}

void ParameterStore::Impl::EndStepLocked(const Reading& reading) {
  Group& group = GroupLocked(reading.group);
  --group.in_flight;
  --in_flight_;
  changed_.notify_all();
}

double ParameterStore::Impl::RateScale(int64_t staleness) const {
  const bool aware = options_.policy.staleness_aware_learning_rate() && staleness > 1;
  return aware ? 1.0 / static_cast<double>(staleness) : 1.0;
}

void ParameterStore::Impl::ApplyLocked(size_t cell, std::span<const UpdateRef> updates, double rate_scale) {
  try {
    cells_[cell].Advance([&](StateRef state, bool exclusive) {
      return applier_->Apply(static_cast<int>(cell), std::move(state), exclusive, updates, rate_scale);
    });
  } catch (...) {
    if (error_ == nullptr) error_ = std::current_exception();
    changed_.notify_all();
    throw;
  }
}

void ParameterStore::Impl::CountLocked(int group, int64_t staleness) {
  ++staleness_[staleness];
  Group& counted = GroupLocked(group);
  counted.last_push = Clock::now();
}

Pushed ParameterStore::Impl::DropLocked(const OrderedStep& step) {
  Group& group = GroupLocked(step.group);
  ++group.statistics.dropped;
  group.last_push = Clock::now();
  if (recorder_) recorder_->Dropped(step);
  return {.outcome = Pushed::Outcome::kDropped, .staleness = cells_[0].version() - step.read};
}

Pushed ParameterStore::Impl::Push(Reading reading, UpdateRef update) {
  std::unique_lock lock(mutex_);
  EndStepLocked(reading);
  Group& group = GroupLocked(reading.group);
  CheckLocked();
  if (FullLocked()) return {.outcome = Pushed::Outcome::kTooLate};
  ++group.statistics.steps;
  ++group.clock;
  reading.states.clear();
  try {
    const bool together = replay_.has_value() || options_.policy.aggregates();
    return together ? PushTogether(lock, reading, std::move(update))
                    : PushAlone(lock, std::move(reading), std::move(update));
  } catch (...) {
    if (error_ == nullptr) error_ = std::current_exception();
    changed_.notify_all();
    throw;
  }
}

Pushed ParameterStore::Impl::PushAlone(std::unique_lock<std::mutex>& lock, Reading reading, UpdateRef update) {
  Pushed pushed;
  const std::vector<UpdateRef> updates = {std::move(update)};
  ++in_flight_;  // until it counts as an update, though others may come between the cells
  for (size_t c = 0; c < cells_.size(); ++c) {
    const int64_t staleness = cells_[c].version() - reading.versions[c];
    ApplyLocked(c, updates, RateScale(staleness));
    CountLocked(reading.group, staleness);
    pushed.staleness = std::max(pushed.staleness, staleness);
    if (c + 1 == cells_.size()) break;
    lock.unlock();
    lock.lock();
    CheckLocked();
  }
  --in_flight_;
  pushed.update = ++updates_;
  ++GroupLocked(reading.group).statistics.applied;
  if (recorder_) recorder_->Update(updates_ - first_update_, {{reading.group, reading.step, reading.versions[0]}});
  changed_.notify_all();
  return pushed;
}

Pushed ParameterStore::Impl::PushTogether(std::unique_lock<std::mutex>& lock, const Reading& reading,
                                          UpdateRef update) {
  const OrderedStep step{reading.group, reading.step, reading.versions[0]};
  const bool backup = options_.policy.kind() == AsyncPolicy::Kind::kBackupWorkers;
  const bool late =
      replay_.has_value() ? replay_->IsDropped({step.group, step.step}) : backup && step.read != cells_[0].version();
  if (late) return DropLocked(step);
  const auto mine = std::make_shared<Pending>(Pending{step, std::move(update), std::nullopt});
  pending_.push_back(mine);
  CompleteLocked();
  WaitLocked(lock, GroupLocked(reading.group), [&] { return mine->result.has_value() || error_ != nullptr; });
  if (!mine->result.has_value()) CheckLocked();
  return *mine->result;
}

std::vector<ParameterStore::Impl::PendingRef> ParameterStore::Impl::NextMembersLocked() {
  std::vector<PendingRef> members;
  if (replay_.has_value()) {
    const std::vector<OrderedStep>* next = replay_->NextUpdate(cells_[0].version());
    if (next == nullptr) return {};
    for (const OrderedStep& step : *next) {
      const auto found =
          std::find_if(pending_.begin(), pending_.end(), [&](const auto& pending) { return pending->step == step; });
      if (found == pending_.end()) return {};
      members.push_back(*found);
    }
  } else {
    const bool backup = options_.policy.kind() == AsyncPolicy::Kind::kBackupWorkers;
    const size_t active = ActiveLocked();
    const size_t required = backup ? std::min(static_cast<size_t>(options_.policy.required()), active) : active;
    if (pending_.size() < std::max<size_t>(required, 1)) return {};
    members = pending_;
  }
  std::erase_if(pending_,
                [&](const PendingRef& p) { return std::find(members.begin(), members.end(), p) != members.end(); });
  std::sort(members.begin(), members.end(), [](const auto& a, const auto& b) { return a->step.group < b->step.group; });
  return members;
}

void ParameterStore::Impl::CompleteLocked() {
  for (std::vector<PendingRef> members; error_ == nullptr && !(members = NextMembersLocked()).empty();) {
    if (FullLocked()) {
      for (const PendingRef& member : members) member->result = Pushed{.outcome = Pushed::Outcome::kTooLate};
      changed_.notify_all();
      continue;
    }
    std::vector<UpdateRef> updates;
    std::vector<OrderedStep> steps;
    for (const PendingRef& member : members) {
      updates.push_back(std::move(member->update));
      steps.push_back(member->step);
    }
    const int64_t staleness = cells_[0].version() - steps[0].read;
    for (size_t c = 0; c < cells_.size(); ++c) ApplyLocked(c, updates, RateScale(staleness));
    ++updates_;
    for (const PendingRef& member : members) {
      CountLocked(member->step.group, staleness);
      ++GroupLocked(member->step.group).statistics.applied;
      member->result = Pushed{.staleness = staleness, .update = updates_};
    }
    if (recorder_) recorder_->Update(updates_ - first_update_, steps);
    changed_.notify_all();
  }
}

void ParameterStore::Impl::Abandon(const Reading& reading) {
  const std::lock_guard lock(mutex_);
  EndStepLocked(reading);
}

void ParameterStore::Impl::Leave(int number) {
  const std::lock_guard lock(mutex_);
  Group& group = GroupLocked(number);
  if (replay_.has_value() && error_ == nullptr && !FullLocked() && !ended_) {
    if (const auto step = replay_->Expects(number, group.next_step)) {
      error_ = std::make_exception_ptr(
          Error(ErrorCode::kFailedPrecondition, "sync group " + std::to_string(number) +
                                                    " has ended, but the order that is replayed, '" +
                                                    options_.replay_order + "', expects its step " +
                                                    std::to_string(*step) + "; give it the input of the recorded run"));
    }
  }
  GiveUpLocked(group);
}

void ParameterStore::Impl::End() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

void ParameterStore::Impl::Stop(std::exception_ptr error) {
  const std::lock_guard lock(mutex_);
  if (error_ == nullptr) error_ = std::move(error);
  changed_.notify_all();
}

std::vector<StateRef> ParameterStore::Impl::Peek() const {
  const std::lock_guard lock(mutex_);
  std::vector<StateRef> states;
  for (const Cell& cell : cells_) states.push_back(cell.Lend());
  return states;
}

void ParameterStore::Impl::Replace(std::vector<StateRef> cells, int64_t updates) {
  const std::lock_guard lock(mutex_);
  if (in_flight_ > 0 || !pending_.empty()) {
    throw Error(ErrorCode::kFailedPrecondition, "variables cannot be replaced while " +
                                                    std::to_string(in_flight_ + static_cast<int>(pending_.size())) +
                                                    " asynchronous steps are in flight; wait for their threads first");
  }
  const int64_t version = cells_.empty() ? 0 : cells_[0].version();
  cells_.clear();
  for (StateRef& state : cells) cells_.emplace_back(nullptr).Replace(std::move(state), version);
  if (updates != updates_) first_update_ = updates;
  updates_ = updates;
}

int64_t ParameterStore::Impl::updates() const {
  const std::lock_guard lock(mutex_);
  return updates_;
}

AsyncStatistics ParameterStore::Impl::statistics() const {
  const std::lock_guard lock(mutex_);
  AsyncStatistics statistics{.updates = updates_ - first_update_, .staleness = staleness_, .groups = {}};
  for (const Group& group : groups_) {
    GroupStatistics& of_group = statistics.groups.emplace_back(group.statistics);
    if (!group.first_read || !group.last_push || group.last_push <= group.first_read) continue;
    of_group.steps_per_second = static_cast<double>(of_group.steps) / Seconds(*group.last_push - *group.first_read);
  }
  return statistics;
}

ParameterStore::ParameterStore(StoreOptions options, std::vector<StateRef> cells, std::shared_ptr<Applier> applier)
    : impl_(std::make_unique<Impl>(std::move(options), std::move(cells), std::move(applier))) {}
ParameterStore::~ParameterStore() = default;
std::optional<Reading> ParameterStore::Read(int group) { return impl_->Read(group); }
Pushed ParameterStore::Push(Reading reading, UpdateRef update) {
  return impl_->Push(std::move(reading), std::move(update));
}
void ParameterStore::Abandon(const Reading& reading) { impl_->Abandon(reading); }
void ParameterStore::Leave(int group) { impl_->Leave(group); }
void ParameterStore::End() { impl_->End(); }
void ParameterStore::Stop(std::exception_ptr error) { impl_->Stop(std::move(error)); }
std::vector<StateRef> ParameterStore::Peek() const { return impl_->Peek(); }
void ParameterStore::Replace(std::vector<StateRef> cells, int64_t updates) {
  impl_->Replace(std::move(cells), updates);
}
int64_t ParameterStore::updates() const { return impl_->updates(); }
AsyncStatistics ParameterStore::statistics() const { return impl_->statistics(); }

}  // namespace replicator::store
