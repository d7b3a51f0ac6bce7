#include "runtime/completion.h"

#include <algorithm>
#include <utility>

#include "replicator/base/error.h"

namespace replicator {

std::string ExecutionName(int64_t execution, SourceLocation where, int64_t executions) {
  const std::string which =
      executions == 1 ? "step " + std::to_string(execution)
                      : "steps " + std::to_string(execution) + " to " + std::to_string(execution + executions - 1);
  return which + " of the step function built at " + ToString(where);
}

Completion::Completion(std::shared_ptr<const Program> program, int64_t execution, int64_t launch,
                       std::vector<pjrt::Event> done, std::optional<pjrt::HostCopy> flags)
    : program_(std::move(program)),
      execution_(execution),
      launch_(launch),
      done_(std::move(done)),
      flags_(std::move(flags)) {}

bool Completion::Poll() {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock()) return false;  // somebody is waiting for it
  if (resolved_) return true;
  const bool ready = std::all_of(done_.begin(), done_.end(), [](const pjrt::Event& event) { return event.IsReady(); });
  if (!ready || (flags_.has_value() && !flags_->IsReady())) return false;
  Resolve();
  return true;
}

void Completion::Await() {
  const std::lock_guard lock(mutex_);
  Resolve();
}

bool Completion::failed() {
  const std::lock_guard lock(mutex_);
  return failure_ != nullptr;
}

std::exception_ptr Completion::TakeReport() {
  const std::lock_guard lock(mutex_);
  if (std::exchange(reported_, true)) return nullptr;
  return failure_ != nullptr ? failure_ : not_finite_;
}

void Completion::Check() {
  const std::lock_guard lock(mutex_);
  Resolve();
  const bool reported = std::exchange(reported_, true);
  if (failure_ != nullptr) std::rethrow_exception(failure_);
  if (not_finite_ != nullptr && !reported) std::rethrow_exception(not_finite_);
}

void Completion::Resolve() {
  if (std::exchange(resolved_, true)) return;
  for (const pjrt::Event& event : done_) {
    try {
      event.Await();
    } catch (const Error& error) {
      if (failure_ == nullptr) {
        failure_ =
            std::make_exception_ptr(Error(error.code(), name() + " failed: " + error.message(), {program_->where}));
      }
    }
  }
  done_.clear();
  if (!flags_.has_value()) return;
  if (failure_ == nullptr) {
    const Literal flags = flags_->Get();
    const auto finite = flags.data<bool>();
    const auto bad = std::find(finite.begin(), finite.end(), false);
    if (bad != finite.end()) {
      const auto place = static_cast<size_t>(bad - finite.begin());
      const auto& variable = program_->updates[place % program_->updates.size()]->options;
      const auto execution = execution_ + static_cast<int64_t>(place / program_->updates.size());
      not_finite_ = std::make_exception_ptr(
          Error(ErrorCode::kAborted,
                ExecutionName(execution, program_->where) + " would have made the variable '" + variable.name +
                    "' infinite or NaN; all variables keep the values they had before it, and later steps can run",
                {program_->where}));
    }
  }
  flags_.reset();
}

}  // namespace replicator
