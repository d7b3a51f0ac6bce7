#include "replicator/nn/losses.h"

#include <limits>
#include <numeric>

#include "nn/check.h"
#include "replicator/ops/elementwise.h"
#include "replicator/ops/reduce.h"
#include "replicator/ops/shape.h"

namespace replicator::nn {
namespace {

Tensor Widen(const Operand& x) {
  const DType dtype = x.tensor().dtype();
  return dtype == DType::kF64 || dtype == DType::kF32 ? x.tensor() : Convert(x, DType::kF32);
}

Tensor MeanPerExample(const Tensor& x) {
  if (x.rank() == 1) return x;
  std::vector<int> axes(static_cast<size_t>(x.rank() - 1));
  std::iota(axes.begin(), axes.end(), 1);
  return ReduceMean(x, {.axes = axes});
}

void CheckPair(const char* op, const Operand& x, const Operand& y, bool holds, const char* rule) {
  if (!holds) throw GraphError(op, {x.tensor().shape(), y.tensor().shape()}, rule, CallSite::Chain(x.where()));
}

constexpr ReduceOptions OverClasses(bool keep_dims = false) { return {.axes = {{-1}}, .keep_dims = keep_dims}; }

}  // namespace

Tensor SoftmaxCrossEntropy(const Operand& logits, const Operand& labels, const SoftmaxCrossEntropyOptions& options) {
  CallSite site(logits.where());
  const Shape& shape = logits.tensor().shape();
  const Shape& label_shape = labels.tensor().shape();
  const char* op = "softmax_cross_entropy";
  CheckPair(op, logits, labels, IsFloating(shape.dtype) && shape.rank() >= 1 && shape.dims.back() >= 1,
            "logits must be a floating [..., classes] with at least one class");
  const bool by_number = IsInteger(label_shape.dtype);
  if (by_number) {
    CheckPair(op, logits, labels, label_shape.dims == Dims(shape.dims.begin(), shape.dims.end() - 1),
              "integer labels must have the extents of the logits without the last one");
  } else {
    CheckPair(op, logits, labels, label_shape == shape,
              "labels must be integers, one per example, or probabilities of the logits' dtype and shape");
  }
  const double smoothing = options.label_smoothing;
  CheckPair(op, logits, labels, smoothing >= 0 && smoothing < 1, "label_smoothing must be in [0, 1)");

  const Tensor wide = Widen(logits);
  const Tensor shifted = wide - StopGradient(ReduceMax(wide, OverClasses(/*keep_dims=*/true)));
  const Tensor log_sum = Log(ReduceSum(Exp(shifted), OverClasses()));
  const auto classes = shape.dims.back();
  Tensor loss;
  if (by_number) {
    // A selection, as 0 * -infinity would spoil the logit of a class that was excluded by -infinity.
    const Tensor numbers = ByteSize(label_shape.dtype) < 4 ? Convert(labels, DType::kI32) : labels.tensor();
    const Tensor is_label = Equal(Iota({numbers.dtype(), shape.dims}, -1), ExpandDims(numbers, -1));
    loss = log_sum - ReduceSum(Select(is_label, shifted, 0.0), OverClasses());
    if (smoothing > 0) {
      loss = loss * (1 - smoothing) + (log_sum - ReduceMean(shifted, OverClasses())) * smoothing;
    }
    const Tensor is_class = ReduceAny(is_label, OverClasses());
    loss = Select(is_class, loss, std::numeric_limits<double>::quiet_NaN());
  } else {
    Tensor target = Widen(labels);
    if (smoothing > 0) target = target * (1 - smoothing) + smoothing / static_cast<double>(classes);
    loss = ReduceSum(target * (ExpandDims(log_sum, -1) - shifted), OverClasses());
  }
  return loss;
}

Tensor BinaryCrossEntropy(const Operand& logits, const Operand& labels) {
  CallSite site(logits.where());
  const Shape& shape = logits.tensor().shape();
  CheckPair("binary_cross_entropy", logits, labels,
            IsFloating(shape.dtype) && shape.rank() >= 1 && labels.tensor().dims() == shape.dims,
            "logits must be floating [examples, ...], and labels have the same extents");
  const Tensor z = Widen(logits);
  const Tensor y = Convert(labels, z.dtype());
  return MeanPerExample(Maximum(z, 0.0) - z * y + Log1p(Exp(-Abs(z))));
}

Tensor MeanSquaredError(const Operand& predictions, const Operand& targets) {
  CallSite site(predictions.where());
  const Shape& shape = predictions.tensor().shape();
  CheckPair("mean_squared_error", predictions, targets,
            IsFloating(shape.dtype) && shape.rank() >= 1 && targets.tensor().shape() == shape,
            "both must be floating [examples, ...] of the same dtype and extents");
  return MeanPerExample(Square(Widen(predictions) - Widen(targets)));
}

}  // namespace replicator::nn
