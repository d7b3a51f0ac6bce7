// Convolution and pooling over images: x is [N, H, W, C], a filter [KH, KW, C_in, C_out].
#pragma once

#include <array>
#include <utility>

#include "replicator/graph/tensor.h"

namespace replicator {

// How the spatial axes are padded before a window slides over them.
struct Padding {
  enum class Kind { kValid, kSame, kExplicit };
  Kind kind = Kind::kValid;
  // For kExplicit: {low, high} of H and of W, each >= 0.
  std::array<std::pair<int64_t, int64_t>, 2> extents = {};

  // No padding: out = floor((in - window) / stride) + 1.
  static Padding Valid() { return {}; }
  // out = ceil(in / stride); an odd total puts the larger half at the end, as TensorFlow does.
  static Padding Same() { return {Kind::kSame, {}}; }
  static Padding Explicit(std::pair<int64_t, int64_t> height, std::pair<int64_t, int64_t> width) {
    return {Kind::kExplicit, {height, width}};
  }
};

struct ConvolutionOptions {
  std::array<int64_t, 2> strides = {1, 1};
  Padding padding = Padding::Valid();
  std::array<int64_t, 2> dilation = {1, 1};  // of the filter
};

// Cross-correlation, as every framework's: out[n,y,x,o] = sum over i,j,c of x[n, y*s+i*d, x*s+j*d, c] *
// filter[i,j,c,o]. Floating types; x and filter of the same dtype.
Tensor Convolution(const Operand& x, const Operand& filter, const ConvolutionOptions& options = {});

struct PoolOptions {
  std::array<int64_t, 2> window = {2, 2};
  std::array<int64_t, 2> strides = {2, 2};
  Padding padding = Padding::Valid();
};

// The maximum of each window; padding never wins. The gradient goes to the first maximum of a window, row by row.
Tensor MaxPool(const Operand& x, const PoolOptions& options = {});
// The mean of each window's elements inside the image: padding is not counted.
Tensor AveragePool(const Operand& x, const PoolOptions& options = {});

}  // namespace replicator
