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

Literal Engine::Step::Output(int output, int replica) {
  completion_->Check();
  const std::lock_guard lock(mutex_);
  auto& replicas = outputs_[static_cast<size_t>(output)];
  Slot& slot = replicas[std::min(static_cast<size_t>(replica), replicas.size() - 1)];
  if (auto* buffer = std::get_if<pjrt::Buffer>(&slot)) slot = pjrt::TakeLiteral(std::move(*buffer));
  return std::get<Literal>(slot);
}

}  // namespace replicator
