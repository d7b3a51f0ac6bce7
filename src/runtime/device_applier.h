// Computes the next versions of an asynchronous engine's variables, on the store's device.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "replicate/split.h"
#include "runtime/async_step.h"
#include "runtime/completion.h"
#include "runtime/device_state.h"

namespace replicator {

class DeviceApplier final : public store::Applier {
 public:
  using Cells = std::vector<std::vector<std::shared_ptr<const VariableDef>>>;
  // Is told of each execution whose guard will say whether it was finite.
  using Watch = std::function<void(std::shared_ptr<Completion>)>;

  DeviceApplier(std::shared_ptr<pjrt::Client> client, Watch watch)
      : client_(std::move(client)), watch_(std::move(watch)) {}

  // Which variables each cell holds, in order; no step may be in flight.
  void SetCells(Cells cells) { cells_ = std::move(cells); }
  const Cells& cells() const { return cells_; }

  store::StateRef Apply(int cell, store::StateRef state, bool exclusive, std::span<const store::UpdateRef> updates,
                        double rate_scale) override;

 private:
  std::shared_ptr<DeviceState> NextVersion(const DeviceState& state, int cell,
                                           std::span<const store::UpdateRef> updates) const;

  const std::shared_ptr<pjrt::Client> client_;
  const Watch watch_;
  Cells cells_;
  int64_t launches_ = 0;
};

}  // namespace replicator
