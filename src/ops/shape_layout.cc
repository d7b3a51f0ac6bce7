// The same elements in other places: broadcast, reshape, transpose, concatenate, reverse.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "graph/build_context.h"
#include "graph/emitter.h"
#include "ops/axes.h"
#include "ops/shape_ops.h"
#include "ops/tabulate.h"
#include "replicator/graph/graph_error.h"
#include "replicator/ops/reduce.h"
#include "replicator/ops/shape.h"

namespace replicator {
namespace {

std::vector<int> AsInts(const Dims& axes) { return {axes.begin(), axes.end()}; }

std::vector<Shape> InferBroadcast(const InferContext& context) {
  const Shape& x = context.operands[0];
  const Dims& dims = context.attributes.Ints("dims");
  const Dims& axes = context.attributes.Ints("axes");
  RequireExtents(dims);
  Require(dims.size() >= x.dims.size(),
          [&] { return fmt::format("{} has more axes than the {} of {}", ToString(x), dims.size(), ToString(dims)); });
  RequirePerAxis(axes, x, "the list of axes");
  RequireAxes(axes, static_cast<int>(dims.size()));
  Require(std::is_sorted(axes.begin(), axes.end()), "the axes must increase");
  for (size_t i = 0; i < axes.size(); ++i) {
    const int64_t extent = dims[static_cast<size_t>(axes[i])];
    Require(x.dims[i] == 1 || x.dims[i] == extent, [&] {
      return fmt::format("{} does not broadcast to {}: axis {} has extent {}, which is neither 1 nor {}", ToString(x),
                         ToString(dims), i, x.dims[i], extent);
    });
  }
  return {Shape{x.dtype, dims}};
}

std::vector<Tensor> BroadcastGradient(const GradientContext& context) {
  const Dims& dims = context.node().attributes.Ints("dims");
  const Dims& axes = context.node().attributes.Ints("axes");
  const Dims& from = context.operand(0).dims();
  std::vector<int> summed = AsInts(Others(axes, static_cast<int>(dims.size())));
  for (size_t i = 0; i < axes.size(); ++i) {
    if (from[i] != dims[static_cast<size_t>(axes[i])]) summed.push_back(static_cast<int>(axes[i]));
  }
  return {Reshape(ReduceSum(context.cotangent(), {.axes = summed}), from)};
}

std::vector<Shape> InferReshape(const InferContext& context) {
  const Shape& x = context.operands[0];
  const Dims& dims = context.attributes.Ints("dims");
  const auto unknown = std::count(dims.begin(), dims.end(), -1);
  Require(unknown == 0, [&] {
    return unknown > 1 ? fmt::format("{} leaves {} extents open; at most one may be -1", ToString(dims), unknown)
                       : fmt::format("no extent in place of -1 arranges the {} elements of {} as {}", x.num_elements(),
                                     ToString(x), ToString(dims));
  });
  RequireExtents(dims);
  Require(NumElements(dims) == x.num_elements(), [&] {
    return fmt::format("the {} elements of {} cannot be arranged as {}, which has {}", x.num_elements(), ToString(x),
                       ToString(dims), NumElements(dims));
  });
  return {Shape{x.dtype, dims}};
}

std::vector<Shape> InferTranspose(const InferContext& context) {
  const Shape& x = context.operands[0];
  const Dims& permutation = context.attributes.Ints("permutation");
  RequirePerAxis(permutation, x, "the permutation");
  RequireAxes(permutation, x.rank(), "permuted axis");
  return {Shape{x.dtype, Pick(x.dims, permutation)}};
}

std::vector<Shape> InferConcatenate(const InferContext& context) {
  Require(!context.operands.empty(), "at least one tensor is needed");
  const int64_t axis = context.attributes.Int("axis");
  Shape result = context.operands[0];
  RequireAxes({axis}, result.rank());
  for (size_t i = 1; i < context.operands.size(); ++i) {
    const Shape& next = context.operands[i];
    Shape expected = result;
    if (next.rank() == result.rank()) expected.dims[static_cast<size_t>(axis)] = next.dims[static_cast<size_t>(axis)];
    Require(next == expected, [&] {
      return fmt::format("tensor {} is {}; dtype and all extents but that of axis {} must equal those of {}", i,
                         ToString(next), axis, ToString(context.operands[0]));
    });
    result.dims[static_cast<size_t>(axis)] += next.dims[static_cast<size_t>(axis)];
  }
  return {result};
}

std::vector<Tensor> ConcatenateGradient(const GradientContext& context) {
  const auto axis = static_cast<size_t>(context.node().attributes.Int("axis"));
  const Tensor cotangent = context.cotangent();
  std::vector<Tensor> gradients(context.node().operands.size());
  Dims start(cotangent.dims().size(), 0);
  Dims limit = cotangent.dims();
  for (size_t i = 0; i < gradients.size(); ++i) {
    limit[axis] = start[axis] + context.operand(static_cast<int>(i)).dims()[axis];
    if (context.needs(static_cast<int>(i))) gradients[i] = Slice(cotangent, start, limit);
    start[axis] = limit[axis];
  }
  return gradients;
}

}  // namespace

const OpDef kBroadcastInDim{
    .name = "broadcast_in_dim",
    .infer = InferBroadcast,
    .gradient = Gradient::Rule(BroadcastGradient),
    .lower = +[](const Node& node, std::span<const SsaValue> operands, Emitter& emitter) -> std::vector<SsaValue> {
      return {emitter.Emit("stablehlo.broadcast_in_dim", {operands[0]},
                           "broadcast_dimensions = " + MlirArray(node.attributes.Ints("axes")), node.results[0])};
    },
    .samples = +[]() -> std::vector<Sample> {
      const auto sample = [](const char* name, Dims from, Dims to, Dims axes) {
        return Sample{.name = name, .operands = {{DType::kF64, from}}, .attributes = {{"dims", to}, {"axes", axes}}};
      };
      return {sample("scalar", {}, {2, 3}, {}),          sample("row", {3}, {2, 3}, {1}),
              sample("stretch", {2, 1}, {2, 5}, {0, 1}), sample("inner", {3, 1}, {3, 2, 4}, {0, 2}),
              sample("to_empty", {1}, {0}, {0}),         sample("empty", {0, 1}, {0, 3}, {0, 1})};
    },
    .oracle = +[](std::span<const Literal> operands, const Attributes& attributes) -> std::vector<Literal> {
      const Elements x(operands[0]);
      return {Tabulate(Shape{operands[0].dtype(), attributes.Ints("dims")}, [&](const Dims& index) {
        Dims from = Pick(index, attributes.Ints("axes"));
        for (size_t i = 0; i < from.size(); ++i) from[i] = operands[0].dims()[i] == 1 ? 0 : from[i];
        return x(from);
      })};
    },
};

const OpDef kReshape{
    .name = "reshape",
    .infer = InferReshape,
    .gradient = Gradient::Rule(+[](const GradientContext& context) -> std::vector<Tensor> {
      return {Reshape(context.cotangent(), context.operand(0).dims())};
    }),
    .lower = +[](const Node& node, std::span<const SsaValue> operands, Emitter& emitter) -> std::vector<SsaValue> {
      return {emitter.Emit("stablehlo.reshape", {operands[0]}, "", node.results[0])};
    },
    .samples = +[]() -> std::vector<Sample> {
      const auto sample = [](const char* name, Dims from, Dims to) {
        return Sample{.name = name, .operands = {{DType::kF64, from}}, .attributes = {{"dims", to}}};
      };
      return {sample("split", {6}, {2, 3}), sample("join", {2, 3, 5}, {2, 15}), sample("scalar", {1, 1}, {}),
              sample("empty", {0, 3}, {2, 0, 7})};
    },
    .oracle = +[](std::span<const Literal> operands, const Attributes& attributes) -> std::vector<Literal> {
      return {operands[0].Reshape(attributes.Ints("dims"))};
    },
};

const OpDef kTranspose{
    .name = "transpose",
    .infer = InferTranspose,
    .gradient = Gradient::Rule(+[](const GradientContext& context) -> std::vector<Tensor> {
      const Dims& permutation = context.node().attributes.Ints("permutation");
      std::vector<int> inverse(permutation.size());
      for (size_t i = 0; i < permutation.size(); ++i)
        inverse[static_cast<size_t>(permutation[i])] = static_cast<int>(i);
      return {Transpose(context.cotangent(), inverse)};
    }),
    .lower = +[](const Node& node, std::span<const SsaValue> operands, Emitter& emitter) -> std::vector<SsaValue> {
      return {emitter.Emit("stablehlo.transpose", {operands[0]},
                           "permutation = " + MlirArray(node.attributes.Ints("permutation")), node.results[0])};
    },
    .samples = +[]() -> std::vector<Sample> {
      const auto sample = [](const char* name, Dims from, Dims permutation) {
        return Sample{.name = name, .operands = {{DType::kF64, from}}, .attributes = {{"permutation", permutation}}};
      };
      return {sample("matrix", {2, 3}, {1, 0}), sample("cycle", {2, 3, 5}, {2, 0, 1}), sample("scalar", {}, {}),
              sample("empty", {0, 3}, {1, 0})};
    },
    .oracle = +[](std::span<const Literal> operands, const Attributes& attributes) -> std::vector<Literal> {
      const Elements x(operands[0]);
      const Dims& permutation = attributes.Ints("permutation");
      return {Tabulate(Shape{operands[0].dtype(), Pick(operands[0].dims(), permutation)}, [&](const Dims& index) {
        Dims from(index.size());
        for (size_t i = 0; i < index.size(); ++i) from[static_cast<size_t>(permutation[i])] = index[i];
        return x(from);
      })};
    },
};

const OpDef kConcatenate{
    .name = "concatenate",
    .infer = InferConcatenate,
    .gradient = Gradient::Rule(ConcatenateGradient),
    .lower = +[](const Node& node, std::span<const SsaValue> operands, Emitter& emitter) -> std::vector<SsaValue> {
      return {emitter.Emit("stablehlo.concatenate", {operands.begin(), operands.end()},
                           fmt::format("dimension = {} : i64", node.attributes.Int("axis")), node.results[0])};
    },
    .samples = +[]() -> std::vector<Sample> {
      const auto sample = [](const char* name, std::vector<Dims> parts, int64_t axis) {
        Sample made{.name = name, .operands = {}, .attributes = {{"axis", axis}}};
        for (Dims& dims : parts) made.operands.push_back({DType::kF64, std::move(dims)});
        return made;
      };
      return {sample("rows", {{2, 3}, {1, 3}}, 0), sample("columns", {{2, 3}, {2, 0}, {2, 2}}, 1),
              sample("one", {{3}}, 0), sample("empty", {{0, 2}, {0, 2}}, 0)};
    },
    .oracle = +[](std::span<const Literal> operands, const Attributes& attributes) -> std::vector<Literal> {
      const auto axis = static_cast<size_t>(attributes.Int("axis"));
      Shape result = operands[0].shape();
      std::vector<Elements> parts;
      for (const Literal& part : operands) parts.emplace_back(part);
      for (const Literal& part : operands.subspan(1)) result.dims[axis] += part.dims()[axis];
      return {Tabulate(result, [&](Dims index) {
        size_t part = 0;
        while (index[axis] >= operands[part].dims()[axis]) index[axis] -= operands[part++].dims()[axis];
        return parts[part](index);
      })};
    },
};

const OpDef kReverse{
    .name = "reverse",
    .infer = +[](const InferContext& context) -> std::vector<Shape> {
      RequireAxes(context.attributes.Ints("axes"), context.operands[0].rank());
      return {context.operands[0]};
    },
    .gradient = Gradient::Rule(+[](const GradientContext& context) -> std::vector<Tensor> {
      return {Reverse(context.cotangent(), AsInts(context.node().attributes.Ints("axes")))};
    }),
    .lower = +[](const Node& node, std::span<const SsaValue> operands, Emitter& emitter) -> std::vector<SsaValue> {
      return {emitter.Emit("stablehlo.reverse", {operands[0]},
                           "dimensions = " + MlirArray(node.attributes.Ints("axes")), node.results[0])};
    },
    .samples = +[]() -> std::vector<Sample> {
      const auto sample = [](const char* name, Dims dims, Dims axes) {
        return Sample{.name = name, .operands = {{DType::kF64, dims}}, .attributes = {{"axes", axes}}};
      };
      return {sample("vector", {5}, {0}), sample("both", {2, 3}, {1, 0}), sample("none", {3}, {}),
              sample("empty", {0, 3}, {0})};
    },
    .oracle = +[](std::span<const Literal> operands, const Attributes& attributes) -> std::vector<Literal> {
      const Elements x(operands[0]);
      return {Tabulate(operands[0].shape(), [&](Dims index) {
        for (int64_t axis : attributes.Ints("axes")) {
          const auto i = static_cast<size_t>(axis);
          index[i] = operands[0].dims()[i] - 1 - index[i];
        }
        return x(index);
      })};
    },
};

Tensor BroadcastTo(const Operand& x, const Dims& dims) {
  const Tensor& from = x.tensor();
  if (from.dims() == dims) return from;
  // With more axes than the result has, no axis is named and the rule refuses.
  Dims axes(from.rank() <= static_cast<int>(dims.size()) ? from.dims().size() : 0);
  std::iota(axes.begin(), axes.end(), static_cast<int64_t>(dims.size() - axes.size()));
  return AddOp(kBroadcastInDim, {{from}}, {{"dims", dims}, {"axes", axes}}, x.where());
}

Tensor Reshape(const Operand& x, const Dims& dims) {
  const Tensor& from = x.tensor();
  Dims resolved = dims;
  const auto open = std::find(resolved.begin(), resolved.end(), -1);
  if (open != resolved.end() && std::count(resolved.begin(), resolved.end(), -1) == 1) {
    *open = 1;
    const int64_t known = NumElements(resolved);
    const int64_t count = from.shape().num_elements();
    *open = known > 0 && count % known == 0 ? count / known : -1;
  }
  if (from.dims() == resolved) return from;
  return AddOp(kReshape, {{from}}, {{"dims", resolved}}, x.where());
}

Tensor Transpose(const Operand& x, const std::vector<int>& permutation) {
  const Dims axes = FromFront(permutation, x.tensor().rank());
  return AddOp(kTranspose, {{x.tensor()}}, {{"permutation", axes}}, x.where());
}

Tensor ExpandDims(const Operand& x, int axis) {
  const int64_t place = FromFront(axis, x.tensor().rank() + 1);
  Dims dims = x.tensor().dims();
  if (place < 0 || place > x.tensor().rank()) {
    throw GraphError(
        "expand_dims", {x.tensor().shape()},
        fmt::format("axis {} is out of range: it must be in [{}, {}]", axis, -x.tensor().rank() - 1, x.tensor().rank()),
        CallSite::Chain(x.where()));
  }
  dims.insert(dims.begin() + place, 1);
  return Reshape(x, dims);
}

Tensor Flatten(const Operand& x) {
  const Dims& dims = x.tensor().dims();
  if (dims.empty()) {
    throw GraphError("flatten", {x.tensor().shape()}, "a scalar has no first axis to keep", CallSite::Chain(x.where()));
  }
  return Reshape(x, {dims[0], NumElements({dims.begin() + 1, dims.end()})});
}

Tensor Concatenate(const std::vector<Tensor>& tensors, int axis, SourceLocation where) {
  const int rank = tensors.empty() || !tensors[0].defined() ? 0 : tensors[0].rank();
  return AddOp(kConcatenate, tensors, {{"axis", FromFront(axis, rank)}}, where);
}

Tensor Reverse(const Operand& x, const std::vector<int>& axes) {
  return AddOp(kReverse, {{x.tensor()}}, {{"axes", FromFront(axes, x.tensor().rank())}}, x.where());
}

}  // namespace replicator
