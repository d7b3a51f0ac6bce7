// Shape rules, lowering, samples and oracles that element-by-element operations share.
#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "graph/emitter.h"
#include "graph/graph.h"
#include "graph/op_def.h"

namespace replicator {

inline bool AnyDType(DType) { return true; }
inline bool Numeric(DType dtype) { return dtype != DType::kBool; }
inline bool SignedOrFloating(DType dtype) { return IsSigned(dtype) || IsFloating(dtype); }
inline bool Bitwise(DType dtype) { return !IsFloating(dtype); }

// Equal shapes of an accepted dtype; the result has that shape.
template <bool (*kAccepts)(DType)>
std::vector<Shape> SameShape(const InferContext& context) {
  const Shape& first = context.operands[0];
  for (const Shape& shape : context.operands) {
    Require(kAccepts(shape.dtype), [&] { return "dtype " + std::string(ToString(shape.dtype)) + " is not supported"; });
    Require(shape.dtype == first.dtype, [&] {
      return "operands must have the same dtype, not " + std::string(ToString(first.dtype)) + " and " +
             std::string(ToString(shape.dtype)) + "; convert one with Convert";
    });
    Require(shape.dims == first.dims, [&] {
      return "shapes " + ToString(first.dims) + " and " + ToString(shape.dims) +
             " do not broadcast: aligned from the last axis, extents must be equal or 1";
    });
  }
  return {first};
}

// stablehlo.<name> of all operands, with the result's shape.
inline std::vector<SsaValue> LowerNary(const Node& node, std::span<const SsaValue> operands, Emitter& emitter) {
  return emitter.EmitMany("stablehlo." + std::string(node.op->name), operands, "", {}, node.results);
}

inline std::vector<Sample> UnarySamples(DType dtype, double low, double high, double tolerance = 1e-6) {
  return {{"vector", {{dtype, {5}}}, {}, low, high, tolerance},
          {"scalar", {{dtype, {}}}, {}, low, high, tolerance},
          {"empty", {{dtype, {0, 3}}}, {}, low, high, tolerance}};
}
inline std::vector<Sample> BinarySamples(DType dtype, double low, double high, double tolerance = 1e-6) {
  return {{"matrix", {{dtype, {2, 3}}, {dtype, {2, 3}}}, {}, low, high, tolerance},
          {"scalar", {{dtype, {}}, {dtype, {}}}, {}, low, high, tolerance}};
}

// Applies `function` to each element in double and stores it in `dtype`.
inline std::vector<Literal> MapElements(std::span<const Literal> operands, DType dtype,
                                        const std::function<double(std::span<const double>)>& function) {
  std::vector<std::vector<double>> inputs;
  for (const Literal& operand : operands) inputs.push_back(operand.ToDoubles());
  Literal result{Shape{DType::kF64, operands[0].dims()}};
  const auto out = result.mutable_data<double>();
  std::vector<double> arguments(inputs.size());
  for (size_t i = 0; i < out.size(); ++i) {
    for (size_t k = 0; k < inputs.size(); ++k) arguments[k] = inputs[k][i];
    out[i] = function(arguments);
  }
  return {result.ConvertTo(dtype)};
}

template <double (*kFunction)(double)>
std::vector<Literal> UnaryOracle(std::span<const Literal> operands, const Attributes&) {
  return MapElements(operands, operands[0].dtype(), [](std::span<const double> x) { return kFunction(x[0]); });
}
template <double (*kFunction)(double, double)>
std::vector<Literal> BinaryOracle(std::span<const Literal> operands, const Attributes&) {
  return MapElements(operands, operands[0].dtype(), [](std::span<const double> x) { return kFunction(x[0], x[1]); });
}

}  // namespace replicator
