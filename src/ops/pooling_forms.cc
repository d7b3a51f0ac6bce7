// Every form but the reduce_window of other targets is separable: first along the width, then along the height, so that
// a window costs height + width operations for each element, not height * width. On XLA:CPU these run as fused
// element-wise kernels on all cores; reduce_window and select_and_scatter are 2 to 10 times slower there.
#include "ops/pooling_forms.h"

#include <fmt/format.h>

#include <limits>

#include "ops/emit.h"

namespace replicator {
namespace {

constexpr double kLowest = -std::numeric_limits<double>::infinity();
constexpr size_t kHeight = 1, kWidth = 2;  // axes of an image

std::span<const WindowAxis> One(const WindowAxis& window) { return {&window, 1}; }

std::vector<SsaValue> Taps(Emitter& emitter, const SsaValue& x, size_t axis, const WindowAxis& window, double padding) {
  const SsaValue padded = EmitPadding(emitter, x, axis, One(window), padding);
  std::vector<SsaValue> taps;
  for (int64_t i = 0; i < window.window; ++i) taps.push_back(EmitTap(emitter, padded, axis, One(window), {i}));
  return taps;
}

SsaValue MaxAlong(Emitter& emitter, const SsaValue& x, size_t axis, const WindowAxis& window) {
  const std::vector<SsaValue> taps = Taps(emitter, x, axis, window, kLowest);
  SsaValue best = taps[0];
  for (size_t i = 1; i < taps.size(); ++i) best = EmitBinary(emitter, "stablehlo.maximum", best, taps[i]);
  return best;
}

// Whether `tap` is its window's maximum. Where that is NaN, whether it is a NaN.
SsaValue IsBest(Emitter& emitter, const SsaValue& tap, const SsaValue& best) {
  return EmitBinary(emitter, "stablehlo.or", EmitCompare(emitter, tap, best, "EQ"),
                    EmitCompare(emitter, tap, tap, "NE"));
}

// For each element of a window, whether it is the window's first maximum; padding never is.
std::vector<SsaValue> FirstBest(Emitter& emitter, const SsaValue& x, const SsaValue& best, size_t axis,
                                const WindowAxis& window) {
  const std::vector<SsaValue> taps = Taps(emitter, x, axis, window, kLowest);
  std::vector<SsaValue> chosen;
  SsaValue found;
  for (int64_t i = 0; i < window.window; ++i) {
    SsaValue is_best = IsBest(emitter, taps[static_cast<size_t>(i)], best);
    Literal inside{Shape{DType::kBool, {window.count()}}};
    bool all_inside = true;
    for (int64_t at = 0; at < window.count(); ++at) {
      inside.mutable_data<bool>()[static_cast<size_t>(at)] = window.inside(at, i);
      all_inside &= window.inside(at, i);
    }
    if (!all_inside) {  // where the maximum is -infinity padding would equal it
      const SsaValue mask =
          EmitBroadcast(emitter, emitter.Constant(inside), best.shape.dims, {static_cast<int64_t>(axis)});
      is_best = EmitBinary(emitter, "stablehlo.and", is_best, mask);
    }
    if (i == 0) {
      found = is_best;
      chosen.push_back(is_best);
      continue;
    }
    const SsaValue not_found = emitter.Emit("stablehlo.not", {found}, "", found.shape);
    chosen.push_back(EmitBinary(emitter, "stablehlo.and", is_best, not_found));
    found = EmitBinary(emitter, "stablehlo.or", found, is_best);
  }
  return chosen;
}

// The extents of x with `axis` split into windows that tile it, and the axes that the windows' own axes become.
struct Split {
  Dims dims;
  Dims axes;
};
Split SplitAxis(const Dims& windows, size_t axis, int64_t window) {
  Split split{windows, {0, 1, 2, 3}};
  split.dims.insert(split.dims.begin() + static_cast<std::ptrdiff_t>(axis) + 1, window);
  for (size_t i = axis + 1; i < split.axes.size(); ++i) ++split.axes[i];
  return split;
}

// The gradient of MaxAlong for windows of two that tile the axis: dy goes to the first of a pair or else to the second,
// in one pass over x.
SsaValue SpreadToPairs(Emitter& emitter, const SsaValue& x, const SsaValue& best, const SsaValue& dy, size_t axis,
                       const WindowAxis& window) {
  const Split split = SplitAxis(dy.shape.dims, axis, 2);
  const SsaValue takes_first = IsBest(emitter, EmitTap(emitter, x, axis, One(window), {0}), best);
  const SsaValue is_first = EmitBroadcast(emitter, emitter.Constant(Literal::FromValues<bool>({2}, {true, false})),
                                          split.dims, {static_cast<int64_t>(axis) + 1});
  const SsaValue chosen =
      EmitCompare(emitter, EmitBroadcast(emitter, takes_first, split.dims, split.axes), is_first, "EQ");
  const Shape shape{dy.shape.dtype, split.dims};
  const SsaValue pairs =
      EmitSelect(emitter, chosen, EmitBroadcast(emitter, dy, split.dims, split.axes), emitter.Splat(0, shape));
  return EmitReshape(emitter, pairs, x.shape.dims);
}

// The gradient of best = MaxAlong(x).
SsaValue Spread(Emitter& emitter, const SsaValue& x, const SsaValue& best, const SsaValue& dy, size_t axis,
                const WindowAxis& window) {
  if (window.tiles() && window.window == 2) return SpreadToPairs(emitter, x, best, dy, axis, window);
  const std::vector<SsaValue> chosen = FirstBest(emitter, x, best, axis, window);
  const SsaValue zeros = emitter.Splat(0, dy.shape);
  std::vector<SsaValue> images;
  for (int64_t i = 0; i < window.window; ++i) {
    const SsaValue sent = EmitSelect(emitter, chosen[static_cast<size_t>(i)], dy, zeros);
    images.push_back(EmitUntap(emitter, sent, axis, One(window), {i}));
  }
  return EmitSum(emitter, images);
}

// u where best = MaxAlong(x) was found.
SsaValue GatherAlong(Emitter& emitter, const SsaValue& x, const SsaValue& best, const SsaValue& u, size_t axis,
                     const WindowAxis& window) {
  const std::vector<SsaValue> chosen = FirstBest(emitter, x, best, axis, window);
  const std::vector<SsaValue> taps = Taps(emitter, u, axis, window, 0);
  SsaValue taken = taps.back();
  for (size_t i = taps.size() - 1; i-- > 0;) taken = EmitSelect(emitter, chosen[i], taps[i], taken);
  return taken;
}

SsaValue EmitReduceWindow(const PoolGeometry& g, std::string_view op, const SsaValue& x, double init,
                          Emitter& emitter) {
  const Shape scalar{g.dtype, {}};
  const std::vector<Shape> arguments = {scalar, scalar};
  const std::string region = emitter.Region(arguments, [&](std::span<const SsaValue> args) -> std::vector<SsaValue> {
    return {EmitBinary(emitter, op, args[0], args[1])};
  });
  const auto& [h, w] = g.axes;
  const std::string attributes = fmt::format(
      "window_dimensions = {}, window_strides = {}, padding = {}", MlirArray(Dims{1, h.window, w.window, 1}),
      MlirArray(Dims{1, h.stride, w.stride, 1}), MlirPairs({{0, 0}, {h.low, h.high}, {w.low, w.high}, {0, 0}}));
  return emitter.Emit("stablehlo.reduce_window", {x, emitter.Splat(init, scalar)}, attributes, g.y(), {region});
}

SsaValue SumAlong(Emitter& emitter, const SsaValue& x, size_t axis, const WindowAxis& window) {
  return EmitSum(emitter, Taps(emitter, x, axis, window, 0));
}

// The gradient of SumAlong.
SsaValue CopyAlong(Emitter& emitter, const SsaValue& dy, size_t axis, const WindowAxis& window) {
  if (window.tiles()) {
    const Split split = SplitAxis(dy.shape.dims, axis, window.window);
    Dims dims = dy.shape.dims;
    dims[axis] = window.extent;
    return EmitReshape(emitter, EmitBroadcast(emitter, dy, split.dims, split.axes), dims);
  }
  std::vector<SsaValue> images;
  for (int64_t i = 0; i < window.window; ++i) images.push_back(EmitUntap(emitter, dy, axis, One(window), {i}));
  return EmitSum(emitter, images);
}

}  // namespace

SsaValue EmitMaxPool(const PoolGeometry& g, const SsaValue& x, Emitter& emitter) {
  if (emitter.target() != LoweringTarget::kCpu) return EmitReduceWindow(g, "stablehlo.maximum", x, kLowest, emitter);
  return MaxAlong(emitter, MaxAlong(emitter, x, kWidth, g.axes[1]), kHeight, g.axes[0]);
}

// The maxima are computed anew, not taken from the forward pass: where both are in one program the compiler merges
// them. The first row that holds the maximum, and in it the first column, are the first element row by row.
SsaValue EmitMaxPoolGradient(const PoolGeometry& g, const SsaValue& x, const SsaValue& dy, Emitter& emitter) {
  const SsaValue rows = MaxAlong(emitter, x, kWidth, g.axes[1]);
  const SsaValue best = MaxAlong(emitter, rows, kHeight, g.axes[0]);
  const SsaValue drows = Spread(emitter, rows, best, dy, kHeight, g.axes[0]);
  return Spread(emitter, x, rows, drows, kWidth, g.axes[1]);
}

SsaValue EmitMaxPoolGather(const PoolGeometry& g, const SsaValue& x, const SsaValue& u, Emitter& emitter) {
  const SsaValue rows = MaxAlong(emitter, x, kWidth, g.axes[1]);
  const SsaValue best = MaxAlong(emitter, rows, kHeight, g.axes[0]);
  const SsaValue taken = GatherAlong(emitter, x, rows, u, kWidth, g.axes[1]);
  return GatherAlong(emitter, rows, best, taken, kHeight, g.axes[0]);
}

SsaValue EmitSumPool(const PoolGeometry& g, const SsaValue& x, Emitter& emitter) {
  if (g.axes[0].tiles() && g.axes[1].tiles() && g.y().dims[1] == 1 && g.y().dims[2] == 1) {  // the whole image
    return EmitReshape(emitter, emitter.Reduce("stablehlo.add", x, 0, {1, 2}), g.y().dims);
  }
  if (emitter.target() != LoweringTarget::kCpu) return EmitReduceWindow(g, "stablehlo.add", x, 0, emitter);
  return SumAlong(emitter, SumAlong(emitter, x, kWidth, g.axes[1]), kHeight, g.axes[0]);
}

SsaValue EmitSumPoolGradient(const PoolGeometry& g, const SsaValue& dy, Emitter& emitter) {
  return CopyAlong(emitter, CopyAlong(emitter, dy, kHeight, g.axes[0]), kWidth, g.axes[1]);
}

}  // namespace replicator
