// How sums are emitted.
#include "graph/emitter.h"
#include "ops/reduce_ops.h"

namespace replicator {

SsaValue EmitSum(const SsaValue& x, const Dims& axes, Emitter& emitter) {
  if (ByteSize(x.shape.dtype) == 2 && IsFloating(x.shape.dtype)) {
    const SsaValue wide = emitter.Emit("stablehlo.convert", {x}, "", Shape{DType::kF32, x.shape.dims});
    const SsaValue sum = EmitSum(wide, axes, emitter);
    return emitter.Emit("stablehlo.convert", {sum}, "", Shape{x.shape.dtype, sum.shape.dims});
  }
  return emitter.Reduce("stablehlo.add", x, 0, axes);
}

}  // namespace replicator
