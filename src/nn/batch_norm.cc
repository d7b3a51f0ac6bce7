#include "replicator/nn/batch_norm.h"

#include <algorithm>

#include "nn/check.h"
#include "ops/push.h"
#include "replicator/ops/collectives.h"
#include "replicator/ops/elementwise.h"
#include "replicator/ops/reduce.h"
#include "replicator/ops/shape.h"

namespace replicator::nn {
namespace {

// The statistics of each feature, [C]. The mean is `pivot` + `mean`, where `pivot` is the mean up to rounding.
struct Statistics {
  Tensor pivot;
  Tensor shifted;  // x - pivot
  Tensor mean;     // of `shifted`
  Tensor variance;
  double count;  // of elements in each
};

// x = pivot + shifted exactly, as pivot is within a factor of two of x wherever rounding matters; and the mean of
// `shifted` is so small that mean(shifted^2) - mean(shifted)^2 cancels nothing. Nothing depends on the pivot, so no
// gradient flows through it.
Statistics StatisticsOf(const Tensor& x, bool over_replicas) {
  std::vector<int> axes(static_cast<size_t>(x.rank() - 1));
  for (size_t i = 0; i < axes.size(); ++i) axes[i] = static_cast<int>(i);
  const auto mean = [&](const Tensor& values) { return ReduceMean(values, {.axes = axes}); };

  Statistics statistics;
  const Tensor estimate = StopGradient(mean(x));
  statistics.pivot = over_replicas ? StopGradient(AllMean(estimate)) : estimate;
  statistics.shifted = x - statistics.pivot;
  statistics.mean = mean(statistics.shifted);
  Tensor square = mean(Square(statistics.shifted));
  const int64_t count = x.shape().num_elements() / x.dim(-1);
  statistics.count = static_cast<double>(count);
  if (over_replicas) {
    const int64_t features = x.dim(-1);
    const Tensor both = AllMean(Concatenate({statistics.mean, square}, 0));
    statistics.mean = Slice(both, {0}, {features});
    square = Slice(both, {features}, {2 * features});
    statistics.count *= ReplicaContext::Current().num_replicas();
  }
  statistics.variance = square - Square(statistics.mean);
  return statistics;
}

void UpdateMoving(const Variable& moving, const Tensor& value, double momentum) {
  moving.Assign(moving * momentum + Push(StopGradient(value), ReduceOp::kMean) * (1 - momentum));
}

}  // namespace

BatchNorm::BatchNorm(BatchNormOptions options) : Module(options.name), options_(std::move(options)) {
  if (!(options_.momentum >= 0 && options_.momentum <= 1)) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("BatchNorm: momentum = {}; it must be in [0, 1]", options_.momentum));
  }
  if (!(options_.epsilon > 0)) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("BatchNorm: epsilon = {}; it must be positive", options_.epsilon));
  }
}

Tensor BatchNorm::operator()(const Operand& x, std::optional<Mode> mode) const {
  Scope scope(*this, x.where());
  const Shape& input = x.tensor().shape();
  Check(IsFloating(input.dtype) && input.rank() >= 2, path(), x,
        "batch normalisation needs a floating [examples, ..., features]");
  const DType dtype = input.dtype == DType::kF64 ? DType::kF64 : DType::kF32;
  const Shape shape{dtype, {input.dims.back()}};
  const Aggregation aggregation = options_.scope == BatchNormScope::kGlobal ? Aggregation::kNone : Aggregation::kMean;

  std::optional<Variable> gamma, beta;
  if (options_.use_scale) gamma = Parameter("gamma", shape, init::Ones());
  if (options_.use_offset) beta = Parameter("beta", shape, init::Zeros());
  const ParameterOptions moving{.trainable = false, .aggregation = aggregation};
  const Variable moving_mean = Parameter("moving_mean", shape, init::Zeros(), moving);
  const Variable moving_variance = Parameter("moving_variance", shape, init::Ones(), moving);

  const Tensor wide = Convert(x, dtype);
  Tensor shifted, mean, variance;
  if (mode.value_or(ReplicaContext::Current(x.where()).mode()) == Mode::kTrain) {
    Check(input.num_elements() > 0, path(), x, "a batch without elements has no statistics to train with");
    const bool over_replicas = options_.scope == BatchNormScope::kGlobal && wide.typing() == Typing::kVarying;
    const Statistics statistics = StatisticsOf(wide, over_replicas);
    shifted = statistics.shifted;
    mean = statistics.mean;
    variance = statistics.variance;
    UpdateMoving(moving_mean, statistics.pivot + mean, options_.momentum);
    UpdateMoving(moving_variance, variance * (statistics.count / std::max(statistics.count - 1, 1.0)),
                 options_.momentum);
  } else {
    shifted = wide - moving_mean;
    variance = moving_variance.Read();
  }
  // One multiplication and one addition per element, so that the gradient needs two sums over the batch: those of the
  // result's gradient g and of g * shifted.
  Tensor scale = Rsqrt(variance + options_.epsilon);
  if (gamma) scale = scale * *gamma;
  Tensor y = shifted * scale;
  if (mean.defined()) {
    const Tensor offset = mean * scale;
    y = beta ? y + (*beta - offset) : y - offset;
  } else if (beta) {
    y = y + *beta;
  }
  return Convert(y, input.dtype);
}

}  // namespace replicator::nn
