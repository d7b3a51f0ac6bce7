// The programs that compute a convolution and its two gradients. For each of the three there is a direct form and
// faster ones for some shapes on XLA:CPU; all forms of one operation compute the same sums.
#pragma once

#include <array>

#include "graph/emitter.h"
#include "ops/window.h"

namespace replicator {

// y = Convolution(x, filter).
struct ConvolutionGeometry {
  DType dtype = DType::kF32;
  int64_t batch = 0, in_channels = 0, out_channels = 0;
  std::array<WindowAxis, 2> axes;  // height, width

  int64_t taps() const { return axes[0].window * axes[1].window; }
  Shape x() const { return {dtype, {batch, axes[0].extent, axes[1].extent, in_channels}}; }
  Shape filter() const { return {dtype, {axes[0].window, axes[1].window, in_channels, out_channels}}; }
  Shape y() const { return {dtype, {batch, axes[0].count(), axes[1].count(), out_channels}}; }
};

using ConvolutionForm = SsaValue (*)(const ConvolutionGeometry&, const SsaValue&, const SsaValue&, Emitter&);

// x, filter -> y
SsaValue DirectConvolution(const ConvolutionGeometry&, const SsaValue& x, const SsaValue& filter, Emitter&);
SsaValue PointwiseConvolution(const ConvolutionGeometry&, const SsaValue& x, const SsaValue& filter, Emitter&);
SsaValue TapConvolution(const ConvolutionGeometry&, const SsaValue& x, const SsaValue& filter, Emitter&);
// dy, filter -> dx
SsaValue DirectInputGradient(const ConvolutionGeometry&, const SsaValue& dy, const SsaValue& filter, Emitter&);
SsaValue PointwiseInputGradient(const ConvolutionGeometry&, const SsaValue& dy, const SsaValue& filter, Emitter&);
SsaValue ColumnInputGradient(const ConvolutionGeometry&, const SsaValue& dy, const SsaValue& filter, Emitter&);
SsaValue PhaseInputGradient(const ConvolutionGeometry&, const SsaValue& dy, const SsaValue& filter, Emitter&);
// x, dy -> dfilter
SsaValue DirectFilterGradient(const ConvolutionGeometry&, const SsaValue& x, const SsaValue& dy, Emitter&);
SsaValue PointwiseFilterGradient(const ConvolutionGeometry&, const SsaValue& x, const SsaValue& dy, Emitter&);
SsaValue PatchFilterGradient(const ConvolutionGeometry&, const SsaValue& x, const SsaValue& dy, Emitter&);

// The form to emit for a target.
ConvolutionForm ChooseConvolution(const ConvolutionGeometry& geometry, LoweringTarget target);
ConvolutionForm ChooseInputGradient(const ConvolutionGeometry& geometry, LoweringTarget target);
ConvolutionForm ChooseFilterGradient(const ConvolutionGeometry& geometry, LoweringTarget target);

// What a direct form emits: stablehlo.convolution, no groups. `dimension_numbers` is the inside of
// #stablehlo.conv<...>.
struct ConvolutionWindow {
  Dims strides = {1, 1};
  std::vector<std::pair<int64_t, int64_t>> padding = {{0, 0}, {0, 0}};
  Dims lhs_dilation = {1, 1};
  Dims rhs_dilation = {1, 1};
};
SsaValue EmitConvolution(Emitter& emitter, const SsaValue& lhs, const SsaValue& rhs, const Shape& result,
                         const ConvolutionWindow& window, std::string_view dimension_numbers);
// The only layout that XLA:CPU computes fast inside a loop or a branch.
inline constexpr std::string_view kCanonicalLayout = "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]";

}  // namespace replicator
