#include "ops/convolution_oracle.h"

#include <functional>

#include "ops/tabulate.h"

namespace replicator {
namespace {

// Calls `visit` with the positions in x, the filter and y of every product of the convolution's sums. Written out from
// the formula in replicator/ops/convolution.h, without the library's window arithmetic.
void ForEachProduct(const Dims& x, const Dims& filter, const Dims& y, const Attributes& attributes,
                    const std::function<void(size_t x, size_t filter, size_t y)>& visit) {
  const Dims& strides = attributes.Ints("strides");
  const Dims& padding = attributes.Ints("padding");
  const Dims& dilation = attributes.Ints("dilation");
  ForEachIndex(y, [&](const Dims& out) {
    ForEachIndex(filter, [&](const Dims& tap) {
      if (tap[3] != out[3]) return;
      const int64_t row = out[1] * strides[0] + tap[0] * dilation[0] - padding[0];
      const int64_t column = out[2] * strides[1] + tap[1] * dilation[1] - padding[2];
      if (row < 0 || row >= x[1] || column < 0 || column >= x[2]) return;
      visit(Position(x, {out[0], row, column, tap[2]}), Position(filter, tap), Position(y, out));
    });
  });
}

int64_t OutExtent(int64_t extent, int64_t window, size_t axis, const Attributes& attributes) {
  const Dims& padding = attributes.Ints("padding");
  const int64_t stride = attributes.Ints("strides")[axis];
  const int64_t free =
      extent + padding[2 * axis] + padding[2 * axis + 1] - ((window - 1) * attributes.Ints("dilation")[axis] + 1);
  int64_t count = 0;
  for (int64_t start = 0; start <= free; start += stride) ++count;
  return count;
}

Literal Zeros64(Dims dims) { return Literal(Shape{DType::kF64, std::move(dims)}); }

}  // namespace

std::vector<Literal> ConvolutionOracle(std::span<const Literal> operands, const Attributes& attributes) {
  const Dims& x = operands[0].dims();
  const Dims& filter = operands[1].dims();
  Literal y =
      Zeros64({x[0], OutExtent(x[1], filter[0], 0, attributes), OutExtent(x[2], filter[1], 1, attributes), filter[3]});
  const std::vector<double> image = operands[0].ToDoubles(), weights = operands[1].ToDoubles();
  const std::span<double> out = y.mutable_data<double>();
  ForEachProduct(x, filter, y.dims(), attributes,
                 [&](size_t i, size_t f, size_t o) { out[o] += image[i] * weights[f]; });
  return {y.ConvertTo(operands[0].dtype())};
}

std::vector<Literal> ConvolutionInputGradientOracle(std::span<const Literal> operands, const Attributes& attributes) {
  const Dims& y = operands[0].dims();
  const Dims& filter = operands[1].dims();
  const Dims& extents = attributes.Ints("extents");
  Literal dx = Zeros64({y[0], extents[0], extents[1], filter[2]});
  const std::vector<double> dy = operands[0].ToDoubles(), weights = operands[1].ToDoubles();
  const std::span<double> out = dx.mutable_data<double>();
  ForEachProduct(dx.dims(), filter, y, attributes, [&](size_t i, size_t f, size_t o) { out[i] += dy[o] * weights[f]; });
  return {dx.ConvertTo(operands[0].dtype())};
}

std::vector<Literal> ConvolutionFilterGradientOracle(std::span<const Literal> operands, const Attributes& attributes) {
  const Dims& x = operands[0].dims();
  const Dims& y = operands[1].dims();
  const Dims& extents = attributes.Ints("extents");
  Literal dfilter = Zeros64({extents[0], extents[1], x[3], y[3]});
  const std::vector<double> image = operands[0].ToDoubles(), dy = operands[1].ToDoubles();
  const std::span<double> out = dfilter.mutable_data<double>();
  ForEachProduct(x, dfilter.dims(), y, attributes, [&](size_t i, size_t f, size_t o) { out[f] += image[i] * dy[o]; });
  return {dfilter.ConvertTo(operands[0].dtype())};
}

}  // namespace replicator
