#include "replicator/ops/dot.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "graph/build_context.h"
#include "graph/emitter.h"
#include "ops/axes.h"
#include "ops/registry.h"
#include "ops/tabulate.h"
#include "replicator/graph/graph_error.h"
#include "replicator/ops/shape.h"

namespace replicator {
namespace {

// The axes of both operands by their role.
struct Roles {
  explicit Roles(const Attributes& attributes)
      : lhs_contracting(attributes.Ints("lhs_contracting")),
        rhs_contracting(attributes.Ints("rhs_contracting")),
        lhs_batch(attributes.Ints("lhs_batch")),
        rhs_batch(attributes.Ints("rhs_batch")) {}

  Dims LhsFree(int rank) const { return Others(Joined(lhs_batch, lhs_contracting), rank); }
  Dims RhsFree(int rank) const { return Others(Joined(rhs_batch, rhs_contracting), rank); }
  static Dims Joined(Dims a, const Dims& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }

  const Dims& lhs_contracting;
  const Dims& rhs_contracting;
  const Dims& lhs_batch;
  const Dims& rhs_batch;
};

void RequirePaired(const char* what, const Shape& lhs, const Shape& rhs, const Dims& lhs_axes, const Dims& rhs_axes) {
  Require(lhs_axes.size() == rhs_axes.size(), [&] {
    return fmt::format("{} {} axes of the left operand meet {} of the right one; the counts must be equal",
                       lhs_axes.size(), what, rhs_axes.size());
  });
  for (size_t i = 0; i < lhs_axes.size(); ++i) {
    const int64_t a = lhs.dims[static_cast<size_t>(lhs_axes[i])], b = rhs.dims[static_cast<size_t>(rhs_axes[i])];
    Require(a == b, [&] {
      return fmt::format(
          "{} axis {} of the left operand has extent {} and axis {} of the right one {}; they must be equal", what,
          lhs_axes[i], a, rhs_axes[i], b);
    });
  }
}

std::vector<Shape> InferDot(const InferContext& context) {
  const Shape& lhs = context.operands[0];
  const Shape& rhs = context.operands[1];
  const Roles roles(context.attributes);
  Require(lhs.dtype == rhs.dtype && lhs.dtype != DType::kBool, [&] {
    return fmt::format("two operands of one number type are needed, not {} and {}; convert one with Convert",
                       ToString(lhs.dtype), ToString(rhs.dtype));
  });
  RequireAxes(Roles::Joined(roles.lhs_batch, roles.lhs_contracting), lhs.rank(), "left axis");
  RequireAxes(Roles::Joined(roles.rhs_batch, roles.rhs_contracting), rhs.rank(), "right axis");
  RequirePaired("batch", lhs, rhs, roles.lhs_batch, roles.rhs_batch);
  RequirePaired("contracting", lhs, rhs, roles.lhs_contracting, roles.rhs_contracting);
  Dims dims = Pick(lhs.dims, roles.lhs_batch);
  dims = Roles::Joined(std::move(dims), Pick(lhs.dims, roles.LhsFree(lhs.rank())));
  dims = Roles::Joined(std::move(dims), Pick(rhs.dims, roles.RhsFree(rhs.rank())));
  return {Shape{lhs.dtype, std::move(dims)}};
}

std::vector<int> AsInts(const Dims& axes) { return {axes.begin(), axes.end()}; }

std::vector<int> Range(size_t first, size_t count) {
  std::vector<int> range(count);
  std::iota(range.begin(), range.end(), static_cast<int>(first));
  return range;
}

// `axes[i]` says which axis of the wanted tensor axis i of `x` is.
Tensor InOrder(const Tensor& x, const Dims& axes) {
  std::vector<int> permutation(axes.size());
  for (size_t i = 0; i < axes.size(); ++i) permutation[static_cast<size_t>(axes[i])] = static_cast<int>(i);
  return std::is_sorted(permutation.begin(), permutation.end()) ? x : Transpose(x, permutation);
}

// `axes` in the order in which their partners, axes of the other operand, occur there.
Dims OrderedBy(const Dims& axes, const Dims& partners) {
  std::vector<size_t> order(axes.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return partners[a] < partners[b]; });
  Dims ordered;
  for (size_t i : order) ordered.push_back(axes[i]);
  return ordered;
}

// With result [batch, lhs free, rhs free]: d lhs contracts the rhs free axes, d rhs the lhs free axes.
std::vector<Tensor> DotGradient(const GradientContext& context) {
  const Roles roles(context.node().attributes);
  const Tensor lhs = context.operand(0), rhs = context.operand(1), cotangent = context.cotangent();
  const Dims lhs_free = roles.LhsFree(lhs.rank()), rhs_free = roles.RhsFree(rhs.rank());
  const size_t batch = roles.lhs_batch.size();
  std::vector<Tensor> gradients(2);
  if (context.needs(0)) {
    const Tensor product = DotGeneral(cotangent, rhs,
                                      {.lhs_contracting = Range(batch + lhs_free.size(), rhs_free.size()),
                                       .rhs_contracting = AsInts(rhs_free),
                                       .lhs_batch = Range(0, batch),
                                       .rhs_batch = AsInts(roles.rhs_batch)});
    gradients[0] = InOrder(product, Roles::Joined(Roles::Joined(roles.lhs_batch, lhs_free),
                                                  OrderedBy(roles.lhs_contracting, roles.rhs_contracting)));
  }
  if (context.needs(1)) {
    const Tensor product = DotGeneral(lhs, cotangent,
                                      {.lhs_contracting = AsInts(lhs_free),
                                       .rhs_contracting = Range(batch, lhs_free.size()),
                                       .lhs_batch = AsInts(roles.lhs_batch),
                                       .rhs_batch = Range(0, batch)});
    gradients[1] = InOrder(
        product, Roles::Joined(Roles::Joined(roles.rhs_batch, OrderedBy(roles.rhs_contracting, roles.lhs_contracting)),
                               rhs_free));
  }
  return gradients;
}

std::string Bracketed(const Dims& axes) { return fmt::format("[{}]", fmt::join(axes, ", ")); }

// Narrow types accumulate in f32: XLA:CPU is fast when the operands are widened first, the others take narrow operands.
std::vector<SsaValue> LowerDot(const Node& node, std::span<const SsaValue> operands, Emitter& emitter) {
  const Roles roles(node.attributes);
  const std::string attributes = fmt::format(
      "dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = {}, rhs_batching_dimensions = {}, "
      "lhs_contracting_dimensions = {}, rhs_contracting_dimensions = {}>",
      Bracketed(roles.lhs_batch), Bracketed(roles.rhs_batch), Bracketed(roles.lhs_contracting),
      Bracketed(roles.rhs_contracting));
  Shape result = node.results[0];
  std::vector<SsaValue> factors(operands.begin(), operands.end());
  const bool narrow = IsFloating(result.dtype) && ByteSize(result.dtype) == 2;
  if (narrow) result.dtype = DType::kF32;
  if (narrow && emitter.target() == LoweringTarget::kCpu) {
    for (SsaValue& factor : factors) {
      factor = emitter.Emit("stablehlo.convert", {factor}, "", Shape{DType::kF32, factor.shape.dims});
    }
  }
  const SsaValue product = emitter.Emit("stablehlo.dot_general", factors, attributes, result);
  return {narrow ? emitter.Emit("stablehlo.convert", {product}, "", node.results[0]) : product};
}

Sample MakeSample(const char* name, Dims lhs, Dims rhs, Dims lhs_contracting, Dims rhs_contracting, Dims lhs_batch = {},
                  Dims rhs_batch = {}, DType dtype = DType::kF64) {
  return {.name = name,
          .operands = {{dtype, std::move(lhs)}, {dtype, std::move(rhs)}},
          .attributes = {{"lhs_contracting", std::move(lhs_contracting)},
                         {"rhs_contracting", std::move(rhs_contracting)},
                         {"lhs_batch", std::move(lhs_batch)},
                         {"rhs_batch", std::move(rhs_batch)}}};
}

std::vector<Literal> DotOracle(std::span<const Literal> operands, const Attributes& attributes) {
  const Roles roles(attributes);
  const Literal& lhs = operands[0];
  const Literal& rhs = operands[1];
  const Dims lhs_free = roles.LhsFree(static_cast<int>(lhs.dims().size()));
  const Dims rhs_free = roles.RhsFree(static_cast<int>(rhs.dims().size()));
  const Dims outer = Roles::Joined(Roles::Joined(Pick(lhs.dims(), roles.lhs_batch), Pick(lhs.dims(), lhs_free)),
                                   Pick(rhs.dims(), rhs_free));
  const Dims inner = Pick(lhs.dims(), roles.lhs_contracting);
  const Elements a(lhs), b(rhs);
  Dims at(lhs.dims().size()), bt(rhs.dims().size());
  return {Tabulate(Shape{lhs.dtype(), outer}, [&](const Dims& index) {
    size_t next = 0;
    for (size_t i = 0; i < roles.lhs_batch.size(); ++i, ++next) {
      at[static_cast<size_t>(roles.lhs_batch[i])] = index[next];
      bt[static_cast<size_t>(roles.rhs_batch[i])] = index[next];
    }
    for (int64_t axis : lhs_free) at[static_cast<size_t>(axis)] = index[next++];
    for (int64_t axis : rhs_free) bt[static_cast<size_t>(axis)] = index[next++];
    double sum = 0;
    ForEachIndex(inner, [&](const Dims& k) {
      for (size_t i = 0; i < k.size(); ++i) {
        at[static_cast<size_t>(roles.lhs_contracting[i])] = k[i];
        bt[static_cast<size_t>(roles.rhs_contracting[i])] = k[i];
      }
      sum += a(at) * b(bt);
    });
    return sum;
  })};
}

const OpDef kDotGeneral{
    .name = "dot_general",
    .infer = InferDot,
    .gradient = Gradient::Rule(DotGradient),
    .lower = LowerDot,
    .samples = +[]() -> std::vector<Sample> {
      return {MakeSample("matrices", {2, 3}, {3, 4}, {1}, {0}),
              MakeSample("transposed", {3, 2}, {4, 3}, {0}, {1}),
              MakeSample("batched", {5, 2, 3}, {5, 3, 4}, {2}, {1}, {0}, {0}),
              MakeSample("crossed", {2, 3, 4, 5}, {4, 6, 3, 2}, {1, 2}, {2, 0}, {0}, {3}),
              MakeSample("inner_batch", {3, 2, 4}, {2, 4, 3}, {2}, {1}, {1, 0}, {0, 2}),
              MakeSample("vectors", {4}, {4}, {0}, {0}),
              MakeSample("outer", {2}, {3}, {}, {}),
              MakeSample("scalars", {}, {}, {}, {}),
              MakeSample("over_empty", {2, 0}, {0, 3}, {1}, {0}),
              MakeSample("empty", {0, 2}, {2, 3}, {1}, {0}),
              MakeSample("bf16", {2, 3}, {3, 4}, {1}, {0}, {}, {}, DType::kBF16),
              MakeSample("i32", {2, 3}, {3, 4}, {1}, {0}, {}, {}, DType::kI32)};
    },
    .oracle = DotOracle,
};

}  // namespace

