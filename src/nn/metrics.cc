#include "replicator/nn/metrics.h"

#include "nn/check.h"
#include "replicator/graph/replica_context.h"
#include "replicator/ops/collectives.h"
#include "replicator/ops/elementwise.h"
#include "replicator/ops/reduce.h"
#include "replicator/ops/shape.h"

namespace replicator::nn {
namespace {

Tensor SumOverReplicas(const Tensor& x) {
  return x.typing() == Typing::kVarying ? AllSum(x) : x * ReplicaContext::Current().num_replicas();
}

}  // namespace

Metric Accuracy(const Operand& logits, const Operand& labels, const std::optional<Tensor>& mask) {
  CallSite site(logits.where());
  const Shape& shape = logits.tensor().shape();
  const Shape& label_shape = labels.tensor().shape();
  if (!(IsFloating(shape.dtype) && shape.rank() >= 1 && IsInteger(label_shape.dtype) &&
        label_shape.dims == Dims(shape.dims.begin(), shape.dims.end() - 1))) {
    throw GraphError("accuracy", {shape, label_shape},
                     "logits must be floating [..., classes], and labels integers [...]",
                     CallSite::Chain(logits.where()));
  }
  const Tensor is_right = Equal(Convert(ArgMax(logits), DType::kI64), Convert(labels, DType::kI64));
  return MeanOf(Convert(is_right, DType::kF32), mask);
}

Metric MeanOf(const Operand& values, const std::optional<Tensor>& mask) {
  CallSite site(values.where());
  const Shape& shape = values.tensor().shape();
  Check(IsFloating(shape.dtype), "mean_of", values, "values must be floating");
  const DType dtype = shape.dtype == DType::kF64 ? DType::kF64 : DType::kF32;
  const Tensor wide = Convert(values, dtype);
  if (mask && mask->shape() != Shape{DType::kBool, shape.dims}) {
    throw GraphError("mean_of", {shape, mask->shape()}, "the mask must be bool, with the extents of the values",
                     CallSite::Chain(values.where()));
  }
  Metric metric;
  metric.sum = ReduceSum(mask ? Select(*mask, wide, 0.0) : wide);
  metric.weight =
      mask ? ReduceSum(Convert(*mask, dtype)) : Full({dtype, {}}, static_cast<double>(shape.num_elements()));
  if (metric.sum.typing() != metric.weight.typing()) {
    metric.weight = metric.weight + Convert(ReplicaContext::Current().replica_id() * 0, dtype);
  }
  return metric;
}

Tensor GlobalMean(const Metric& metric, SourceLocation where) {
  CallSite site(where);
  return SumOverReplicas(metric.sum) / SumOverReplicas(metric.weight);
}

}  // namespace replicator::nn
