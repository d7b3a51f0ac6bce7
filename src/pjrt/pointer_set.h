// A set for a few hundred pointers, at a few nanoseconds each.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace replicator::pjrt {

class PointerSet {
 public:
  // Empties the set and makes room for `capacity` pointers; allocates only when there was less room before.
  void Clear(size_t capacity) { table_.assign(std::bit_ceil(2 * capacity + 1), nullptr); }
  // False when it was there already. Not null, and not more than there is room for.
  bool Insert(const void* pointer) {
    const void*& slot = table_[Slot(pointer)];
    if (slot == pointer) return false;
    slot = pointer;
    return true;
  }
  bool Contains(const void* pointer) const { return table_[Slot(pointer)] == pointer; }

 private:
  // Where `pointer` is or would go: open addressing, at most half full.
  size_t Slot(const void* pointer) const {
    const size_t mask = table_.size() - 1;
    size_t slot = (((reinterpret_cast<uintptr_t>(pointer) >> 4) * 0x9e3779b97f4a7c15u) >> 32) & mask;
    while (table_[slot] != nullptr && table_[slot] != pointer) slot = (slot + 1) & mask;
    return slot;
  }

  std::vector<const void*> table_;
};

}  // namespace replicator::pjrt
