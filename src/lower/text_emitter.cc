#include "lower/text_emitter.h"

#include <algorithm>
#include <cstring>

#include "graph/region.h"

namespace replicator {
namespace {

constexpr char kHexDigits[] = "0123456789ABCDEF";

std::string HexOf(const std::byte* bytes, size_t count, bool reversed) {
  std::string text;
  text.reserve(2 * count);
  for (size_t i = 0; i < count; ++i) {
    const auto byte = static_cast<unsigned>(bytes[reversed ? count - 1 - i : i]);
    text += kHexDigits[byte >> 4];
    text += kHexDigits[byte & 15];
  }
  return text;
}

// One element. Floating ones are written as their bits, so that every value (NaN and infinity too) is exact.
std::string Element(const Literal& literal) {
  if (literal.dtype() == DType::kBool) return literal.Item<bool>() ? "true" : "false";
  if (IsFloating(literal.dtype())) return "0x" + HexOf(literal.bytes(), ByteSize(literal.dtype()), /*reversed=*/true);
  if (IsUnsigned(literal.dtype())) return std::to_string(literal.Item<uint64_t>());
  return std::to_string(literal.Item<int64_t>());
}

bool AllElementsEqual(const Literal& literal) {
  const size_t width = ByteSize(literal.dtype());
  for (size_t at = width; at < literal.byte_size(); at += width) {
    if (std::memcmp(literal.bytes(), literal.bytes() + at, width) != 0) return false;
  }
  return true;
}

std::string DenseBools(std::span<const bool> values) {  // MLIR packs bools in hexadecimal strings by its own rule
  std::string text;
  for (bool value : values) text += (text.empty() ? "" : ", ") + std::string(value ? "true" : "false");
  return text;
}

std::string ResultTypes(std::span<const Shape> results) {
  if (results.size() == 1) return MlirType(results[0]);
  std::string text = "(";
  for (size_t i = 0; i < results.size(); ++i) text += (i == 0 ? "" : ", ") + MlirType(results[i]);
  return text + ")";
}

void AppendNested(std::string& text, std::span<const bool> values, const Dims& dims, size_t axis, size_t& at) {
  if (axis + 1 >= dims.size()) {
    const auto count = static_cast<size_t>(dims.back());
    text += "[" + DenseBools(values.subspan(at, count)) + "]";
    at += count;
    return;
  }
  text += "[";
  for (int64_t i = 0; i < dims[axis]; ++i) {
    if (i > 0) text += ", ";
    AppendNested(text, values, dims, axis + 1, at);
  }
  text += "]";
}

}  // namespace

std::string DenseElements(const Literal& literal) {
  if (literal.num_elements() == 0) return "";
  if (AllElementsEqual(literal)) {
    Literal first{Shape{literal.dtype(), {}}};
    std::memcpy(first.mutable_bytes(), literal.bytes(), ByteSize(literal.dtype()));
    return Element(first);
  }
  if (literal.dtype() == DType::kBool) {
    std::string text;
    size_t at = 0;
    AppendNested(text, literal.data<bool>(), literal.dims(), 0, at);
    return text;
  }
  return "\"0x" + HexOf(literal.bytes(), literal.byte_size(), /*reversed=*/false) + "\"";
}

std::vector<SsaValue> TextEmitter::EmitMany(std::string_view op, std::span<const SsaValue> operands,
                                            std::string_view attributes, std::span<const std::string> regions,
                                            std::span<const Shape> results) {
  const std::string name = NextName();
  text_ += "  ";
  if (!results.empty()) text_ += name;
  if (results.size() > 1) text_ += ":" + std::to_string(results.size());
  if (!results.empty()) text_ += " = ";
  text_ += "\"" + std::string(op) + "\"(";
  std::string types;
  for (size_t i = 0; i < operands.size(); ++i) {
    text_ += (i == 0 ? "" : ", ") + operands[i].name;
    types += (i == 0 ? "" : ", ") + MlirType(operands[i].shape);
  }
  text_ += ")";
  for (size_t i = 0; i < regions.size(); ++i) text_ += (i == 0 ? " (" : ", ") + regions[i];
  if (!regions.empty()) text_ += ")";
  if (!attributes.empty()) text_ += " {" + std::string(attributes) + "}";
  text_ += " : (" + types + ") -> " + ResultTypes(results) + "\n";

  std::vector<SsaValue> values;
  values.reserve(results.size());
  for (size_t i = 0; i < results.size(); ++i) {
    values.push_back({results.size() == 1 ? name : name + "#" + std::to_string(i), results[i]});
  }
  return values;
}

std::string TextEmitter::Region(std::span<const Shape> arguments, const Body& body) {
  std::string outer = std::move(text_);
  text_.clear();
  constants_.emplace_back();
  std::vector<SsaValue> values;
  std::string header;
  for (const Shape& shape : arguments) {
    values.push_back({NextName(), shape});
    header += (header.empty() ? "" : ", ") + values.back().name + ": " + MlirType(shape);
  }
  const std::vector<SsaValue> results = body(values);
  EmitMany("stablehlo.return", results, "", {}, {});
  std::string region = "{\n" + (arguments.empty() ? std::string() : "  ^bb0(" + header + "):\n") + text_ + "  }";
  constants_.pop_back();
  text_ = std::move(outer);
  return region;
}

std::vector<SsaValue> TextEmitter::EmitGraph(const Graph& graph, std::span<const SsaValue> arguments) {
  std::vector<std::vector<SsaValue>> values(graph.nodes().size());
  for (size_t i = 0; i < graph.parameters().size(); ++i) {
    values[static_cast<size_t>(graph.parameters()[i])] = {arguments[i]};
  }
  const auto lookup = [&](Value value) {
    return values[static_cast<size_t>(value.node)][static_cast<size_t>(value.index)];
  };
  std::vector<bool> live(graph.nodes().size(), false);
  for (Value output : graph.outputs()) live[static_cast<size_t>(output.node)] = true;
  for (size_t id = graph.nodes().size(); id-- > 0;) {
    // A collective stays even if nobody reads its result: every replica must take part.
    if (!live[id] && FindCollective(graph.nodes()[id]) != nullptr) live[id] = true;
    if (!live[id]) continue;
    for (Value operand : graph.nodes()[id].operands) live[static_cast<size_t>(operand.node)] = true;
  }
  std::vector<SsaValue> operands;
  for (size_t id = 0; id < graph.nodes().size(); ++id) {
    const Node& node = graph.nodes()[id];
    if (!live[id] || node.op == &kParameter) continue;
    operands.clear();
    for (Value operand : node.operands) operands.push_back(lookup(operand));
    values[id] = node.op->lower(node, operands, *this);
  }
  std::vector<SsaValue> results;
  for (Value output : graph.outputs()) results.push_back(lookup(output));
  return results;
}

SsaValue TextEmitter::Constant(const Literal& literal) {
  const std::string elements = DenseElements(literal);
  const std::string key = MlirType(literal.shape()) + elements;
  const bool scalar = literal.dims().empty();
  if (scalar) {
    for (const auto& level : constants_) {
      if (auto found = level.find(key); found != level.end()) return found->second;
    }
  }
  SsaValue value =
      Emit("stablehlo.constant", {}, "value = dense<" + elements + "> : " + MlirType(literal.shape()), literal.shape());
  if (scalar) constants_.back().emplace(key, value);
  return value;
}

std::string LowerToStableHlo(const Graph& graph, const LowerOptions& options) {
  TextEmitter emitter(options);
  std::vector<SsaValue> arguments;
  std::string signature;
  for (size_t i = 0; i < graph.parameters().size(); ++i) {
    const Shape& shape = graph.node(graph.parameters()[i]).results[0];
    arguments.push_back({"%arg" + std::to_string(i), shape});
    signature += (i == 0 ? "" : ", ") + arguments.back().name + ": " + MlirType(shape);
    if (i < options.aliases.size() && options.aliases[i] >= 0) {
      signature += " {tf.aliasing_output = " + std::to_string(options.aliases[i]) + " : i32}";
    }
  }
  const std::vector<SsaValue> results = emitter.EmitGraph(graph, arguments);
  std::string returned, types;
  for (size_t i = 0; i < results.size(); ++i) {
    returned += (i == 0 ? " " : ", ") + results[i].name;
    types += (i == 0 ? "" : ", ") + MlirType(results[i].shape);
  }
  std::string text =
      "module @" + options.module_name +
      " attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = " + std::to_string(options.num_replicas) +
      " : i32} {\n";
  text += "func.func public @main(" + signature + ") -> (" + types + ") {\n" + emitter.TakeText();
  text += "  func.return" + returned + (results.empty() ? "" : " : " + types) + "\n}\n}\n";
  return text;
}

}  // namespace replicator