Tensor DotGeneral(const Operand& lhs, const Operand& rhs, const DotDimensions& dimensions) {
  const int lhs_rank = lhs.tensor().rank(), rhs_rank = rhs.tensor().rank();
  return AddOp(kDotGeneral, {{lhs.tensor(), rhs.tensor()}},
               {{"lhs_contracting", FromFront(dimensions.lhs_contracting, lhs_rank)},
                {"rhs_contracting", FromFront(dimensions.rhs_contracting, rhs_rank)},
                {"lhs_batch", FromFront(dimensions.lhs_batch, lhs_rank)},
                {"rhs_batch", FromFront(dimensions.rhs_batch, rhs_rank)}},
               lhs.where());
}

Tensor MatMul(const Operand& lhs, const Operand& rhs) {
  const CallSite site(lhs.where());
  const Tensor& a = lhs.tensor();
  const Tensor& b = rhs.tensor();
  const auto refuse = [&](const std::string& rule) {
    throw GraphError("matmul", {a.shape(), b.shape()}, rule, CallSite::Chain(lhs.where()));
  };
  if (a.rank() < 2 || b.rank() < 2) refuse("both operands need at least 2 axes; ExpandDims adds one");
  if (a.dim(-1) != b.dim(-2)) {
    refuse(fmt::format("the last extent of the left operand, {}, must equal the last but one of the right, {}",
                       a.dim(-1), b.dim(-2)));
  }
  if (b.rank() == 2) return DotGeneral(lhs, rhs, {.lhs_contracting = {-1}, .rhs_contracting = {0}});
  if (a.rank() == 2) {
    // [m, k] x [..., k, n] gives [m, ..., n]; m then moves next to n.
    const Tensor product = DotGeneral(lhs, rhs, {.lhs_contracting = {1}, .rhs_contracting = {-2}});
    std::vector<int> permutation = Range(1, static_cast<size_t>(product.rank()) - 1);
    permutation.insert(permutation.end() - 1, 0);
    return Transpose(product, permutation);
  }
  const size_t leading = static_cast<size_t>(a.rank()) - 2;
  if (a.rank() != b.rank() || !std::equal(a.dims().begin(), a.dims().end() - 2, b.dims().begin())) {
    refuse("the leading axes must be equal, or one operand must have none");
  }
  return DotGeneral(lhs, rhs,
                    {.lhs_contracting = {-1},
                     .rhs_contracting = {-2},
                     .lhs_batch = Range(0, leading),
                     .rhs_batch = Range(0, leading)});
}

std::span<const OpDef* const> DotOps() {
  static constexpr const OpDef* kOps[] = {&kDotGeneral};
  return kOps;
}

}  // namespace replicator
