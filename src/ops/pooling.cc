// Maximum and average pooling. The gradient of each operation here is another one, so all can be differentiated again.
#include <fmt/format.h>

#include "graph/build_context.h"
#include "ops/emit.h"
#include "ops/pooling_forms.h"
#include "ops/pooling_oracle.h"
#include "ops/registry.h"
#include "replicator/ops/convolution.h"
#include "replicator/ops/elementwise.h"
#include "replicator/ops/shape.h"

namespace replicator {
namespace {

extern const OpDef kMaxPool;
extern const OpDef kMaxPoolGradient;
extern const OpDef kMaxPoolGather;
extern const OpDef kSumPool;
extern const OpDef kSumPoolGradient;

PoolGeometry GeometryOf(const Dims& x, DType dtype, const Attributes& attributes) {
  PoolGeometry geometry{.dtype = dtype, .batch = x[0], .channels = x[3], .axes = {}};
  const Dims& padding = attributes.Ints("padding");
  for (size_t i = 0; i < 2; ++i) {
    geometry.axes[i] = {.extent = x[1 + i],
                        .window = attributes.Ints("window")[i],
                        .stride = attributes.Ints("strides")[i],
                        .low = padding[2 * i],
                        .high = padding[2 * i + 1]};
  }
  return geometry;
}

// For operations whose first operand is the image x, and for the one whose only operand is dy.
PoolGeometry GeometryFromX(const Shape& x, const Attributes& attributes) {
  return GeometryOf(x.dims, x.dtype, attributes);
}
PoolGeometry GeometryFromDy(const Shape& dy, const Attributes& attributes) {
  const Dims& extents = attributes.Ints("extents");
  return GeometryOf({dy.dims[0], extents[0], extents[1], dy.dims[3]}, dy.dtype, attributes);
}

void RequireImage(const Shape& shape, const char* what) {
  Require(shape.rank() == 4, [&] {
    return fmt::format("{} is {}, of rank {}; rank 4 is needed, [N, H, W, C]", what, ToString(shape), shape.rank());
  });
  Require(IsFloating(shape.dtype), [&] {
    return fmt::format("{} has dtype {}; a floating one is needed, convert it with Convert", what,
                       ToString(shape.dtype));
  });
}

// Every window must hold at least one element of the image.
void RequirePool(const PoolGeometry& geometry) {
  for (size_t i = 0; i < 2; ++i) {
    const WindowAxis& axis = geometry.axes[i];
    const char* name = i == 0 ? "height" : "width";
    RequireWindow(axis, name);
    const int64_t last = (axis.count() - 1) * axis.stride - axis.low;
    Require(axis.extent > 0 && axis.low < axis.window && last < axis.extent, [&] {
      return fmt::format(
          "{}: a window of {} with stride {} would hold nothing but padding (extent {}, padding {} and "
          "{}); pad less than a window",
          name, axis.window, axis.stride, axis.extent, axis.low, axis.high);
    });
  }
}

PoolGeometry RequirePoolOf(const InferContext& context) {
  RequireImage(context.operands[0], "x");
  PoolGeometry geometry = GeometryFromX(context.operands[0], context.attributes);
  RequirePool(geometry);
  return geometry;
}

void RequireShape(const Shape& shape, const char* what, const Shape& expected) {
  Require(shape == expected,
          [&] { return fmt::format("{} is {}; {} is needed", what, ToString(shape), ToString(expected)); });
}

// The attributes without "extents", which only the gradient of a sum has.
Attributes SlidingOf(const Attributes& attributes) {
  return {{"window", attributes.Ints("window")},
          {"strides", attributes.Ints("strides")},
          {"padding", attributes.Ints("padding")}};
}

// Emits with the geometry unless there is nothing to compute.
template <SsaValue (*kEmit)(const PoolGeometry&, const SsaValue&, Emitter&),
          PoolGeometry (*kGeometry)(const Shape&, const Attributes&) = GeometryFromX>
std::vector<SsaValue> LowerUnary(const Node& node, std::span<const SsaValue> operands, Emitter& emitter) {
  if (node.results[0].num_elements() == 0) return {emitter.Splat(0, node.results[0])};
  return {kEmit(kGeometry(operands[0].shape, node.attributes), operands[0], emitter)};
}
template <SsaValue (*kEmit)(const PoolGeometry&, const SsaValue&, const SsaValue&, Emitter&)>
std::vector<SsaValue> LowerBinary(const Node& node, std::span<const SsaValue> operands, Emitter& emitter) {
  if (node.results[0].num_elements() == 0) return {emitter.Splat(0, node.results[0])};
  return {kEmit(GeometryFromX(operands[0].shape, node.attributes), operands[0], operands[1], emitter)};
}

struct Setting {
  const char* name;
  Dims x, window, strides;
  Dims padding = {0, 0, 0, 0};
};
std::vector<Setting> Settings() {
  return {
      {.name = "pairs", .x = {2, 4, 6, 3}, .window = {2, 2}, .strides = {2, 2}},
      {.name = "pairs_remainder", .x = {1, 5, 7, 2}, .window = {2, 2}, .strides = {2, 2}},
      {.name = "overlapping", .x = {1, 7, 6, 2}, .window = {3, 3}, .strides = {2, 2}, .padding = {1, 1, 0, 1}},
      {.name = "gaps", .x = {1, 7, 8, 1}, .window = {2, 1}, .strides = {3, 2}},
      {.name = "whole_image", .x = {2, 3, 5, 2}, .window = {3, 5}, .strides = {3, 5}},
      {.name = "no_examples", .x = {0, 4, 4, 2}, .window = {2, 2}, .strides = {2, 2}},
  };
}

enum class Part { kX, kY };
std::vector<Sample> SamplesOf(const std::vector<Part>& operands) {
  std::vector<Sample> samples;
  for (const Setting& setting : Settings()) {
    Sample sample{
        .name = setting.name,
        .operands = {},
        .attributes = {{"window", setting.window}, {"strides", setting.strides}, {"padding", setting.padding}}};
    const PoolGeometry geometry = GeometryOf(setting.x, DType::kF64, sample.attributes);
    for (Part part : operands) sample.operands.push_back(part == Part::kX ? geometry.x() : geometry.y());
    if (operands[0] == Part::kY) sample.attributes.Set("extents", Dims{setting.x[1], setting.x[2]});
    samples.push_back(std::move(sample));
  }
  return samples;
}

Tensor AddPool(const OpDef& op, const std::vector<Tensor>& operands, const Attributes& attributes) {
  return AddOp(op, operands, SlidingOf(attributes), SourceLocation::current());
}

const OpDef kMaxPool{
    .name = "max_pool",
    .infer = +[](const InferContext& context) -> std::vector<Shape> { return {RequirePoolOf(context).y()}; },
    .gradient = Gradient::Rule(+[](const GradientContext& g) -> std::vector<Tensor> {
      return {AddPool(kMaxPoolGradient, {g.operand(0), g.cotangent()}, g.node().attributes)};
    }),
    .lower = LowerUnary<EmitMaxPool>,
    .samples = +[]() { return SamplesOf({Part::kX}); },
    .oracle = MaxPoolOracle,
};

// Operands x and dy. Where the maximum lies does not change with x, almost everywhere: no gradient flows to x.
const OpDef kMaxPoolGradient{
    .name = "max_pool_gradient",
    .infer = +[](const InferContext& context) -> std::vector<Shape> {
      RequireShape(context.operands[1], "dy", RequirePoolOf(context).y());
      return {context.operands[0]};
    },
    .gradient = Gradient::Rule(+[](const GradientContext& g) -> std::vector<Tensor> {
      if (!g.needs(1)) return {Tensor(), Tensor()};
      return {Tensor(), AddPool(kMaxPoolGather, {g.operand(0), g.cotangent()}, g.node().attributes)};
    }),
    .lower = LowerBinary<EmitMaxPoolGradient>,
    .samples = +[]() { return SamplesOf({Part::kX, Part::kY}); },
    .oracle = MaxPoolGradientOracle,
};

// Operands x and u, of one shape: u where x has its maximum.
const OpDef kMaxPoolGather{
    .name = "max_pool_gather",
    .infer = +[](const InferContext& context) -> std::vector<Shape> {
      const PoolGeometry geometry = RequirePoolOf(context);
      RequireShape(context.operands[1], "u", context.operands[0]);
      return {geometry.y()};
    },
    .gradient = Gradient::Rule(+[](const GradientContext& g) -> std::vector<Tensor> {
      if (!g.needs(1)) return {Tensor(), Tensor()};
      return {Tensor(), AddPool(kMaxPoolGradient, {g.operand(0), g.cotangent()}, g.node().attributes)};
    }),
    .lower = LowerBinary<EmitMaxPoolGather>,
    .samples = +[]() { return SamplesOf({Part::kX, Part::kX}); },
    .oracle = MaxPoolGatherOracle,
};

const OpDef kSumPool{
    .name = "sum_pool",
    .infer = +[](const InferContext& context) -> std::vector<Shape> { return {RequirePoolOf(context).y()}; },
    .gradient = Gradient::Rule(+[](const GradientContext& g) -> std::vector<Tensor> {
      Attributes attributes = g.node().attributes;
      attributes.Set("extents", Dims{g.operand(0).dim(1), g.operand(0).dim(2)});
      return {AddOp(kSumPoolGradient, {{g.cotangent()}}, std::move(attributes), SourceLocation::current())};
    }),
    .lower = LowerUnary<EmitSumPool>,
    .samples = +[]() { return SamplesOf({Part::kX}); },
    .oracle = SumPoolOracle,
};

// Operand dy; attribute "extents": [H, W] of the result.
const OpDef kSumPoolGradient{
    .name = "sum_pool_gradient",
    .infer = +[](const InferContext& context) -> std::vector<Shape> {
      RequireImage(context.operands[0], "dy");
      const PoolGeometry geometry = GeometryFromDy(context.operands[0], context.attributes);
      RequirePool(geometry);
      RequireShape(context.operands[0], "dy", geometry.y());
      return {geometry.x()};
    },
    .gradient = Gradient::Rule(+[](const GradientContext& g) -> std::vector<Tensor> {
      return {AddPool(kSumPool, {g.cotangent()}, g.node().attributes)};
    }),
    .lower = LowerUnary<EmitSumPoolGradient, GeometryFromDy>,
    .samples = +[]() { return SamplesOf({Part::kY}); },
    .oracle = SumPoolGradientOracle,
};

Attributes AttributesOf(const Shape& x, const PoolOptions& options) {
  return {{"window", Dims(options.window.begin(), options.window.end())},
          {"strides", Dims(options.strides.begin(), options.strides.end())},
          {"padding", PaddingAttribute(options.padding, x, options.window, options.strides, {1, 1})}};
}

// How many elements of the image each window holds: [1, H, W, 1].
Literal WindowCounts(const PoolGeometry& geometry) {
  const auto& [h, w] = geometry.axes;
  const auto held = [](const WindowAxis& axis, int64_t at) {
    int64_t count = 0;
    for (int64_t tap = 0; tap < axis.window; ++tap) count += axis.inside(at, tap) ? 1 : 0;
    return count;
  };
  std::vector<double> counts;
  for (int64_t i = 0; i < h.count(); ++i) {
    for (int64_t j = 0; j < w.count(); ++j) counts.push_back(static_cast<double>(held(h, i) * held(w, j)));
  }
  return Literal::FromValues<double>({1, h.count(), w.count(), 1}, counts).ConvertTo(geometry.dtype);
}

}  // namespace

Tensor MaxPool(const Operand& x, const PoolOptions& options) {
  return AddOp(kMaxPool, {{x.tensor()}}, AttributesOf(x.tensor().shape(), options), x.where());
}

// f16 and bf16 are summed in f32.
Tensor AveragePool(const Operand& x, const PoolOptions& options) {
  const DType dtype = x.tensor().dtype();
  const bool narrow = IsFloating(dtype) && ByteSize(dtype) < ByteSize(DType::kF32);
  const Tensor wide = narrow ? Convert(x, DType::kF32) : x.tensor();
  const Attributes attributes = AttributesOf(wide.shape(), options);
  const Tensor sum = AddOp(kSumPool, {{wide}}, attributes, x.where());
  const Tensor counts = Constant(WindowCounts(GeometryOf(wide.dims(), wide.dtype(), attributes)), x.where());
  const Tensor mean = Divide(Operand(sum, x.where()), counts);
  return narrow ? Convert(Operand(mean, x.where()), dtype) : mean;
}

std::span<const OpDef* const> PoolingOps() {
  static constexpr const OpDef* kOps[] = {&kMaxPool, &kMaxPoolGradient, &kMaxPoolGather, &kSumPool, &kSumPoolGradient};
  return kOps;
}

}  // namespace replicator
