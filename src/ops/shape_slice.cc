// Parts of tensors: slices and padding.
#include <fmt/format.h>

#include <algorithm>

#include "graph/build_context.h"
#include "graph/emitter.h"
#include "ops/axes.h"
#include "ops/registry.h"
#include "ops/shape_ops.h"
#include "ops/tabulate.h"
#include "replicator/ops/shape.h"

namespace replicator {
namespace {

// How many of start, start + stride, ... lie before limit.
int64_t Steps(int64_t start, int64_t limit, int64_t stride) { return (limit - start + stride - 1) / stride; }

std::vector<Shape> InferSlice(const InferContext& context) {
  const Shape& x = context.operands[0];
  const Dims& start = context.attributes.Ints("start");
  const Dims& limit = context.attributes.Ints("limit");
  const Dims& strides = context.attributes.Ints("strides");
  RequirePerAxis(start, x, "the start");
  RequirePerAxis(limit, x, "the limit");
  RequirePerAxis(strides, x, "the strides");
  Shape result{x.dtype, {}};
  for (size_t i = 0; i < x.dims.size(); ++i) {
    Require(0 <= start[i] && start[i] <= limit[i] && limit[i] <= x.dims[i], [&] {
      return fmt::format("axis {}: 0 <= start <= limit <= extent is needed, with start {}, limit {} and extent {}", i,
                         start[i], limit[i], x.dims[i]);
    });
    Require(strides[i] >= 1,
            [&] { return fmt::format("axis {}: the stride is {}; it must be at least 1", i, strides[i]); });
    result.dims.push_back(Steps(start[i], limit[i], strides[i]));
  }
  return {result};
}

std::vector<Tensor> SliceGradient(const GradientContext& context) {
  const Attributes& attributes = context.node().attributes;
  const Dims& from = context.operand(0).dims();
  const Dims& low = attributes.Ints("start");
  Dims high = from;
  Dims interior = attributes.Ints("strides");
  for (size_t i = 0; i < from.size(); ++i) {
    const int64_t taken = context.cotangent().dims()[i];
    high[i] -= low[i] + (taken == 0 ? 0 : (taken - 1) * interior[i] + 1);
    --interior[i];
  }
  return {Pad(context.cotangent(), low, high, interior)};
}

int64_t PaddedExtent(int64_t extent, int64_t low, int64_t high, int64_t interior) {
  return low + extent + std::max<int64_t>(extent - 1, 0) * interior + high;
}

std::vector<Shape> InferPad(const InferContext& context) {
  const Shape& x = context.operands[0];
  const Dims& low = context.attributes.Ints("low");
  const Dims& high = context.attributes.Ints("high");
  const Dims& interior = context.attributes.Ints("interior");
  const double value = context.attributes.Double("value");
  RequirePerAxis(low, x, "the low padding");
  RequirePerAxis(high, x, "the high padding");
  RequirePerAxis(interior, x, "the interior padding");
  Require(Representable(value, x.dtype),
          [&] { return fmt::format("the value {} cannot be represented in {}", value, ToString(x.dtype)); });
  Shape result{x.dtype, {}};
  for (size_t i = 0; i < x.dims.size(); ++i) {
    Require(interior[i] >= 0,
            [&] { return fmt::format("axis {}: the interior padding {} is negative", i, interior[i]); });
    const int64_t extent = PaddedExtent(x.dims[i], low[i], high[i], interior[i]);
    Require(extent >= 0, [&] {
      return fmt::format("axis {}: padding {} and {} cut more than the extent {}", i, low[i], high[i], x.dims[i]);
    });
    result.dims.push_back(extent);
  }
  return {result};
}

Dims Negated(Dims values) {
  for (int64_t& value : values) value = -value;
  return values;
}

// Takes the padding off again, which pads with zeros what a negative padding had cut, and skips the interior.
std::vector<Tensor> PadGradient(const GradientContext& context) {
  const Attributes& attributes = context.node().attributes;
  const Tensor stripped = Pad(context.cotangent(), Negated(attributes.Ints("low")), Negated(attributes.Ints("high")));
  Dims strides = attributes.Ints("interior");
  for (int64_t& stride : strides) ++stride;
  return {Slice(stripped, Dims(strides.size(), 0), stripped.dims(), strides)};
}

// Checks the scalars that say where a slice of extents `size` begins.
void RequireStarts(std::span<const Shape> starts, const Shape& x, const Dims& size) {
  Require(starts.size() == x.dims.size(), [&] {
    return fmt::format("{} starts were given; {} needs one per axis, {}", starts.size(), ToString(x), x.rank());
  });
  for (size_t i = 0; i < starts.size(); ++i) {
    Require(IsInteger(starts[i].dtype) && starts[i].dims.empty() && starts[i] == starts[0], [&] {
      return fmt::format("start {} is {}; all starts must be integer scalars of one dtype", i, ToString(starts[i]));
    });
    Require(0 <= size[i] && size[i] <= x.dims[i],
            [&] { return fmt::format("axis {}: {} elements do not fit into the extent {}", i, size[i], x.dims[i]); });
  }
}

// Where a slice of extents `size` begins, clamped as StableHLO does.
Dims ClampedStart(std::span<const Literal> starts, const Dims& dims, const Dims& size) {
  Dims start;
  for (size_t i = 0; i < dims.size(); ++i) {
    start.push_back(std::clamp<int64_t>(starts[i].Item<int64_t>(), 0, dims[i] - size[i]));
  }
  return start;
}

std::vector<Tensor> OperandsFrom(const GradientContext& context, int first) {
  std::vector<Tensor> operands;
  for (int i = first; i < static_cast<int>(context.node().operands.size()); ++i) operands.push_back(context.operand(i));
  return operands;
}

std::vector<SsaValue> EmitPlain(const Node& node, std::span<const SsaValue> operands, Emitter& emitter,
                                std::string_view op, const std::string& attributes) {
  return {emitter.Emit(op, {operands.begin(), operands.end()}, attributes, node.results[0])};
}

}  // namespace

const OpDef kSlice{
    .name = "slice",
    .infer = InferSlice,
    .gradient = Gradient::Rule(SliceGradient),
    .lower = +[](const Node& node, std::span<const SsaValue> operands, Emitter& emitter) -> std::vector<SsaValue> {
      const Attributes& attributes = node.attributes;
      return EmitPlain(node, operands, emitter, "stablehlo.slice",
                       "limit_indices = " + MlirArray(attributes.Ints("limit")) +
                           ", start_indices = " + MlirArray(attributes.Ints("start")) +
                           ", strides = " + MlirArray(attributes.Ints("strides")));
    },
    .samples = +[]() -> std::vector<Sample> {
      const auto sample = [](const char* name, Dims dims, Dims start, Dims limit, Dims strides) {
        return Sample{.name = name,
                      .operands = {{DType::kF64, dims}},
                      .attributes = {{"start", start}, {"limit", limit}, {"strides", strides}}};
      };
      return {sample("plain", {4, 5}, {1, 0}, {3, 5}, {1, 1}), sample("strided", {7, 6}, {1, 0}, {7, 5}, {3, 2}),
              sample("scalar", {}, {}, {}, {}), sample("nothing", {4, 5}, {2, 0}, {2, 5}, {2, 1}),
              sample("empty", {0}, {0}, {0}, {1})};
    },
    .oracle = +[](std::span<const Literal> operands, const Attributes& attributes) -> std::vector<Literal> {
      const Elements x(operands[0]);
      const Dims& start = attributes.Ints("start");
      const Dims& strides = attributes.Ints("strides");
      Shape result = operands[0].shape();
      for (size_t i = 0; i < start.size(); ++i) {
        result.dims[i] = 0;
        for (int64_t at = start[i]; at < attributes.Ints("limit")[i]; at += strides[i]) ++result.dims[i];
      }
      return {Tabulate(result, [&](Dims index) {
        for (size_t i = 0; i < index.size(); ++i) index[i] = start[i] + index[i] * strides[i];
        return x(index);
      })};
    },
};

const OpDef kPad{
    .name = "pad",
    .infer = InferPad,
    .gradient = Gradient::Rule(PadGradient),
    .lower = +[](const Node& node, std::span<const SsaValue> operands, Emitter& emitter) -> std::vector<SsaValue> {
      const Attributes& attributes = node.attributes;
      const SsaValue value = emitter.Splat(attributes.Double("value"), Shape{operands[0].shape.dtype, {}});
      return {emitter.Emit("stablehlo.pad", {operands[0], value},
                           "edge_padding_high = " + MlirArray(attributes.Ints("high")) +
                               ", edge_padding_low = " + MlirArray(attributes.Ints("low")) +
                               ", interior_padding = " + MlirArray(attributes.Ints("interior")),
                           node.results[0])};
    },
    .samples = +[]() -> std::vector<Sample> {
      const auto sample = [](const char* name, Dims dims, Dims low, Dims high, Dims interior, double value) {
        return Sample{.name = name,
                      .operands = {{DType::kF64, dims}},
                      .attributes = {{"low", low}, {"high", high}, {"interior", interior}, {"value", value}}};
      };
      return {sample("edges", {2, 3}, {1, 0}, {0, 2}, {0, 0}, 0),
              sample("interior", {3, 2}, {0, 1}, {1, 0}, {2, 1}, -1.5),
              sample("cut", {5, 4}, {-1, -2}, {-2, 1}, {0, 1}, 7),
              sample("cut_all", {3}, {-5}, {4}, {0}, 2),
              sample("scalar", {}, {}, {}, {}, 0),
              sample("from_empty", {0}, {2}, {1}, {3}, 4)};
    },
    .oracle = +[](std::span<const Literal> operands, const Attributes& attributes) -> std::vector<Literal> {
      const Dims& low = attributes.Ints("low");
      const Dims& interior = attributes.Ints("interior");
      Shape shape = operands[0].shape();
      for (size_t i = 0; i < low.size(); ++i) {
        shape.dims[i] = PaddedExtent(shape.dims[i], low[i], attributes.Ints("high")[i], interior[i]);
      }
      Literal result = Tabulate(shape, [&](const Dims&) { return attributes.Double("value"); });
      const Elements x(operands[0]);
      VisitDType(shape.dtype, [&]<typename T>() {
        auto out = result.mutable_data<T>();
        ForEachIndex(operands[0].dims(), [&](const Dims& index) {
          Dims to = index;
          for (size_t i = 0; i < to.size(); ++i) {
            to[i] = low[i] + index[i] * (interior[i] + 1);
            if (to[i] < 0 || to[i] >= shape.dims[i]) return;
          }
          out[Position(shape.dims, to)] = ConvertElement<T>(x(index));
        });
      });
      return {result};
    },
};

const OpDef kDynamicSlice{
    .name = "dynamic_slice",
    .infer = +[](const InferContext& context) -> std::vector<Shape> {
      const Shape& x = context.operands[0];
      const Dims& size = context.attributes.Ints("size");
      RequirePerAxis(size, x, "the size");
      RequireStarts(context.operands.subspan(1), x, size);
      return {Shape{x.dtype, size}};
    },
    .gradient = Gradient::Rule(+[](const GradientContext& context) -> std::vector<Tensor> {
      std::vector<Tensor> gradients(context.node().operands.size());
      gradients[0] = DynamicUpdateSlice(ZerosLike(context.operand(0)), context.cotangent(), OperandsFrom(context, 1));
      return gradients;
    }),
    .lower = +[](const Node& node, std::span<const SsaValue> operands, Emitter& emitter) -> std::vector<SsaValue> {
      return EmitPlain(node, operands, emitter, "stablehlo.dynamic_slice",
                       "slice_sizes = " + MlirArray(node.attributes.Ints("size")));
    },
    .samples = +[]() -> std::vector<Sample> {
      const auto sample = [](const char* name, Dims dims, Dims size, DType start) {
        Sample made{.name = name, .operands = {{DType::kF64, dims}}, .attributes = {{"size", size}}};
        made.operands.resize(1 + dims.size(), Shape{start, {}});
        return made;
      };
      return {sample("matrix", {4, 5}, {2, 3}, DType::kI32), sample("row", {3, 2}, {1, 2}, DType::kI64),
              sample("scalar", {}, {}, DType::kI32), sample("nothing", {3}, {0}, DType::kI32)};
    },
    .oracle = +[](std::span<const Literal> operands, const Attributes& attributes) -> std::vector<Literal> {
      const Elements x(operands[0]);
      const Dims& size = attributes.Ints("size");
      const Dims start = ClampedStart(operands.subspan(1), operands[0].dims(), size);
      return {Tabulate(Shape{operands[0].dtype(), size}, [&](Dims index) {
        for (size_t i = 0; i < index.size(); ++i) index[i] += start[i];
        return x(index);
      })};
    },
};

const OpDef kDynamicUpdateSlice{
    .name = "dynamic_update_slice",
    .infer = +[](const InferContext& context) -> std::vector<Shape> {
      const Shape& x = context.operands[0];
      const Shape& update = context.operands[1];
      Require(update.dtype == x.dtype && update.rank() == x.rank(), [&] {
        return fmt::format("the update is {}; the dtype and the number of axes of {} are needed", ToString(update),
                           ToString(x));
      });
      RequireStarts(context.operands.subspan(2), x, update.dims);
      return {x};
    },
    .gradient = Gradient::Rule(+[](const GradientContext& context) -> std::vector<Tensor> {
      std::vector<Tensor> gradients(context.node().operands.size());
      const Tensor update = context.operand(1);
      const std::vector<Tensor> start = OperandsFrom(context, 2);
      if (context.needs(0)) gradients[0] = DynamicUpdateSlice(context.cotangent(), ZerosLike(update), start);
      if (context.needs(1)) gradients[1] = DynamicSlice(context.cotangent(), start, update.dims());
      return gradients;
    }),
    .lower = +[](const Node& node, std::span<const SsaValue> operands, Emitter& emitter) -> std::vector<SsaValue> {
      return EmitPlain(node, operands, emitter, "stablehlo.dynamic_update_slice", "");
    },
    .samples = +[]() -> std::vector<Sample> {
      const auto sample = [](const char* name, Dims dims, Dims update, DType start) {
        Sample made{.name = name, .operands = {{DType::kF64, dims}, {DType::kF64, update}}};
        made.operands.resize(2 + dims.size(), Shape{start, {}});
        return made;
      };
      return {sample("matrix", {4, 5}, {2, 3}, DType::kI32), sample("row", {3, 2}, {1, 2}, DType::kI64),
              sample("scalar", {}, {}, DType::kI32), sample("nothing", {3}, {0}, DType::kI32)};
    },
    .oracle = +[](std::span<const Literal> operands, const Attributes&) -> std::vector<Literal> {
      const Dims& size = operands[1].dims();
      const Dims start = ClampedStart(operands.subspan(2), operands[0].dims(), size);
      const Elements x(operands[0]), update(operands[1]);
      return {Tabulate(operands[0].shape(), [&](const Dims& index) {
        Dims inside = index;
        for (size_t i = 0; i < index.size(); ++i) {
          inside[i] -= start[i];
          if (inside[i] < 0 || inside[i] >= size[i]) return x(index);
        }
        return update(inside);
      })};
    },
};

Tensor Slice(const Operand& x, const Dims& start, const Dims& limit, const Dims& strides) {
  const Dims steps = strides.empty() ? Dims(start.size(), 1) : strides;
  return AddOp(kSlice, {{x.tensor()}}, {{"start", start}, {"limit", limit}, {"strides", steps}}, x.where());
}

Tensor DynamicSlice(const Operand& x, const std::vector<Tensor>& start, const Dims& size, SourceLocation where) {
  std::vector<Tensor> operands = {x.tensor()};
  operands.insert(operands.end(), start.begin(), start.end());
  return AddOp(kDynamicSlice, operands, {{"size", size}}, where);
}

Tensor DynamicUpdateSlice(const Operand& x, const Operand& update, const std::vector<Tensor>& start,
                          SourceLocation where) {
  std::vector<Tensor> operands = {x.tensor(), update.tensor()};
  operands.insert(operands.end(), start.begin(), start.end());
  return AddOp(kDynamicUpdateSlice, operands, {}, where);
}

Tensor Pad(const Operand& x, const Dims& low, const Dims& high, const Dims& interior, double value) {
  const Dims between = interior.empty() ? Dims(low.size(), 0) : interior;
  return AddOp(kPad, {{x.tensor()}}, {{"low", low}, {"high", high}, {"interior", between}, {"value", value}},
               x.where());
}

std::span<const OpDef* const> ShapeOps() {
  static constexpr const OpDef* kOps[] = {&kConstant,  &kIota,         &kBroadcastInDim,    &kReshape,
                                          &kTranspose, &kConcatenate,  &kReverse,           &kSlice,
                                          &kPad,       &kDynamicSlice, &kDynamicUpdateSlice};
  return kOps;
}

}  // namespace replicator
