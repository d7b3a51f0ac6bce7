#include "runtime/host_reduce.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

namespace replicator {
namespace {

template <typename T>
constexpr bool kFloating = IsFloating(DTypeOf<T>());

// The type to accumulate in. Unsigned arithmetic wraps, as the devices' does.
template <typename T>
using Wide = std::conditional_t<kFloating<T>, double, uint64_t>;

template <typename T>
T Sum(std::span<const T> column) {
  Wide<T> sum = 0;
  for (T value : column) sum += ConvertElement<Wide<T>>(value);
  return ConvertElement<T>(sum);
}

template <typename T>
T Mean(std::span<const T> column) {
  const auto count = static_cast<double>(column.size());
  if constexpr (kFloating<T>) {
    double sum = 0;
    for (T value : column) sum += ConvertElement<double>(value);
    return ConvertElement<T>(sum / count);
  } else {
    // Differences from the first value, so that equal values of any size give themselves.
    double sum = 0;
    for (T value : column) sum += static_cast<double>(static_cast<int64_t>(value - column[0]));
    return static_cast<T>(column[0] + static_cast<T>(std::llround(sum / count)));
  }
}

template <typename T, typename Better>
T Best(std::span<const T> column, Better better) {
  using Key = std::conditional_t<kFloating<T>, double, T>;
  T best = column[0];
  for (T value : column) {
    const auto key = ConvertElement<Key>(value);
    if constexpr (kFloating<T>) {
      if (std::isnan(key)) return value;
    }
    if (better(key, ConvertElement<Key>(best))) best = value;
  }
  return best;
}

template <typename T>
T ReduceColumn(std::span<const T> column, ReduceOp op) {
  switch (op) {
    case ReduceOp::kSum:
      return Sum(column);
    case ReduceOp::kMean:
      return Mean(column);
    case ReduceOp::kMin:
      return Best(column, [](auto a, auto b) { return a < b; });
    case ReduceOp::kMax:
      return Best(column, [](auto a, auto b) { return a > b; });
    case ReduceOp::kOnlyFirstReplica:
      break;
  }
  return column[0];
}

double SumOfFloating(std::span<const Literal> values) {
  double sum = 0;
  for (const Literal& value : values) {
    VisitDType(value.dtype(), [&]<typename T>() {
      for (T element : value.data<T>()) sum += ConvertElement<double>(element);
    });
  }
  return sum;
}

}  // namespace

Literal ReduceOverReplicas(std::span<const Literal> values, ReduceOp op) {
  if (op == ReduceOp::kOnlyFirstReplica) return values[0];
  Literal result = Literal::Uninitialized(values[0].shape());
  VisitDType(result.dtype(), [&]<typename T>() {
    std::span<T> out = result.mutable_data<T>();
    std::vector<std::span<const T>> in;
    for (const Literal& value : values) in.push_back(value.data<T>());
    // Not std::vector<T>, which packs bools.
    const auto column = std::make_unique<T[]>(in.size());
    for (size_t i = 0; i < out.size(); ++i) {
      for (size_t r = 0; r < in.size(); ++r) column[r] = in[r][i];
      out[i] = ReduceColumn<T>({column.get(), in.size()}, op);
    }
  });
  return result;
}

ReduceOp AggregateOp(Aggregation aggregation) {
  switch (aggregation) {
    case Aggregation::kSum:
      return ReduceOp::kSum;
    case Aggregation::kMean:
      return ReduceOp::kMean;
    case Aggregation::kNone:
    case Aggregation::kOnlyFirstReplica:
      break;
  }
  return ReduceOp::kOnlyFirstReplica;
}

Literal SumOverEverything(std::span<const Literal> values) {
  const DType dtype = values[0].dtype();
  if (IsFloating(dtype)) return Literal::Scalar(SumOfFloating(values)).ConvertTo(dtype);
  uint64_t sum = 0;
  for (const Literal& value : values) {
    VisitDType(dtype, [&]<typename T>() {
      for (T element : value.data<T>()) sum += ConvertElement<uint64_t>(element);
    });
  }
  if (IsUnsigned(dtype)) return Literal::Scalar(sum);
  return Literal::Scalar(static_cast<int64_t>(sum));
}

Literal MeanOverEverything(std::span<const Literal> values) {
  const DType dtype = values[0].dtype();
  const auto count = static_cast<double>(values[0].num_elements() * static_cast<int64_t>(values.size()));
  const Literal mean = Literal::Scalar(SumOfFloating(values) / count);
  return IsFloating(dtype) ? mean.ConvertTo(dtype) : mean;
}

}  // namespace replicator
