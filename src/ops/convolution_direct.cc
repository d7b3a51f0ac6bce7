// The direct forms: one stablehlo.convolution each.
//
// XLA:CPU brings the operands of a convolution into the order that its fast kernel needs, but not inside a loop or a
// branch, where a gradient with exchanged axes is about 50 times slower. So for it the axes are exchanged by explicit
// transposes. Other compilers choose layouts themselves and recognise gradients by their exchanged axes.
#include <fmt/format.h>

#include "ops/convolution_forms.h"
#include "ops/emit.h"

namespace replicator {

SsaValue EmitConvolution(Emitter& emitter, const SsaValue& lhs, const SsaValue& rhs, const Shape& result,
                         const ConvolutionWindow& window, std::string_view dimension_numbers) {
  const std::string attributes = fmt::format(
      "dimension_numbers = #stablehlo.conv<{}>, window_strides = {}, padding = {}, lhs_dilation = {}, rhs_dilation = "
      "{}, "
      "feature_group_count = 1 : i64, batch_group_count = 1 : i64",
      dimension_numbers, MlirArray(window.strides), MlirPairs(window.padding), MlirArray(window.lhs_dilation),
      MlirArray(window.rhs_dilation));
  return emitter.Emit("stablehlo.convolution", {lhs, rhs}, attributes, result);
}

SsaValue DirectConvolution(const ConvolutionGeometry& g, const SsaValue& x, const SsaValue& filter, Emitter& emitter) {
  ConvolutionWindow window;
  for (size_t i = 0; i < 2; ++i) {
    const WindowAxis& axis = g.axes[i];
    window.strides[i] = axis.stride;
    window.padding[i] = {axis.low, axis.high};
    window.rhs_dilation[i] = axis.dilation;
  }
  return EmitConvolution(emitter, x, filter, g.y(), window, kCanonicalLayout);
}

// dx is dy, spread out by the stride, convolved with the reversed filter.
SsaValue DirectInputGradient(const ConvolutionGeometry& g, const SsaValue& dy, const SsaValue& filter,
                             Emitter& emitter) {
  ConvolutionWindow window;
  for (size_t i = 0; i < 2; ++i) {
    const WindowAxis& axis = g.axes[i];
    const int64_t spread = (axis.count() - 1) * axis.stride + 1;
    const int64_t low = axis.reach() - 1 - axis.low;
    window.padding[i] = {low, axis.extent + axis.reach() - 1 - spread - low};
    window.lhs_dilation[i] = axis.stride;
    window.rhs_dilation[i] = axis.dilation;
  }
  const SsaValue reversed = EmitReverse(emitter, filter, {0, 1});
  if (emitter.target() != LoweringTarget::kCpu) {
    return EmitConvolution(emitter, dy, reversed, g.x(), window, "[b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f]");
  }
  return EmitConvolution(emitter, dy, EmitTranspose(emitter, reversed, {0, 1, 3, 2}), g.x(), window, kCanonicalLayout);
}

// The filter's gradient is x convolved with dy, spread out by the stride: channels take the place of the batch, and the
// batch that of the channels.
SsaValue DirectFilterGradient(const ConvolutionGeometry& g, const SsaValue& x, const SsaValue& dy, Emitter& emitter) {
  ConvolutionWindow window;
  for (size_t i = 0; i < 2; ++i) {
    const WindowAxis& axis = g.axes[i];
    const int64_t used = (axis.count() - 1) * axis.stride + axis.reach();
    window.strides[i] = axis.dilation;
    window.padding[i] = {axis.low, used - axis.extent - axis.low};
    window.rhs_dilation[i] = axis.stride;
  }
  if (emitter.target() != LoweringTarget::kCpu) {
    return EmitConvolution(emitter, x, dy, g.filter(), window, "[f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f]");
  }
  const Shape result{g.dtype, {g.in_channels, g.axes[0].window, g.axes[1].window, g.out_channels}};
  const SsaValue gradient = EmitConvolution(emitter, EmitTranspose(emitter, x, {3, 1, 2, 0}),
                                            EmitTranspose(emitter, dy, {1, 2, 0, 3}), result, window, kCanonicalLayout);
  return EmitTranspose(emitter, gradient, {1, 2, 0, 3});
}

}  // namespace replicator
