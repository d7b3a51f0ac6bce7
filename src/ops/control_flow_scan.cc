// The loop of bounded length.
#include <cmath>

#include "ops/control_flow.h"
#include "ops/control_flow_rules.h"
#include "replicator/ops/elementwise.h"
#include "replicator/ops/reduce.h"

namespace replicator {

ScanLayout::ScanLayout(const Node& node)
    : length(node.attributes.Int("length")),
      reverse(node.attributes.Bool("reverse")),
      dynamic(node.attributes.Bool("dynamic")),
      saved(node.attributes.Bool("saved")),
      carries(static_cast<size_t>(node.attributes.Int("carries"))),
      xs(static_cast<size_t>(node.attributes.Int("xs"))),
      captures(node.operands.size() - carries - xs - (dynamic ? 1 : 0)),
      ys(node.results.size() - carries),
      first_carry(dynamic ? 1 : 0),
      first_x(first_carry + carries),
      first_capture(first_x + xs) {}

namespace {

const Shape kIndex{DType::kI32, {}};

Shape RowOf(const Shape& shape) { return {shape.dtype, {shape.dims.begin() + 1, shape.dims.end()}}; }
Shape Stacked(const Shape& row, int64_t length) {
  Shape shape = row;
  shape.dims.insert(shape.dims.begin(), length);
  return shape;
}

std::vector<Shape> InferScan(const InferContext& context) {
  const Attributes& attributes = context.attributes;
  const int64_t length = attributes.Int("length");
  const auto carries = static_cast<size_t>(attributes.Int("carries")), xs = static_cast<size_t>(attributes.Int("xs"));
  const size_t first_carry = attributes.Bool("dynamic") ? 1 : 0;
  Require(context.regions.size() == 1, "one region is needed");
  Require(length >= 0 && length <= INT32_MAX, "the number of iterations must be at least 0 and below 2^31");
  Require(context.operands.size() >= first_carry + carries + xs, "operands are missing");
  Require(first_carry == 0 || context.operands[0] == kIndex, "the number of iterations must be an i32 scalar");
  std::vector<Shape> parameters = {kIndex};
  for (size_t i = first_carry; i < context.operands.size(); ++i) {
    const Shape& shape = context.operands[i];
    const bool is_x = i >= first_carry + carries && i < first_carry + carries + xs;
    Require(!is_x || (shape.rank() > 0 && shape.dims[0] == length),
            "every x needs a leading axis whose extent is the number of iterations");
    parameters.push_back(is_x ? RowOf(shape) : shape);
  }
  RequireParameters(*context.regions[0], parameters);
  std::vector<Shape> results = OutputShapes(*context.regions[0]);
  Require(!results.empty() && results.size() >= carries, "the body must return all carries, and at least one tensor");
  for (size_t i = 0; i < results.size(); ++i) {
    if (i < carries) {
      Require(results[i] == parameters[1 + i], "the body must return the dtypes and shapes of the carries");
    } else {
      results[i] = Stacked(results[i], length);
    }
  }
  return results;
}

// The operands of a slice of one row at `index`: the index along every axis.
std::vector<SsaValue> AtRow(const SsaValue& index, int rank, Emitter& emitter) {
  std::vector<SsaValue> start = {index};
  if (rank > 1) start.resize(static_cast<size_t>(rank), emitter.Splat(0, kIndex));
  return start;
}

SsaValue ReadRow(const SsaValue& x, const SsaValue& index, Emitter& emitter) {
  Dims size = x.shape.dims;
  size[0] = 1;
  std::vector<SsaValue> operands = AtRow(index, x.shape.rank(), emitter);
  operands.insert(operands.begin(), x);
  const SsaValue row =
      emitter.Emit("stablehlo.dynamic_slice", operands, "slice_sizes = " + MlirArray(size), Shape{x.shape.dtype, size});
  return emitter.Emit("stablehlo.reshape", {row}, "", RowOf(x.shape));
}

SsaValue WriteRow(const SsaValue& y, const SsaValue& row, const SsaValue& index, Emitter& emitter) {
  const SsaValue update = emitter.Emit("stablehlo.reshape", {row}, "", Stacked(row.shape, 1));
  std::vector<SsaValue> operands = AtRow(index, y.shape.rank(), emitter);
  operands.insert(operands.begin(), {y, update});
  return emitter.Emit("stablehlo.dynamic_update_slice", operands, "", y.shape);
}

// A while over: the count, the limit, carries, ys, xs, captures.
class ScanLowering {
 public:
  ScanLowering(const Node& node, std::span<const SsaValue> operands, Emitter& emitter)
      : node_(node), layout_(node), operands_(operands), emitter_(emitter) {}

  std::vector<SsaValue> Run() {
    const auto given = operands_.subspan(layout_.first_carry);
    std::vector<SsaValue> state = {emitter_.Splat(0, kIndex), Limit()};
    state.insert(state.end(), given.begin(), given.begin() + static_cast<std::ptrdiff_t>(layout_.carries));
    for (size_t i = layout_.carries; i < node_.results.size(); ++i) {
      state.push_back(emitter_.Splat(0, node_.results[i]));
    }
    if (layout_.length > 0) {
      state.insert(state.end(), given.begin() + static_cast<std::ptrdiff_t>(layout_.carries), given.end());
      const std::vector<Shape> shapes = ShapesOf(state);
      const std::vector<std::string> regions = {
          emitter_.Region(shapes, [&](std::span<const SsaValue> args) { return Condition(args); }),
          emitter_.Region(shapes, [&](std::span<const SsaValue> args) { return Body(args); })};
      state = emitter_.EmitMany("stablehlo.while", state, "", regions, shapes);
    }
    const auto results = state.begin() + kFirst;
    return {results, results + static_cast<std::ptrdiff_t>(node_.results.size())};
  }

