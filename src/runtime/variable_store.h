// The variables' values, each on one logical device of every replica.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "pjrt/buffer.h"
#include "replicator/graph/variable.h"
#include "runtime/device_grid.h"

namespace replicator {

// Not thread-safe: the engine's mutex guards it.
class VariableStore {
 public:
  // Held by those who read one version of a variable, the values between two replacements: while it lives they are
  // neither donated nor freed. May be dropped in any thread, without the engine's mutex.
  struct Version {
    std::vector<pjrt::Buffer> retired;  // its values, once they have been replaced
  };

  // One variable. Its address, and those of its buffers, last as long as the store.
  struct Slot {
    std::shared_ptr<const VariableDef> def;
    std::vector<pjrt::Buffer> values;  // by replica; empty before the first value
    int64_t computed_by = 0;           // the launch whose result it is, counted by the engine; 0: came from the host
    std::string lost;                  // the execution that failed and took the value with it; empty: none did
    std::weak_ptr<Version> version;    // of the present values; expired: nobody reads them

    bool being_read() const { return !version.expired(); }
    bool has_value() const { return !values.empty() && lost.empty(); }
  };

  explicit VariableStore(DeviceGrid grid) : grid_(std::move(grid)) {}

  const DeviceGrid& grid() const { return grid_; }
  int num_replicas() const { return grid_.num_replicas(); }
  // The variable's slot, made when it is first asked for.
  Slot& At(const std::shared_ptr<const VariableDef>& def);
  Slot* Find(const VariableDef& def);  // null if there is none

  // One value for all replicas, or one for each. Shape and dtype must be the variable's.
  void Set(Slot& slot, const Literal& value);
  void Set(Slot& slot, const std::vector<Literal>& values);
  // Copies a value that has been computed on replica 0's device for the variable to all replicas.
  void SetFrom(Slot& slot, pjrt::Buffer value);
  // The result of a launch in place of one replica's value; to be called for each replica, in order. The old buffer
  // goes to those who read it; if there are none it is swapped into `value`.
  static void Replace(Slot& slot, int replica, pjrt::Buffer& value);

  // The execution named `name`, launch number `launch`, failed: what it or a later one has computed is lost.
  static void MarkLost(Slot& slot, int64_t launch, const std::string& name);
  // Throws Error(kFailedPrecondition) if the value is lost.
  static void CheckNotLost(const Slot& slot);

  // For a reader of the present values. Throws as CheckNotLost.
  static std::shared_ptr<Version> Hold(Slot& slot);

  // Adds what all values occupy, by device of the client.
  void AddBytes(std::vector<size_t>& bytes_of_device) const;

 private:
  void Install(Slot& slot, std::vector<pjrt::Buffer> values);

  const DeviceGrid grid_;
  std::deque<Slot> slots_;       // never moves its elements
  std::vector<Slot*> by_index_;  // by VariableDef::index; null: not asked for yet
};

}  // namespace replicator
