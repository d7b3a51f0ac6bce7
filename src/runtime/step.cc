#include "runtime/step.h"

#include <algorithm>
#include <utility>

namespace replicator {

Engine::Step::Step(std::vector<std::vector<pjrt::Buffer>> outputs, std::shared_ptr<Completion> completion)
    : completion_(std::move(completion)) {
  outputs_.reserve(outputs.size());
  for (auto& replicas : outputs) {
    auto& slots = outputs_.emplace_back();
    for (pjrt::Buffer& buffer : replicas) slots.emplace_back(std::move(buffer));
  }
}

void Engine::Step::Wait() {
  for (const auto& execution : executions_) execution->Wait();
  if (completion_ != nullptr) completion_->Check();
}

Literal Engine::Step::Stacked(int output, int replica) {
  Wait();
  std::vector<Literal> rows;
  for (const auto& execution : executions_) rows.push_back(execution->Output(output, replica));
  Shape shape = rows[0].shape();
  shape.dims.insert(shape.dims.begin(), static_cast<int64_t>(rows.size()));
  Literal stacked = Literal::Uninitialized(shape);
  std::byte* at = stacked.mutable_bytes();
  for (const Literal& row : rows) at = std::copy_n(row.bytes(), row.byte_size(), at);
  return stacked;
}

Literal Engine::Step::Output(int output, int replica) {
  if (!executions_.empty()) return Stacked(output, replica);
  completion_->Check();
  const std::lock_guard lock(mutex_);
  auto& replicas = outputs_[static_cast<size_t>(output)];
  Slot& slot = replicas[std::min(static_cast<size_t>(replica), replicas.size() - 1)];
  if (auto* buffer = std::get_if<pjrt::Buffer>(&slot)) slot = pjrt::TakeLiteral(std::move(*buffer));
  return std::get<Literal>(slot);
}

}  // namespace replicator