 private:
  static constexpr std::ptrdiff_t kFirst = 2;

  SsaValue Limit() {
    SsaValue length = emitter_.Splat(static_cast<double>(layout_.length), kIndex);
    if (!layout_.dynamic) return length;
    const SsaValue positive = emitter_.Emit("stablehlo.maximum", {operands_[0], emitter_.Splat(0, kIndex)}, "", kIndex);
    return emitter_.Emit("stablehlo.minimum", {positive, length}, "", kIndex);
  }

  std::vector<SsaValue> Condition(std::span<const SsaValue> args) {
    return {emitter_.Emit("stablehlo.compare", {args[0], args[1]},
                          "comparison_direction = #stablehlo<comparison_direction LT>", {DType::kBool, {}})};
  }

  std::vector<SsaValue> Body(std::span<const SsaValue> args) {
    const auto carries = args.subspan(kFirst, layout_.carries), ys = args.subspan(kFirst + layout_.carries, layout_.ys),
               rest = args.subspan(kFirst + node_.results.size());
    const SsaValue one = emitter_.Splat(1, kIndex);
    SsaValue index = args[0];
    if (layout_.reverse) {
      const SsaValue last = emitter_.Emit("stablehlo.subtract", {args[1], one}, "", kIndex);
      index = emitter_.Emit("stablehlo.subtract", {last, args[0]}, "", kIndex);
    }
    std::vector<SsaValue> arguments = {index};
    arguments.insert(arguments.end(), carries.begin(), carries.end());
    for (size_t i = 0; i < rest.size(); ++i) {
      arguments.push_back(i < layout_.xs ? ReadRow(rest[i], index, emitter_) : rest[i]);
    }
    const std::vector<SsaValue> outputs = emitter_.EmitGraph(*node_.regions[0], arguments);
    std::vector<SsaValue> next = {emitter_.Emit("stablehlo.add", {args[0], one}, "", kIndex), args[1]};
    for (size_t i = 0; i < outputs.size(); ++i) {
      next.push_back(i < layout_.carries ? outputs[i] : WriteRow(ys[i - layout_.carries], outputs[i], index, emitter_));
    }
    next.insert(next.end(), rest.begin(), rest.end());
    return next;
  }

  const Node& node_;
  const ScanLayout layout_;
  const std::span<const SsaValue> operands_;
  Emitter& emitter_;
};

Attributes SampleAttributes(int64_t length, int64_t carries, int64_t xs, bool reverse = false, bool dynamic = false) {
  return {{"length", length},   {"carries", carries}, {"xs", xs},
          {"reverse", reverse}, {"dynamic", dynamic}, {"saved", false}};
}

// h = tanh(w h + x) over rows, forwards and backwards; nothing at all; a number of iterations known at run time.
std::vector<Sample> ScanSamples() {
  const Shape h{DType::kF64, {2}}, x{DType::kF64, {4, 2}}, w{DType::kF64, {2}}, none{DType::kF64, {0, 2}};
  const auto recur = [](const Tensors& p) -> Tensors {
    const Tensor next = Tanh(p[1] * p[3] + p[2]);
    return {next, next * p[2]};
  };
  const Region body = MakeRegion({kIndex, h, h, w}, recur);
  Sample forward{.name = "recurrence", .operands = {h, x, w}, .attributes = SampleAttributes(4, 1, 1)};
  Sample backward{.name = "reverse", .operands = {h, x, w}, .attributes = SampleAttributes(4, 1, 1, true)};
  Sample empty{.name = "empty", .operands = {h, none, w}, .attributes = SampleAttributes(0, 1, 1)};
  forward.regions = backward.regions = empty.regions = {body};
  Sample dynamic{.name = "dynamic",
                 .operands = {kIndex, h, w},
                 .attributes = SampleAttributes(3, 1, 0, false, true),
                 .low = -1.9,
                 .high = 5};
  dynamic.regions = {MakeRegion(
      {kIndex, h, w}, [](const Tensors& p) -> Tensors { return {Sine(p[1]) * p[2] + Convert(p[0], DType::kF64)}; })};
  Sample map{.name = "map", .operands = {x}, .attributes = SampleAttributes(4, 0, 1)};
  map.regions = {MakeRegion({kIndex, h}, [](const Tensors& p) -> Tensors { return {ReduceSum(p[1] * p[1] * p[1])}; })};
  return {forward, backward, empty, dynamic, map};
}

}  // namespace

const OpDef kScan{
    .name = "scan",
    .infer = InferScan,
    .typing = TypingRule::kRegions,
    .gradient = Gradient::Rule(ScanGradient),
    .lower = +[](const Node& node, std::span<const SsaValue> operands, Emitter& emitter) -> std::vector<SsaValue> {
      return ScanLowering(node, operands, emitter).Run();
    },
    .samples = ScanSamples,
    .region_typing = TypeRegionResults,
};

}  // namespace replicator
