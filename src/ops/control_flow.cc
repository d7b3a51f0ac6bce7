#include "ops/control_flow.h"

#include <algorithm>

#include "graph/build_context.h"
#include "graph/emitter.h"
#include "graph/graph.h"
#include "ops/control_flow_rules.h"
#include "ops/registry.h"
#include "replicator/ops/elementwise.h"
#include "replicator/ops/reduce.h"

namespace replicator {
namespace {

std::vector<Shape> InferCase(const InferContext& context) {
  Require(!context.regions.empty(), "at least one region is needed");
  Require(!context.operands.empty() && context.operands[0] == Shape{DType::kI32, {}},
          "the index must be an i32 scalar");
  const std::vector<Shape> results = OutputShapes(*context.regions[0]);
  for (const Region& region : context.regions) {
    Require(OutputShapes(*region) == results, "all regions must return the same shapes");
    RequireParameters(*region, context.operands.subspan(1));
  }
  return results;
}

std::vector<SsaValue> LowerCase(const Node& node, std::span<const SsaValue> operands, Emitter& emitter) {
  std::vector<std::string> regions;
  for (const Region& region : node.regions) {
    regions.push_back(
        emitter.Region({}, [&](std::span<const SsaValue>) { return emitter.EmitGraph(*region, operands.subspan(1)); }));
  }
  return emitter.EmitMany("stablehlo.case", operands.first(1), "", regions, node.results);
}

std::vector<Shape> InferWhile(const InferContext& context) {
  const auto carries = static_cast<size_t>(context.attributes.Int("carries"));
  Require(context.regions.size() == 2, "two regions are needed");
  Require(carries > 0 && carries <= context.operands.size(), "a loop needs at least one carry");
  for (const Region& region : context.regions) RequireParameters(*region, context.operands);
  const std::vector<Shape> carried(context.operands.begin(),
                                   context.operands.begin() + static_cast<std::ptrdiff_t>(carries));
  Require(OutputShapes(*context.regions[0]) == std::vector<Shape>{Shape{DType::kBool, {}}},
          "the condition must be a bool scalar");
  Require(OutputShapes(*context.regions[1]) == carried, "the body must return the dtypes and shapes of the carries");
  return carried;
}

// Captures travel as carries that do not change.
std::vector<SsaValue> LowerWhile(const Node& node, std::span<const SsaValue> operands, Emitter& emitter) {
  const std::vector<Shape> shapes = ShapesOf(operands);
  const std::string condition =
      emitter.Region(shapes, [&](std::span<const SsaValue> args) { return emitter.EmitGraph(*node.regions[0], args); });
  const std::string body = emitter.Region(shapes, [&](std::span<const SsaValue> args) {
    std::vector<SsaValue> next = emitter.EmitGraph(*node.regions[1], args);
    next.insert(next.end(), args.begin() + static_cast<std::ptrdiff_t>(next.size()), args.end());
    return next;
  });
  const std::vector<std::string> regions = {condition, body};
  std::vector<SsaValue> results = emitter.EmitMany("stablehlo.while", operands, "", regions, shapes);
  results.resize(node.results.size());
  return results;
}

std::vector<Sample> CaseSamples() {
  const Shape shape{DType::kF64, {2, 3}}, row{DType::kF64, {3}};
  Sample two{"two_branches", {{DType::kI32, {}}, shape}};
  two.regions = {MakeRegion({shape}, [](const Tensors& x) -> Tensors { return {Exp(x[0])}; }),
                 MakeRegion({shape}, [](const Tensors& x) -> Tensors { return {x[0] * 2.0}; })};
  Sample three{"three_branches_two_results", {{DType::kI32, {}}, shape, row}};
  three.low = -1, three.high = 3;
  three.regions = {
      MakeRegion({shape, row}, [](const Tensors& x) -> Tensors { return {x[0] * x[1], x[1]}; }),
      MakeRegion({shape, row}, [](const Tensors& x) -> Tensors { return {Sine(x[0]), ReduceSum(x[0], {{{0}}})}; }),
      MakeRegion({shape, row}, [](const Tensors& x) -> Tensors { return {x[0], x[1] * x[1] * x[1]}; })};
  return {two, three};
}

// Newton's iteration for the square root of a capture, until it is near enough.
std::vector<Sample> WhileSamples() {
  const Shape scalar{DType::kF64, {}}, count{DType::kI32, {}};
  const std::vector<Shape> shapes = {scalar, count, scalar};
  Sample sample{.name = "newton", .operands = shapes, .attributes = {{"carries", int64_t{2}}}, .low = 0.6, .high = 1.9};
  sample.regions = {
      MakeRegion(shapes, [](const Tensors& x) -> Tensors { return {(Abs(x[0] * x[0] - x[2]) > 1e-3) & (x[1] < 20)}; }),
      MakeRegion(shapes, [](const Tensors& x) -> Tensors { return {(x[0] + x[2] / x[0]) * 0.5, x[1] + 1}; })};
  return {sample};
}

std::vector<Literal> NewtonOracle(std::span<const Literal> operands, const Attributes&) {
  auto x = operands[0].Item<double>();
  const auto square = operands[2].Item<double>();
  auto count = operands[1].Item<int32_t>();
  for (; std::abs(x * x - square) > 1e-3 && count < 20; ++count) x = (x + square / x) * 0.5;
  return {Literal::Scalar(x), Literal::Scalar(count)};
}

}  // namespace

const OpDef kCase{
    .name = "case",
    .infer = InferCase,
    .typing = TypingRule::kRegions,
    .gradient = Gradient::Rule(CaseGradient),
    .lower = LowerCase,
    .samples = CaseSamples,
    .region_typing = TypeRegionResults,
};
const OpDef kWhile{
    .name = "while",
    .infer = InferWhile,
    .typing = TypingRule::kRegions,
    .gradient = Gradient::None("nobody knows how often a While runs, so that the values it went through cannot be "
                               "kept; use For with a bound, or Scan"),
    .lower = LowerWhile,
    .samples = WhileSamples,
    .oracle = NewtonOracle,
    .region_typing = TypeRegionResults,
};

std::span<const OpDef* const> ControlFlowOps() {
  static const OpDef* const kOps[] = {&kCase, &kWhile, &kScan};
  return kOps;
}

}  // namespace replicator
