// Draws are laid out as rows of the leading axis by columns of all others: element (row, column) takes its bits from
// the block of counter (global row, column), so that a row does not depend on how many rows a replica has.
#include "replicator/ops/random.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <numbers>

#include "graph/build_context.h"
#include "graph/emitter.h"
#include "ops/registry.h"
#include "replicator/graph/graph_error.h"
#include "replicator/graph/replica_context.h"
#include "replicator/ops/elementwise.h"
#include "replicator/ops/shape.h"

namespace replicator {
namespace {

// Threefry-2x32, 20 rounds, from the paper: rotations by group of four rounds, and the key schedule's parity constant.
constexpr std::array<std::array<uint32_t, 4>, 2> kRotations = {{{13, 15, 26, 6}, {17, 29, 16, 24}}};
constexpr uint32_t kParity = 0x1BD11BDA;

std::vector<Shape> InferThreefry(const InferContext& context) {
  for (const Shape& shape : context.operands) {
    Require(shape.dtype == DType::kU32, [&] { return fmt::format("u32 is needed, not {}", ToString(shape.dtype)); });
  }
  Require(context.operands[0].dims.empty() && context.operands[1].dims.empty(), "the two words of the key are scalars");
  Require(context.operands[2] == context.operands[3], "the two words of the counter must have the same shape");
  return {context.operands[2], context.operands[2]};
}

std::vector<SsaValue> LowerThreefry(const Node& node, std::span<const SsaValue> operands, Emitter& emitter) {
  const Shape shape = node.results[0], scalar{DType::kU32, {}};
  const auto apply = [&](const char* op, const SsaValue& a, const SsaValue& b) {
    return emitter.Emit(op, {a, b}, "", a.shape);
  };
  const auto spread = [&](const SsaValue& word) {
    if (shape.dims.empty()) return word;
    return emitter.Emit("stablehlo.broadcast_in_dim", {word}, "broadcast_dimensions = array<i64>", shape);
  };
  const std::array<SsaValue, 3> key = {
      operands[0], operands[1],
      apply("stablehlo.xor", apply("stablehlo.xor", operands[0], operands[1]), emitter.Splat(kParity, scalar))};
  SsaValue x0 = apply("stablehlo.add", operands[2], spread(key[0]));
  SsaValue x1 = apply("stablehlo.add", operands[3], spread(key[1]));
  for (uint32_t group = 0; group < 5; ++group) {
    for (uint32_t rotation : kRotations[group % 2]) {
      x0 = apply("stablehlo.add", x0, x1);
      const SsaValue left = apply("stablehlo.shift_left", x1, emitter.Splat(rotation, shape));
      const SsaValue right = apply("stablehlo.shift_right_logical", x1, emitter.Splat(32 - rotation, shape));
      x1 = apply("stablehlo.xor", apply("stablehlo.or", left, right), x0);
    }
    x0 = apply("stablehlo.add", x0, spread(key[(group + 1) % 3]));
    const SsaValue injected = apply("stablehlo.add", key[(group + 2) % 3], emitter.Splat(group + 1, scalar));
    x1 = apply("stablehlo.add", x1, spread(injected));
  }
  return {x0, x1};
}

std::vector<Literal> ThreefryOracle(std::span<const Literal> operands, const Attributes&) {
  std::vector<Literal> results = {operands[2], operands[3]};
  const uint32_t k0 = operands[0].data<uint32_t>()[0], k1 = operands[1].data<uint32_t>()[0];
  const uint32_t schedule[3] = {k0, k1, k0 ^ k1 ^ kParity};
  const auto out0 = results[0].mutable_data<uint32_t>(), out1 = results[1].mutable_data<uint32_t>();
  for (size_t i = 0; i < out0.size(); ++i) {
    uint32_t a = out0[i] + k0, b = out1[i] + k1;
    for (uint32_t round = 0; round < 20; ++round) {
      a += b;
      b = std::rotl(b, static_cast<int>(kRotations[round / 4 % 2][round % 4])) ^ a;
      if (round % 4 == 3) {
        const uint32_t injection = round / 4 + 1;
        a += schedule[injection % 3];
        b += schedule[(injection + 1) % 3] + injection;
      }
    }
    out0[i] = a;
    out1[i] = b;
  }
  return results;
}

Sample MakeSample(const char* name, Dims dims) {
  const Shape scalar{DType::kU32, {}}, counter{DType::kU32, std::move(dims)};
  return {.name = name, .operands = {scalar, scalar, counter, counter}, .low = 0, .high = 4294967295.0};
}

// Operands: the key's two words (scalars) and the counter's two words (of one shape); results: two words per counter.
const OpDef kThreefry{
    .name = "threefry_2x32",
    .infer = InferThreefry,
    .gradient = Gradient::Zero("random bits do not vary continuously"),
    .lower = LowerThreefry,
    .samples = +[]() -> std::vector<Sample> {
      return {MakeSample("matrix", {3, 5}), MakeSample("scalar", {}), MakeSample("empty", {0, 3})};
    },
    .oracle = ThreefryOracle,
};

using Words = std::array<Tensor, 2>;

Words Threefry(const Words& key, const Words& counter, SourceLocation where) {
  const std::vector<Tensor> operands = {key[0], key[1], counter[0], counter[1]};
  const std::vector<Tensor> words = BuildContext::Current(where).graph()->Add(kThreefry, operands, {}, where);
  return {words[0], words[1]};
}

// Marks a counter that is the number of an iteration.
constexpr double kLoop = 0x6C6F6F70;

// The step's key, folded with the iterations of the loops around and with the number of the draw.
Words NextKey(SourceLocation where) {
  BuildContext& build = BuildContext::Current(where);
  const Operand step_key(build.StepKey(where), where);
  const uint64_t draw = build.NextDraw();
  Words key = {Reshape(Slice(step_key, {0}, {1}), {}), Reshape(Slice(step_key, {1}, {2}), {})};
  for (const Tensor& iteration : build.iterations()) {
    key = Threefry(key, {Convert({iteration, where}, DType::kU32), Constant(kLoop, DType::kU32, where)}, where);
  }
  return Threefry(key,
                  {Constant(static_cast<double>(draw >> 32), DType::kU32, where),
                   Constant(static_cast<double>(draw & 0xFFFFFFFFu), DType::kU32, where)},
                  where);
}

// A draw as rows by columns; a scalar is one row of one column.
struct Layout {
  explicit Layout(const Dims& dims)
      : rows(dims.empty() ? 1 : dims[0]), columns(dims.empty() ? 1 : NumElements({dims.begin() + 1, dims.end()})) {}
  int64_t rows;
  int64_t columns;
};

// Blocks of two words for `rows` by `columns` counters.
Words Blocks(int64_t rows, int64_t columns, Typing typing, SourceLocation where) {
  const Words key = NextKey(where);
  Tensor row = Iota(Shape{DType::kU32, {rows, 1}}, 0, where);
  if (typing == Typing::kVarying) {
    row = Add(row, Multiply(Operand(ReplicaContext::Current(where).replica_id(where), where), rows));
  }
  const Tensor column = Iota(Shape{DType::kU32, {rows, columns}}, 1, where);
  return Threefry(key, {BroadcastTo({row, where}, {rows, columns}), column}, where);
}

// Uniform bits, u32 or u64, [rows, columns].
Tensor Bits(DType dtype, int64_t rows, int64_t columns, Typing typing, SourceLocation where) {
  if (dtype == DType::kU64) {
    const Words words = Blocks(rows, columns, typing, where);
    return Or(Convert(words[0], DType::kU64), ShiftLeft(Convert(words[1], DType::kU64), 32));
  }
  // The first words of all blocks, then their second words.
  const Words words = Blocks(rows, (columns + 1) / 2, typing, where);
  return Slice(Concatenate({words[0], words[1]}, 1, where), {0, 0}, {rows, columns});
}

// The type in which a floating draw is computed.
DType Wide(DType dtype) { return dtype == DType::kF64 ? DType::kF64 : DType::kF32; }

// Uniform in [0, 1), of 53 or 24 bits, in `dtype` f64 or f32; [rows, columns].
Tensor UnitUniform(DType dtype, int64_t rows, int64_t columns, Typing typing, SourceLocation where) {
  const bool is_double = dtype == DType::kF64;
  const Tensor bits = Bits(is_double ? DType::kU64 : DType::kU32, rows, columns, typing, where);
  return Multiply(Convert(ShiftRightLogical(bits, is_double ? 11 : 8), dtype), is_double ? 0x1p-53 : 0x1p-24);
}

double Rounded(double value, DType dtype) { return Literal::Scalar(value).ConvertTo(dtype).Item<double>(); }

// The largest value of `dtype` below `high`.
double Below(double high, DType dtype) {
  return VisitDType(dtype, [&]<typename T>() {
    if constexpr (std::is_floating_point_v<T>) {
      return static_cast<double>(std::nextafter(static_cast<T>(high), static_cast<T>(-INFINITY)));
    } else if constexpr (sizeof(T) == 2 && !std::is_integral_v<T>) {
      T value = ConvertElement<T>(high);
      if (value.bits << 1 == 0) {
        value.bits = 0x8001;  // below zero: the smallest negative number
      } else {
        value.bits = static_cast<uint16_t>(value.bits & 0x8000 ? value.bits + 1 : value.bits - 1);
      }
      return ConvertElement<double>(value);
    } else {
      return high;
    }
  });
}

void Check(bool holds, const char* op, const Shape& shape, const std::string& rule, SourceLocation where) {
  if (!holds) throw GraphError(op, {shape}, rule, CallSite::Chain(where));
}

void CheckDims(const char* op, const Shape& shape, SourceLocation where) {
  for (int64_t extent : shape.dims) Check(extent >= 0, op, shape, "an extent is negative", where);
}

}  // namespace

Tensor RandomBits(const Shape& shape, const RandomOptions& options, SourceLocation where) {
  const CallSite site(where);
  CheckDims("random_bits", shape, where);
  Check(shape.dtype == DType::kU32 || shape.dtype == DType::kU64, "random_bits", shape,
        fmt::format("u32 or u64 is needed, not {}", ToString(shape.dtype)), where);
  const Layout layout(shape.dims);
  return Reshape(Bits(shape.dtype, layout.rows, layout.columns, options.typing, where), shape.dims);
}

Tensor RandomUniform(const Shape& shape, double low, double high, const RandomOptions& options, SourceLocation where) {
  const CallSite site(where);
  CheckDims("random_uniform", shape, where);
  Check(IsFloating(shape.dtype), "random_uniform", shape,
        fmt::format("a floating type is needed, not {}", ToString(shape.dtype)), where);
  low = Rounded(low, shape.dtype);
  high = Rounded(high, shape.dtype);
  Check(low < high && std::isfinite(Rounded(high - low, shape.dtype)), "random_uniform", shape,
        fmt::format("low < high is needed, both and their difference finite in {}, not {} and {}",
                    ToString(shape.dtype), low, high),
        where);
  const Layout layout(shape.dims);
  const Tensor unit = UnitUniform(Wide(shape.dtype), layout.rows, layout.columns, options.typing, where);
  // Rounding can reach `high`.
  const Tensor values = Convert(Add(Multiply(unit, high - low), low), shape.dtype);
  return Reshape(Minimum(values, Below(high, shape.dtype)), shape.dims);
}

Tensor RandomNormal(const Shape& shape, double mean, double stddev, const RandomOptions& options,
                    SourceLocation where) {
  const CallSite site(where);
  CheckDims("random_normal", shape, where);
  Check(IsFloating(shape.dtype), "random_normal", shape,
        fmt::format("a floating type is needed, not {}", ToString(shape.dtype)), where);
  Check(stddev >= 0 && std::isfinite(stddev) && std::isfinite(mean), "random_normal", shape,
        fmt::format("a finite mean and a finite stddev >= 0 are needed, not {} and {}", mean, stddev), where);
  const Layout layout(shape.dims);
  const int64_t rows = layout.rows, pairs = (layout.columns + 1) / 2;
  const Tensor unit = UnitUniform(Wide(shape.dtype), rows, 2 * pairs, options.typing, where);
  const Tensor radius = Sqrt(Multiply(Log(Subtract(1, Slice(unit, {0, 0}, {rows, pairs}))), -2));
  const Tensor angle = Multiply(Slice(unit, {0, pairs}, {rows, 2 * pairs}), 2 * std::numbers::pi);
  const Tensor both = Concatenate({Multiply(radius, Cosine(angle)), Multiply(radius, Sine(angle))}, 1, where);
  const Tensor normal = Slice(both, {0, 0}, {rows, layout.columns});
  return Reshape(Convert(Add(Multiply(normal, stddev), mean), shape.dtype), shape.dims);
}

Tensor RandomBernoulli(const Dims& dims, double probability, const RandomOptions& options, SourceLocation where) {
  const CallSite site(where);
  const Shape shape{DType::kBool, dims};
  CheckDims("random_bernoulli", shape, where);
  Check(probability >= 0 && probability <= 1, "random_bernoulli", shape,
        fmt::format("a probability in [0, 1] is needed, not {}", probability), where);
  const Layout layout(dims);
  const Tensor bits = Bits(DType::kU32, layout.rows, layout.columns, options.typing, where);
  // Of the 2^32 values, the first `threshold` count as true; 2^32 itself is no u32.
  const auto threshold = static_cast<int64_t>(std::llround(probability * 0x1p32));
  const Tensor truth = threshold == 0 ? Less(bits, 0) : LessEqual(bits, threshold - 1);
  return Reshape(truth, dims);
}

std::span<const OpDef* const> RandomOps() {
  static constexpr const OpDef* kOps[] = {&kThreefry};
  return kOps;
}

}  // namespace replicator
