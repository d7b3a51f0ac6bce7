// The emitter that writes MLIR text.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "graph/emitter.h"
#include "graph/graph.h"
#include "lower/lower.h"

namespace replicator {

class TextEmitter : public Emitter {
 public:
  explicit TextEmitter(const LowerOptions& options) : options_(options) {}

  LoweringTarget target() const override { return options_.target; }
  int num_replicas() const override { return options_.num_replicas; }
  std::vector<SsaValue> EmitMany(std::string_view op, std::span<const SsaValue> operands, std::string_view attributes,
                                 std::span<const std::string> regions, std::span<const Shape> results) override;
  std::string Region(std::span<const Shape> arguments, const Body& body) override;
  std::vector<SsaValue> EmitGraph(const Graph& graph, std::span<const SsaValue> arguments) override;
  SsaValue Constant(const Literal& literal) override;

  std::string TakeText() { return std::move(text_); }

 private:
  std::string NextName() { return "%" + std::to_string(next_name_++); }

  const LowerOptions& options_;
  std::string text_;  // of the innermost region that is being emitted
  int next_name_ = 0;
  // Scalar constants of each region are emitted once; keyed by type and text, per nesting level.
  std::vector<std::unordered_map<std::string, SsaValue>> constants_{1};
};

// The inside of dense<...>: a splat, or all elements as one hexadecimal string.
std::string DenseElements(const Literal& literal);

}  // namespace replicator
