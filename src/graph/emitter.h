// How an operation writes itself as StableHLO, in MLIR's generic form: "stablehlo.op"(%a, %b) ({region}) {attributes} :
// ... The interface lives here so that operations carry their lowering; src/lower implements it.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graph/op_def.h"

namespace replicator {

// The compilers whose fast forms differ. A lowering asks for it only to choose between equal programs.
enum class LoweringTarget { kCpu, kGpu, kTpu };

class Emitter {
 public:
  using Body = std::function<std::vector<SsaValue>(std::span<const SsaValue> arguments)>;

  virtual ~Emitter() = default;

  virtual LoweringTarget target() const = 0;
  virtual int num_replicas() const = 0;

  // Emits one operation. `attributes` is the inside of MLIR's braces, may be empty. `regions` come from Region().
  virtual std::vector<SsaValue> EmitMany(std::string_view op, std::span<const SsaValue> operands,
                                         std::string_view attributes, std::span<const std::string> regions,
                                         std::span<const Shape> results) = 0;
  SsaValue Emit(std::string_view op, std::vector<SsaValue> operands, std::string_view attributes, const Shape& result,
                std::vector<std::string> regions = {}) {
    return EmitMany(op, operands, attributes, regions, {&result, 1})[0];
  }
  // The text of a region with the given block arguments, ended by stablehlo.return of what `body` returns.
  virtual std::string Region(std::span<const Shape> arguments, const Body& body) = 0;
  // Emits a whole graph in place, its parameters bound to `arguments`; returns its outputs.
  virtual std::vector<SsaValue> EmitGraph(const Graph& graph, std::span<const SsaValue> arguments) = 0;

  // A constant whose elements are all `value`, converted to the shape's dtype.
  SsaValue Splat(double value, const Shape& shape);
  virtual SsaValue Constant(const Literal& literal) = 0;
  // A reduction with `op` ("stablehlo.add", ...) over `axes`, from `init`; the axes are dropped.
  SsaValue Reduce(std::string_view op, const SsaValue& operand, double init, const Dims& axes);
  SsaValue Reduce(std::string_view op, const SsaValue& operand, const SsaValue& init, const Dims& axes);
};

// "tensor<2x3xf32>"
std::string MlirType(const Shape& shape);
// "array<i64: 1, 2>"
std::string MlirArray(std::span<const int64_t> values);

}  // namespace replicator
