#include "ops/window.h"

#include <fmt/format.h>

#include <limits>

#include "ops/emit.h"

namespace replicator {
namespace {

// Keeps products of two of these far from overflow.
constexpr int64_t kLargest = std::numeric_limits<int32_t>::max();

bool InRange(int64_t value, int64_t smallest) { return value >= smallest && value <= kLargest; }

}  // namespace

std::pair<int64_t, int64_t> ResolvePadding(Padding::Kind kind, std::pair<int64_t, int64_t> explicit_extents,
                                           const WindowAxis& axis) {
  if (kind == Padding::Kind::kExplicit) return explicit_extents;
  const bool legal =
      InRange(axis.extent, 0) && InRange(axis.window, 1) && InRange(axis.stride, 1) && InRange(axis.dilation, 1);
  if (kind == Padding::Kind::kValid || !legal) return {0, 0};
  const int64_t count = (axis.extent + axis.stride - 1) / axis.stride;
  const int64_t total = std::max<int64_t>((count - 1) * axis.stride + axis.reach() - axis.extent, 0);
  return {total / 2, total - total / 2};
}

Dims PaddingAttribute(const Padding& padding, const Shape& x, const std::array<int64_t, 2>& window,
                      const std::array<int64_t, 2>& strides, const std::array<int64_t, 2>& dilation) {
  Dims attribute;
  for (size_t i = 0; i < 2; ++i) {
    const WindowAxis axis{.extent = x.rank() == 4 ? x.dims[1 + i] : 0,
                          .window = window[i],
                          .stride = strides[i],
                          .dilation = dilation[i]};
    const auto [low, high] = ResolvePadding(padding.kind, padding.extents[i], axis);
    attribute.push_back(low);
    attribute.push_back(high);
  }
  return attribute;
}

void RequireWindow(const WindowAxis& axis, const char* name) {
  const auto require = [&](int64_t value, int64_t smallest, const char* what) {
    Require(InRange(value, smallest), [&] {
      return fmt::format("{}: the {} is {}; it must be in [{}, {}]", name, what, value, smallest, kLargest);
    });
  };
  require(axis.extent, 0, "extent");
  require(axis.window, 1, "window");
  require(axis.stride, 1, "stride");
  require(axis.dilation, 1, "dilation");
  require(axis.low, 0, "low padding");
  require(axis.high, 0, "high padding");
  Require(axis.reach() <= axis.padded(), [&] {
    const std::string dilated = axis.dilation == 1 ? "" : fmt::format(" with dilation {}", axis.dilation);
    return fmt::format(
        "{}: a window of {}{} reaches over {} elements, more than the {} there are (extent {}, padding {} "
        "and {}); pad more, or use a smaller window",
        name, axis.window, dilated, axis.reach(), axis.padded(), axis.extent, axis.low, axis.high);
  });
}

SsaValue EmitPadding(Emitter& emitter, const SsaValue& x, size_t first, std::span<const WindowAxis> windows,
                     double value) {
  Dims low(x.shape.dims.size(), 0), high = low;
  for (size_t i = 0; i < windows.size(); ++i) {
    low[first + i] = windows[i].low;
    high[first + i] = windows[i].high;
  }
  return EmitPad(emitter, x, value, low, high, Dims(low.size(), 0));
}

SsaValue EmitTap(Emitter& emitter, const SsaValue& padded, size_t first, std::span<const WindowAxis> windows,
                 const Dims& taps) {
  Dims start(padded.shape.dims.size(), 0), strides(start.size(), 1), limit = padded.shape.dims;
  for (size_t i = 0; i < windows.size(); ++i) {
    start[first + i] = taps[i] * windows[i].dilation;
    strides[first + i] = windows[i].stride;
    limit[first + i] = start[first + i] + (windows[i].count() - 1) * windows[i].stride + 1;
  }
  return EmitSlice(emitter, padded, start, limit, strides);
}

SsaValue EmitUntap(Emitter& emitter, const SsaValue& values, size_t first, std::span<const WindowAxis> windows,
                   const Dims& taps) {
  Dims low(values.shape.dims.size(), 0), high = low, interior = low;
  for (size_t i = 0; i < windows.size(); ++i) {
    const WindowAxis& axis = windows[i];
    low[first + i] = axis.position(0, taps[i]);
    high[first + i] = axis.extent - 1 - axis.position(axis.count() - 1, taps[i]);
    interior[first + i] = axis.stride - 1;
  }
  return EmitPad(emitter, values, 0, low, high, interior);
}

}  // namespace replicator
