// The programs that compute pooling and its gradients.
#pragma once

#include <array>

#include "graph/emitter.h"
#include "ops/window.h"

namespace replicator {

struct PoolGeometry {
  DType dtype = DType::kF32;
  int64_t batch = 0, channels = 0;
  std::array<WindowAxis, 2> axes;  // height, width

  Shape x() const { return {dtype, {batch, axes[0].extent, axes[1].extent, channels}}; }
  Shape y() const { return {dtype, {batch, axes[0].count(), axes[1].count(), channels}}; }
};

SsaValue EmitMaxPool(const PoolGeometry&, const SsaValue& x, Emitter&);
// x, dy -> dx: dy of each window at its first maximum, row by row.
SsaValue EmitMaxPoolGradient(const PoolGeometry&, const SsaValue& x, const SsaValue& dy, Emitter&);
// x, u -> u at the first maximum of x in each window.
SsaValue EmitMaxPoolGather(const PoolGeometry&, const SsaValue& x, const SsaValue& u, Emitter&);
SsaValue EmitSumPool(const PoolGeometry&, const SsaValue& x, Emitter&);
// dy -> dx
SsaValue EmitSumPoolGradient(const PoolGeometry&, const SsaValue& dy, Emitter&);

}  // namespace replicator
