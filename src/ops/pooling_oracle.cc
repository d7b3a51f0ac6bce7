#include "ops/pooling_oracle.h"

#include <cmath>
#include <functional>

#include "ops/tabulate.h"

namespace replicator {
namespace {

// The extents of the pooled image.
Dims PooledDims(Dims x, const Attributes& attributes) {
  const Dims& padding = attributes.Ints("padding");
  for (size_t i = 0; i < 2; ++i) {
    const int64_t free = x[1 + i] + padding[2 * i] + padding[2 * i + 1] - attributes.Ints("window")[i];
    int64_t count = 0;
    for (int64_t start = 0; start <= free; start += attributes.Ints("strides")[i]) ++count;
    x[1 + i] = count;
  }
  return x;
}

// Calls `visit` with the position in x of every element of the window at `out`, row by row.
void ForEachInWindow(const Dims& x, const Dims& out, const Attributes& attributes,
                     const std::function<void(size_t)>& visit) {
  const Dims& strides = attributes.Ints("strides");
  const Dims& padding = attributes.Ints("padding");
  ForEachIndex(attributes.Ints("window"), [&](const Dims& tap) {
    const int64_t row = out[1] * strides[0] + tap[0] - padding[0];
    const int64_t column = out[2] * strides[1] + tap[1] - padding[2];
    if (row < 0 || row >= x[1] || column < 0 || column >= x[2]) return;
    visit(Position(x, {out[0], row, column, out[3]}));
  });
}

// Calls `visit` with the position of every window and that of its first maximum in x; a NaN counts as the maximum.
void ForEachMaximum(const Literal& x, const Attributes& attributes,
                    const std::function<void(size_t window, size_t maximum)>& visit) {
  const std::vector<double> values = x.ToDoubles();
  const Dims pooled = PooledDims(x.dims(), attributes);
  ForEachIndex(pooled, [&](const Dims& out) {
    bool any = false;
    size_t best = 0;
    ForEachInWindow(x.dims(), out, attributes, [&](size_t at) {
      const bool better = values[at] > values[best] || (std::isnan(values[at]) && !std::isnan(values[best]));
      if (!any || better) best = at;
      any = true;
    });
    visit(Position(pooled, out), best);
  });
}

}  // namespace

std::vector<Literal> MaxPoolOracle(std::span<const Literal> operands, const Attributes& attributes) {
  const Literal operands_twice[] = {operands[0], operands[0]};
  return MaxPoolGatherOracle(operands_twice, attributes);
}

std::vector<Literal> MaxPoolGradientOracle(std::span<const Literal> operands, const Attributes& attributes) {
  Literal dx(Shape{DType::kF64, operands[0].dims()});
  const std::vector<double> dy = operands[1].ToDoubles();
  const std::span<double> out = dx.mutable_data<double>();
  ForEachMaximum(operands[0], attributes, [&](size_t window, size_t maximum) { out[maximum] += dy[window]; });
  return {dx.ConvertTo(operands[0].dtype())};
}

std::vector<Literal> MaxPoolGatherOracle(std::span<const Literal> operands, const Attributes& attributes) {
  Literal y(Shape{DType::kF64, PooledDims(operands[0].dims(), attributes)});
  const std::vector<double> u = operands[1].ToDoubles();
  const std::span<double> out = y.mutable_data<double>();
  ForEachMaximum(operands[0], attributes, [&](size_t window, size_t maximum) { out[window] = u[maximum]; });
  return {y.ConvertTo(operands[0].dtype())};
}

std::vector<Literal> SumPoolOracle(std::span<const Literal> operands, const Attributes& attributes) {
  const Dims& x = operands[0].dims();
  Literal y(Shape{DType::kF64, PooledDims(x, attributes)});
  const std::vector<double> values = operands[0].ToDoubles();
  const std::span<double> out = y.mutable_data<double>();
  ForEachIndex(y.dims(), [&](const Dims& at) {
    ForEachInWindow(x, at, attributes, [&](size_t from) { out[Position(y.dims(), at)] += values[from]; });
  });
  return {y.ConvertTo(operands[0].dtype())};
}

std::vector<Literal> SumPoolGradientOracle(std::span<const Literal> operands, const Attributes& attributes) {
  const Dims& dy = operands[0].dims();
  const Dims& extents = attributes.Ints("extents");
  Literal dx(Shape{DType::kF64, {dy[0], extents[0], extents[1], dy[3]}});
  const std::vector<double> values = operands[0].ToDoubles();
  const std::span<double> out = dx.mutable_data<double>();
  ForEachIndex(dy, [&](const Dims& at) {
    ForEachInWindow(dx.dims(), at, attributes, [&](size_t to) { out[to] += values[Position(dy, at)]; });
  });
  return {dx.ConvertTo(operands[0].dtype())};
}

}  // namespace replicator
