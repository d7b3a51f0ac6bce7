#include "runtime/variable_store.h"

#include <utility>

#include "replicator/base/error.h"

namespace replicator {

VariableStore::Slot& VariableStore::At(const std::shared_ptr<const VariableDef>& def) {
  if (Slot* slot = Find(*def)) return *slot;
  const auto index = static_cast<size_t>(def->index);
  if (by_index_.size() <= index) by_index_.resize(index + 1, nullptr);
  by_index_[index] = &slots_.emplace_back(Slot{.def = def});
  return *by_index_[index];
}

VariableStore::Slot* VariableStore::Find(const VariableDef& def) {
  const auto index = static_cast<size_t>(def.index);
  Slot* slot = index < by_index_.size() ? by_index_[index] : nullptr;
  if (slot == nullptr || slot->def.get() == &def) return slot;
  throw Error(ErrorCode::kInvalidArgument, "the variable '" + def.options.name + "' belongs to another replicator",
              def.where);
}

void VariableStore::Set(Slot& slot, const Literal& value) {
  Set(slot, std::vector<Literal>(static_cast<size_t>(num_replicas()), value));
}

void VariableStore::Set(Slot& slot, const std::vector<Literal>& values) {
  std::vector<pjrt::Buffer> buffers;
  for (size_t r = 0; r < values.size(); ++r) {
    buffers.push_back(grid_.client()->Put(values[r], grid_.At(static_cast<int>(r), slot.def->logical_device)));
  }
  Install(slot, std::move(buffers));
}

void VariableStore::SetFrom(Slot& slot, pjrt::Buffer value) {
  std::vector<pjrt::Buffer> buffers(1);
  for (int r = 1; r < num_replicas(); ++r) {
    buffers.push_back(value.CopyTo(grid_.At(r, slot.def->logical_device)));
  }
  buffers[0] = std::move(value);
  Install(slot, std::move(buffers));
}

void VariableStore::Install(Slot& slot, std::vector<pjrt::Buffer> values) {
  if (slot.values.empty()) {
    slot.values = std::move(values);
  } else {
    for (int r = 0; r < num_replicas(); ++r) Replace(slot, r, values[static_cast<size_t>(r)]);
  }
  slot.computed_by = 0;
  slot.lost.clear();
}

void VariableStore::Replace(Slot& slot, int replica, pjrt::Buffer& value) {
  const auto r = static_cast<size_t>(replica);
  std::swap(slot.values[r], value);
  if (const auto version = slot.version.lock()) version->retired.push_back(std::move(value));
  if (r + 1 == slot.values.size()) slot.version.reset();
}

void VariableStore::MarkLost(Slot& slot, int64_t launch, const std::string& name) {
  if (slot.computed_by >= launch && slot.lost.empty()) slot.lost = name;
}

void VariableStore::CheckNotLost(const Slot& slot) {
  if (slot.lost.empty()) return;
  throw Error(ErrorCode::kFailedPrecondition,
              "the value of the variable '" + slot.def->options.name + "' was lost when " + slot.lost +
                  " failed; restore it from a checkpoint, or write it",
              slot.def->where);
}

std::shared_ptr<VariableStore::Version> VariableStore::Hold(Slot& slot) {
  CheckNotLost(slot);
  std::shared_ptr<Version> version = slot.version.lock();
  if (version == nullptr) slot.version = version = std::make_shared<Version>();
  return version;
}

void VariableStore::AddBytes(std::vector<size_t>& bytes_of_device) const {
  for (const Slot& slot : slots_) {
    for (const pjrt::Buffer& value : slot.values) {
      bytes_of_device[static_cast<size_t>(value.device().index())] += value.OnDeviceSize();
    }
  }
}

}  // namespace replicator
