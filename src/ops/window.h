// A window that slides along the axes of an image: the arithmetic that convolution and pooling share.
#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "graph/emitter.h"
#include "graph/op_def.h"
#include "replicator/ops/convolution.h"

namespace replicator {

// Along one axis of an image.
struct WindowAxis {
  int64_t extent = 0;  // of the image
  int64_t window = 1;  // elements in a window
  int64_t stride = 1;
  int64_t dilation = 1;       // from one element of a window to the next
  int64_t low = 0, high = 0;  // padding

  // From a window's first element to just after its last.
  int64_t reach() const { return (window - 1) * dilation + 1; }
  int64_t padded() const { return low + extent + high; }
  // The number of windows: floor((padded - reach) / stride) + 1.
  int64_t count() const { return (padded() - reach()) / stride + 1; }
  // Where element `tap` of window `at` lies in the image; outside [0, extent) in the padding.
  int64_t position(int64_t at, int64_t tap) const { return at * stride + tap * dilation - low; }
  bool inside(int64_t at, int64_t tap) const { return position(at, tap) >= 0 && position(at, tap) < extent; }
  // Whether the windows lie side by side and cover the image exactly.
  bool tiles() const {
    return dilation == 1 && stride == window && low == 0 && high == 0 && extent == count() * window;
  }
  friend bool operator==(const WindowAxis&, const WindowAxis&) = default;
};

// The amounts {low, high} that `padding` stands for. An axis that RequireWindow would refuse gives {0, 0} for kSame.
std::pair<int64_t, int64_t> ResolvePadding(Padding::Kind kind, std::pair<int64_t, int64_t> explicit_extents,
                                           const WindowAxis& axis);
// The same for both axes of an image [N, H, W, C], as the attribute "padding": low and high of H, then of W. An x of
// another rank gives anything: the operation's rule refuses it.
Dims PaddingAttribute(const Padding& padding, const Shape& x, const std::array<int64_t, 2>& window,
                      const std::array<int64_t, 2>& strides, const std::array<int64_t, 2>& dilation);

// Throws RuleViolation unless strides, dilation and window are at least 1, no padding is negative, and a window fits.
// `name` names the axis: "height".
void RequireWindow(const WindowAxis& axis, const char* name);

// The following work on as many consecutive axes of a value, from `first` on, as there are windows.
//
// x, padded with `value`.
SsaValue EmitPadding(Emitter& emitter, const SsaValue& x, size_t first, std::span<const WindowAxis> windows,
                     double value);
// What one element of every window, the taps[i]-th along each axis, sees of the padded x.
SsaValue EmitTap(Emitter& emitter, const SsaValue& padded, size_t first, std::span<const WindowAxis> windows,
                 const Dims& taps);
// The transpose of EmitPadding and EmitTap: puts each window's value where that element lies in the image, and zeros
// elsewhere.
SsaValue EmitUntap(Emitter& emitter, const SsaValue& values, size_t first, std::span<const WindowAxis> windows,
                   const Dims& taps);

}  // namespace replicator
