// Convolution and its two gradients: three operations, each linear in both operands, whose gradients are one another.
// So they can be differentiated any number of times.
#include <fmt/format.h>

#include "graph/build_context.h"
#include "ops/convolution_forms.h"
#include "ops/convolution_oracle.h"
#include "ops/emit.h"
#include "ops/registry.h"
#include "replicator/ops/convolution.h"

namespace replicator {
namespace {

extern const OpDef kConvolution;
extern const OpDef kConvolutionInputGradient;
extern const OpDef kConvolutionFilterGradient;

void RequireImage(const Shape& shape, const char* what, const char* axes) {
  Require(shape.rank() == 4, [&] {
    return fmt::format("{} is {}, of rank {}; rank 4 is needed, {}", what, ToString(shape), shape.rank(), axes);
  });
  Require(IsFloating(shape.dtype), [&] {
    return fmt::format("{} has dtype {}; a floating one is needed, convert it with Convert", what,
                       ToString(shape.dtype));
  });
}

// The operands are what they are called, and of one dtype.
void RequireOperands(const InferContext& context, const char* first, const char* second) {
  const auto axes = [](const char* name) {
    return std::string_view(name) == "the filter" ? "[KH, KW, C_in, C_out]" : "[N, H, W, C]";
  };
  RequireImage(context.operands[0], first, axes(first));
  RequireImage(context.operands[1], second, axes(second));
  Require(context.operands[0].dtype == context.operands[1].dtype, [&] {
    return fmt::format("{} is {} and {} is {}; both must have the same dtype, convert one with Convert", first,
                       ToString(context.operands[0].dtype), second, ToString(context.operands[1].dtype));
  });
}

ConvolutionGeometry GeometryOf(const Dims& x, const Dims& filter, DType dtype, const Attributes& attributes) {
  ConvolutionGeometry geometry{
      .dtype = dtype, .batch = x[0], .in_channels = x[3], .out_channels = filter[3], .axes = {}};
  const Dims& padding = attributes.Ints("padding");
  for (size_t i = 0; i < 2; ++i) {
    geometry.axes[i] = {.extent = x[1 + i],
                        .window = filter[i],
                        .stride = attributes.Ints("strides")[i],
                        .dilation = attributes.Ints("dilation")[i],
                        .low = padding[2 * i],
                        .high = padding[2 * i + 1]};
  }
  return geometry;
}

// The geometry of each operation, from the shapes of its operands.
ConvolutionGeometry ForwardGeometry(std::span<const Shape> operands, const Attributes& attributes) {
  return GeometryOf(operands[0].dims, operands[1].dims, operands[0].dtype, attributes);
}
ConvolutionGeometry InputGeometry(std::span<const Shape> operands, const Attributes& attributes) {
  const Dims& extents = attributes.Ints("extents");
  const Dims& filter = operands[1].dims;
  return GeometryOf({operands[0].dims[0], extents[0], extents[1], filter[2]}, filter, operands[0].dtype, attributes);
}
ConvolutionGeometry FilterGeometry(std::span<const Shape> operands, const Attributes& attributes) {
  const Dims& extents = attributes.Ints("extents");
  const Dims filter = {extents[0], extents[1], operands[0].dims[3], operands[1].dims[3]};
  return GeometryOf(operands[0].dims, filter, operands[0].dtype, attributes);
}

void RequireWindows(const ConvolutionGeometry& geometry) {
  RequireWindow(geometry.axes[0], "height");
  RequireWindow(geometry.axes[1], "width");
}

// dy has the shape of the convolution's result.
void RequireResultShape(const Shape& dy, const ConvolutionGeometry& geometry) {
  Require(dy == geometry.y(), [&] {
    return fmt::format("dy is {}; the convolution of {} with {} is {}", ToString(dy), ToString(geometry.x()),
                       ToString(geometry.filter()), ToString(geometry.y()));
  });
}

std::vector<Shape> InferForward(const InferContext& context) {
  RequireOperands(context, "x", "the filter");
  const Shape& x = context.operands[0];
  const Shape& filter = context.operands[1];
  Require(x.dims[3] == filter.dims[2], [&] {
    return fmt::format(
        "x {} has {} channels and the filter {} is for {}; C of [N, H, W, C] must equal C_in of "
        "[KH, KW, C_in, C_out]",
        ToString(x.dims), x.dims[3], ToString(filter.dims), filter.dims[2]);
  });
  const ConvolutionGeometry geometry = ForwardGeometry(context.operands, context.attributes);
  RequireWindows(geometry);
  return {geometry.y()};
}

std::vector<Shape> InferInputGradient(const InferContext& context) {
  RequireOperands(context, "dy", "the filter");
  const ConvolutionGeometry geometry = InputGeometry(context.operands, context.attributes);
  RequireWindows(geometry);
  RequireResultShape(context.operands[0], geometry);
  return {geometry.x()};
}

std::vector<Shape> InferFilterGradient(const InferContext& context) {
  RequireOperands(context, "x", "dy");
  const ConvolutionGeometry geometry = FilterGeometry(context.operands, context.attributes);
  RequireWindows(geometry);
  RequireResultShape(context.operands[1], geometry);
  return {geometry.filter()};
}

// Emits one of the forms. Sums over nothing are zeros, which no form needs to know. f16 and bf16 accumulate in f32:
// XLA's other compilers do so by themselves.
template <ConvolutionGeometry (*kGeometry)(std::span<const Shape>, const Attributes&),
          ConvolutionForm (*kChoose)(const ConvolutionGeometry&, LoweringTarget)>
std::vector<SsaValue> LowerForm(const Node& node, std::span<const SsaValue> operands, Emitter& emitter) {
  const Shape& result = node.results[0];
  SsaValue a = operands[0], b = operands[1];
  if (a.shape.num_elements() == 0 || b.shape.num_elements() == 0) return {emitter.Splat(0, result)};
  if (emitter.target() == LoweringTarget::kCpu && ByteSize(result.dtype) < ByteSize(DType::kF32)) {
    a = EmitConvert(emitter, a, DType::kF32);
    b = EmitConvert(emitter, b, DType::kF32);
  }
  const std::array<Shape, 2> shapes = {a.shape, b.shape};
  const ConvolutionGeometry geometry = kGeometry(shapes, node.attributes);
  return {EmitConvert(emitter, kChoose(geometry, emitter.target())(geometry, a, b, emitter), result.dtype)};
}

// The attributes of the sliding window alone, and with the extents of a result that the operands do not determine.
Attributes SlidingOf(const Attributes& attributes) {
  return {{"strides", attributes.Ints("strides")},
          {"padding", attributes.Ints("padding")},
          {"dilation", attributes.Ints("dilation")}};
}
Attributes WithExtents(const Attributes& attributes, int64_t height, int64_t width) {
  Attributes result = SlidingOf(attributes);
  result.Set("extents", Dims{height, width});
  return result;
}

Tensor Forward(const Tensor& x, const Tensor& filter, const Attributes& attributes) {
  return AddOp(kConvolution, {{x, filter}}, SlidingOf(attributes), SourceLocation::current());
}
Tensor InputGradient(const Tensor& dy, const Tensor& filter, const Tensor& x, const Attributes& attributes) {
  return AddOp(kConvolutionInputGradient, {{dy, filter}}, WithExtents(attributes, x.dim(1), x.dim(2)),
               SourceLocation::current());
}
Tensor FilterGradient(const Tensor& x, const Tensor& dy, const Tensor& filter, const Attributes& attributes) {
  return AddOp(kConvolutionFilterGradient, {{x, dy}}, WithExtents(attributes, filter.dim(0), filter.dim(1)),
               SourceLocation::current());
}

// Strides, padding and dilation of a convolution in the samples; extents of x and filter.
struct Setting {
  const char* name;
  Dims x, filter;
  Dims strides = {1, 1};
  Dims padding = {0, 0, 0, 0};
  Dims dilation = {1, 1};
};

// Between them they reach every form that some target emits. tests/ops has more extents, forward only.
std::vector<Setting> Settings() {
  return {
      {.name = "valid", .x = {2, 4, 5, 5}, .filter = {3, 2, 5, 2}},
      {.name = "same_odd_total", .x = {1, 5, 4, 5}, .filter = {2, 4, 5, 1}, .padding = {0, 1, 1, 2}},
      {.name = "strides", .x = {1, 9, 6, 6}, .filter = {2, 3, 6, 2}, .strides = {3, 2}, .padding = {0, 0, 0, 1}},
      {.name = "strides_and_dilation",
       .x = {1, 8, 9, 5},
       .filter = {2, 2, 5, 1},
       .strides = {2, 3},
       .padding = {0, 1, 2, 0},
       .dilation = {3, 2}},
      {.name = "wide_padding", .x = {1, 3, 2, 5}, .filter = {2, 2, 5, 1}, .padding = {3, 2, 2, 4}},
      {.name = "pointwise", .x = {2, 3, 2, 3}, .filter = {1, 1, 3, 4}},
      {.name = "pointwise_strides",
       .x = {1, 5, 4, 2},
       .filter = {1, 1, 2, 3},
       .strides = {2, 3},
       .padding = {1, 0, 2, 1}},
      {.name = "one_channel", .x = {1, 6, 7, 1}, .filter = {2, 3, 1, 2}, .padding = {1, 1, 0, 2}, .dilation = {2, 2}},
      {.name = "three_channels", .x = {1, 5, 6, 3}, .filter = {3, 2, 3, 4}, .strides = {2, 1}, .padding = {1, 0, 0, 1}},
      {.name = "phases", .x = {1, 5, 4, 16}, .filter = {4, 2, 16, 1}, .strides = {2, 2}, .padding = {1, 1, 2, 3}},
      {.name = "no_examples", .x = {0, 4, 4, 2}, .filter = {3, 3, 2, 3}},
  };
}

// `operands` picks two of x, filter and y, in the operation's order; `extents` is the one it leaves out.
enum class Part { kX, kFilter, kY };
std::vector<Sample> SamplesOf(Part first, Part second) {
  std::vector<Sample> samples;
  for (const Setting& setting : Settings()) {
    Attributes attributes{{"strides", setting.strides}, {"padding", setting.padding}, {"dilation", setting.dilation}};
    const ConvolutionGeometry geometry = GeometryOf(setting.x, setting.filter, DType::kF64, attributes);
    const auto shape_of = [&](Part part) {
      return part == Part::kX ? geometry.x() : part == Part::kFilter ? geometry.filter() : geometry.y();
    };
    if (first == Part::kY) attributes.Set("extents", Dims{setting.x[1], setting.x[2]});
    if (second == Part::kY) attributes.Set("extents", Dims{setting.filter[0], setting.filter[1]});
    samples.push_back(
        {.name = setting.name, .operands = {shape_of(first), shape_of(second)}, .attributes = std::move(attributes)});
  }
  return samples;
}

const OpDef kConvolution{
    .name = "convolution",
    .infer = InferForward,
    .gradient = Gradient::Rule(+[](const GradientContext& g) -> std::vector<Tensor> {
      const Attributes& attributes = g.node().attributes;
      const Tensor x = g.operand(0), filter = g.operand(1), dy = g.cotangent();
      return {g.needs(0) ? InputGradient(dy, filter, x, attributes) : Tensor(),
              g.needs(1) ? FilterGradient(x, dy, filter, attributes) : Tensor()};
    }),
    .lower = LowerForm<ForwardGeometry, ChooseConvolution>,
    .samples = +[]() { return SamplesOf(Part::kX, Part::kFilter); },
    .oracle = ConvolutionOracle,
};

// Operands dy and filter; attribute "extents": [H, W] of the result.
const OpDef kConvolutionInputGradient{
    .name = "convolution_input_gradient",
    .infer = InferInputGradient,
    .gradient = Gradient::Rule(+[](const GradientContext& g) -> std::vector<Tensor> {
      const Attributes& attributes = g.node().attributes;
      const Tensor dy = g.operand(0), filter = g.operand(1), dx = g.cotangent();
      return {g.needs(0) ? Forward(dx, filter, attributes) : Tensor(),
              g.needs(1) ? FilterGradient(dx, dy, filter, attributes) : Tensor()};
    }),
    .lower = LowerForm<InputGeometry, ChooseInputGradient>,
    .samples = +[]() { return SamplesOf(Part::kY, Part::kFilter); },
    .oracle = ConvolutionInputGradientOracle,
};

// Operands x and dy; attribute "extents": [KH, KW] of the result.
const OpDef kConvolutionFilterGradient{
    .name = "convolution_filter_gradient",
    .infer = InferFilterGradient,
    .gradient = Gradient::Rule(+[](const GradientContext& g) -> std::vector<Tensor> {
      const Attributes& attributes = g.node().attributes;
      const Tensor x = g.operand(0), dy = g.operand(1), dfilter = g.cotangent();
      return {g.needs(0) ? InputGradient(dy, dfilter, x, attributes) : Tensor(),
              g.needs(1) ? Forward(x, dfilter, attributes) : Tensor()};
    }),
    .lower = LowerForm<FilterGeometry, ChooseFilterGradient>,
    .samples = +[]() { return SamplesOf(Part::kX, Part::kY); },
    .oracle = ConvolutionFilterGradientOracle,
};

}  // namespace

Tensor Convolution(const Operand& x, const Operand& filter, const ConvolutionOptions& options) {
  const Shape& window = filter.tensor().shape();
  const std::array<int64_t, 2> extents = {window.rank() == 4 ? window.dims[0] : 0,
                                          window.rank() == 4 ? window.dims[1] : 0};
  return AddOp(
      kConvolution, {{x.tensor(), filter.tensor()}},
      {{"strides", Dims(options.strides.begin(), options.strides.end())},
       {"padding", PaddingAttribute(options.padding, x.tensor().shape(), extents, options.strides, options.dilation)},
       {"dilation", Dims(options.dilation.begin(), options.dilation.end())}},
      x.where());
}

std::span<const OpDef* const> ConvolutionOps() {
  static constexpr const OpDef* kOps[] = {&kConvolution, &kConvolutionInputGradient, &kConvolutionFilterGradient};
  return kOps;
}

}  // namespace replicator
