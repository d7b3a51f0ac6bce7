#include "replicator/nn/dropout.h"

#include "nn/check.h"
#include "replicator/ops/elementwise.h"
#include "replicator/ops/random.h"
#include "replicator/ops/shape.h"

namespace replicator::nn {

Dropout::Dropout(DropoutOptions options) : Module(std::move(options.name)), rate_(options.rate) {
  if (rate_ >= 0 && rate_ <= 1) return;
  throw Error(ErrorCode::kInvalidArgument, fmt::format("Dropout: rate = {}; it must be in [0, 1]", rate_));
}

Tensor Dropout::operator()(const Operand& x, std::optional<Mode> mode) const {
  Scope scope(*this, x.where());
  const Tensor& tensor = x.tensor();
  Check(IsFloating(tensor.dtype()), path(), x, "dropout needs a floating type");
  if (mode.value_or(ReplicaContext::Current(x.where()).mode()) == Mode::kEval || rate_ == 0) return tensor;
  if (rate_ == 1) return ZerosLike(x);
  const Tensor keep = RandomBernoulli(tensor.dims(), 1 - rate_, {.typing = tensor.typing()}, x.where());
  return Select(keep, x * (1 / (1 - rate_)), 0.0);
}

}  // namespace replicator::nn
