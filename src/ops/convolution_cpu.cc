// Forms that are faster than the direct ones on XLA:CPU, and where each is. The bounds below were measured by
// benchmarks/convolution on two cores; outside them the direct form wins.
#include "ops/convolution_forms.h"
#include "ops/emit.h"

namespace replicator {
namespace {

int64_t Rows(const SsaValue& value) { return value.shape.num_elements() / value.shape.dims.back(); }

// [N, H, W, C] as a matrix of pixels by channels.
SsaValue Pixels(Emitter& emitter, const SsaValue& image) {
  return EmitReshape(emitter, image, {Rows(image), image.shape.dims.back()});
}

bool IsPointwise(const ConvolutionGeometry& g) { return g.taps() == 1; }

// So few products per output that a matrix product has too short an inner dimension to be fast.
bool HasFewProducts(const ConvolutionGeometry& g) { return g.in_channels <= 4 && g.taps() * g.in_channels <= 36; }

bool HasPhases(const ConvolutionGeometry& g) {
  for (const WindowAxis& axis : g.axes) {
    const bool fits = axis.stride == 2 && axis.dilation == 1 && axis.window >= 2 && axis.window <= 4;
    if (!fits) return false;
  }
  return g.in_channels >= 16;
}

}  // namespace

// A 1x1 window: the pixels that the stride leaves, times a matrix.
SsaValue PointwiseConvolution(const ConvolutionGeometry& g, const SsaValue& x, const SsaValue& filter,
                              Emitter& emitter) {
  const SsaValue taken = EmitTap(emitter, EmitPadding(emitter, x, 1, g.axes, 0), 1, g.axes, {0, 0});
  const SsaValue matrix = EmitReshape(emitter, filter, {g.in_channels, g.out_channels});
  return EmitReshape(emitter, EmitDot(emitter, Pixels(emitter, taken), 1, matrix, 0), g.y().dims);
}

SsaValue PointwiseInputGradient(const ConvolutionGeometry& g, const SsaValue& dy, const SsaValue& filter,
                                Emitter& emitter) {
  const SsaValue matrix = EmitReshape(emitter, filter, {g.in_channels, g.out_channels});
  const SsaValue product = EmitDot(emitter, Pixels(emitter, dy), 1, matrix, 1);
  return EmitUntap(emitter,
                   EmitReshape(emitter, product, {g.batch, g.axes[0].count(), g.axes[1].count(), g.in_channels}), 1,
                   g.axes, {0, 0});
}

SsaValue PointwiseFilterGradient(const ConvolutionGeometry& g, const SsaValue& x, const SsaValue& dy,
                                 Emitter& emitter) {
  const SsaValue taken = EmitTap(emitter, EmitPadding(emitter, x, 1, g.axes, 0), 1, g.axes, {0, 0});
  return EmitReshape(emitter, EmitDot(emitter, Pixels(emitter, taken), 0, Pixels(emitter, dy), 0), g.filter().dims);
}

// Few input channels: the shifted images, each times one row of the filter, all in one fused element-wise kernel.
SsaValue TapConvolution(const ConvolutionGeometry& g, const SsaValue& x, const SsaValue& filter, Emitter& emitter) {
  const SsaValue padded = EmitPadding(emitter, x, 1, g.axes, 0);
  const Dims& out = g.y().dims;
  std::vector<SsaValue> products;
  for (int64_t i = 0; i < g.axes[0].window; ++i) {
    for (int64_t j = 0; j < g.axes[1].window; ++j) {
      const SsaValue image = EmitTap(emitter, padded, 1, g.axes, {i, j});
      for (int64_t c = 0; c < g.in_channels; ++c) {
        const SsaValue plane = EmitSlice(emitter, image, {0, 0, 0, c}, {out[0], out[1], out[2], c + 1}, {1, 1, 1, 1});
        const SsaValue row =
            EmitSlice(emitter, filter, {i, j, c, 0}, {i + 1, j + 1, c + 1, g.out_channels}, {1, 1, 1, 1});
        products.push_back(
            EmitBinary(emitter, "stablehlo.multiply",
                       EmitBroadcast(emitter, EmitReshape(emitter, plane, {out[0], out[1], out[2]}), out, {0, 1, 2}),
                       EmitBroadcast(emitter, EmitReshape(emitter, row, {g.out_channels}), out, {3})));
      }
    }
  }
  return EmitSum(emitter, products);
}

// Few input channels: one product gives what every window sends to each of its elements; these are then added up where
// they lie in the image.
SsaValue ColumnInputGradient(const ConvolutionGeometry& g, const SsaValue& dy, const SsaValue& filter,
                             Emitter& emitter) {
  const int64_t columns = g.taps() * g.in_channels;
  const SsaValue matrix = EmitReshape(emitter, filter, {columns, g.out_channels});
  const Dims windows = {g.batch, g.axes[0].count(), g.axes[1].count(), columns};
  const SsaValue sent = EmitReshape(emitter, EmitDot(emitter, Pixels(emitter, dy), 1, matrix, 1), windows);
  std::vector<SsaValue> images;
  int64_t column = 0;
  for (int64_t i = 0; i < g.axes[0].window; ++i) {
    for (int64_t j = 0; j < g.axes[1].window; ++j, column += g.in_channels) {
      const SsaValue part = EmitSlice(emitter, sent, {0, 0, 0, column},
                                      {windows[0], windows[1], windows[2], column + g.in_channels}, {1, 1, 1, 1});
      images.push_back(EmitUntap(emitter, part, 1, g.axes, {i, j}));
    }
  }
  return EmitSum(emitter, images);
}

// Stride 2: half of the elements that the direct form convolves are zeros from spreading dy out. Instead, the pixels of
// each parity of row and column ("phase") are a dense convolution of dy with every other row and column of the filter.
SsaValue PhaseInputGradient(const ConvolutionGeometry& g, const SsaValue& dy, const SsaValue& filter,
                            Emitter& emitter) {
  // Along one axis: the taps first, first + stride, ... send to the pixels phase, phase + stride, ...
  struct Phase {
    int64_t first, taps, low, high;
  };
  std::array<std::vector<Phase>, 2> phases;
  std::array<int64_t, 2> extents;  // of each phase; the last row or column of some may lie outside the image
  for (size_t i = 0; i < 2; ++i) {
    const WindowAxis& axis = g.axes[i];
    extents[i] = (axis.extent + axis.stride - 1) / axis.stride;
    for (int64_t phase = 0; phase < axis.stride; ++phase) {
      const int64_t first = (phase + axis.low) % axis.stride;
      const int64_t taps = (axis.window - 1 - first) / axis.stride + 1;
      const int64_t last = first + (taps - 1) * axis.stride;
      const int64_t low = (last - phase - axis.low) / axis.stride;
      phases[i].push_back({first, taps, low, extents[i] + taps - 1 - low - axis.count()});
    }
  }
  const SsaValue reversed_order = EmitTranspose(emitter, filter, {0, 1, 3, 2});
  const Shape part{g.dtype, {g.batch, extents[0], extents[1], g.in_channels}};
  std::vector<SsaValue> rows;
  for (const Phase& h : phases[0]) {
    std::vector<SsaValue> row;
    for (const Phase& w : phases[1]) {
      const SsaValue taken = EmitSlice(emitter, reversed_order, {h.first, w.first, 0, 0},
                                       {g.axes[0].window, g.axes[1].window, g.out_channels, g.in_channels},
                                       {g.axes[0].stride, g.axes[1].stride, 1, 1});
      const SsaValue pixels = EmitConvolution(emitter, dy, EmitReverse(emitter, taken, {0, 1}), part,
                                              {.padding = {{h.low, h.high}, {w.low, w.high}}}, kCanonicalLayout);
      row.push_back(EmitReshape(emitter, pixels, {g.batch, extents[0], 1, extents[1], 1, g.in_channels}));
    }
    rows.push_back(EmitConcatenate(emitter, row, 4));
  }
  const SsaValue image =
      EmitReshape(emitter, EmitConcatenate(emitter, rows, 2),
                  {g.batch, extents[0] * g.axes[0].stride, extents[1] * g.axes[1].stride, g.in_channels});
  return EmitSlice(emitter, image, {0, 0, 0, 0}, g.x().dims, {1, 1, 1, 1});
}

// Few input channels: the patches, one row for each element of a window, times dy. Gathered from the transposed image,
// so that each row is a run of memory and the product reads both matrices in order.
SsaValue PatchFilterGradient(const ConvolutionGeometry& g, const SsaValue& x, const SsaValue& dy, Emitter& emitter) {
  const SsaValue planes = EmitTranspose(emitter, EmitPadding(emitter, x, 1, g.axes, 0), {3, 0, 1, 2});
  std::vector<SsaValue> rows;
  for (int64_t i = 0; i < g.axes[0].window; ++i) {
    for (int64_t j = 0; j < g.axes[1].window; ++j) rows.push_back(EmitTap(emitter, planes, 2, g.axes, {i, j}));
  }
  const SsaValue patches =
      EmitReshape(emitter, EmitConcatenate(emitter, rows, 0), {g.taps() * g.in_channels, Rows(dy)});
  return EmitReshape(emitter, EmitDot(emitter, patches, 1, Pixels(emitter, dy), 0), g.filter().dims);
}

ConvolutionForm ChooseConvolution(const ConvolutionGeometry& g, LoweringTarget target) {
  if (target != LoweringTarget::kCpu) return DirectConvolution;
  if (IsPointwise(g)) return PointwiseConvolution;
  return HasFewProducts(g) ? TapConvolution : DirectConvolution;
}

ConvolutionForm ChooseInputGradient(const ConvolutionGeometry& g, LoweringTarget target) {
  if (target != LoweringTarget::kCpu) return DirectInputGradient;
  if (IsPointwise(g)) return PointwiseInputGradient;
  if (HasFewProducts(g)) return ColumnInputGradient;
  return HasPhases(g) ? PhaseInputGradient : DirectInputGradient;
}

ConvolutionForm ChooseFilterGradient(const ConvolutionGeometry& g, LoweringTarget target) {
  if (target != LoweringTarget::kCpu) return DirectFilterGradient;
  if (IsPointwise(g)) return PointwiseFilterGradient;
  return g.in_channels <= 3 && g.taps() <= 16 ? PatchFilterGradient : DirectFilterGradient;
}

}  // namespace replicator
