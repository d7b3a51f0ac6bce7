// Shape rules and samples that the collectives share.
#pragma once

#include <string>
#include <vector>

#include "ops/elementwise_rules.h"
#include "replicator/graph/replica_context.h"

namespace replicator {

inline int NumReplicas() { return ReplicaContext::Current().num_replicas(); }

// Whether a rule that treats each operand by itself must give a gradient to operand i, for what result i got.
inline bool Wanted(const GradientContext& g, int i) {
  return g.needs(i) && IsFloating(g.node().results[static_cast<size_t>(i)].dtype);
}

// Any number of operands of accepted dtypes; each result is like its operand.
template <bool (*kAccepts)(DType)>
std::vector<Shape> EachOfSameShape(const InferContext& context) {
  for (const Shape& shape : context.operands) {
    Require(kAccepts(shape.dtype), [&] { return "dtype " + std::string(ToString(shape.dtype)) + " is not supported"; });
  }
  return {context.operands.begin(), context.operands.end()};
}

// The attributes of a vector of `count` tensors, besides `others`.
inline Attributes NestOf(int count, Attributes others = {}) {
  std::string structure = "[*";
  for (int i = 1; i < count; ++i) structure += ", *";
  others.Set("nest", structure + "]");
  return others;
}

// A tensor, and a nest of two element types. Leading extents are divisible by 4.
inline std::vector<Sample> CollectiveSamples(const Attributes& attributes, bool with_scalar = true) {
  const Shape matrix{DType::kF64, {4, 3}}, narrow{DType::kF32, {4}};
  const Shape last = with_scalar ? Shape{DType::kF64, {}} : Shape{DType::kF64, {8}};
  return {{"matrix", {matrix}, attributes}, {"nest", {matrix, narrow, last}, NestOf(3, attributes)}};
}

}  // namespace replicator
