// What the definitions of the operations with regions share.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "graph/emitter.h"
#include "graph/graph.h"
#include "ops/control_flow.h"

namespace replicator {

using Tensors = std::vector<Tensor>;

std::vector<Shape> OutputShapes(const Graph& graph);
std::vector<Shape> ShapesOf(std::span<const SsaValue> values);
// Of a shape rule: the region's parameters are `shapes`.
void RequireParameters(const Graph& region, std::span<const Shape> shapes);

// A region for a sample.
Region MakeRegion(const std::vector<Shape>& parameters, const std::function<Tensors(const Tensors&)>& body);

std::vector<Typing> TypeRegionResults(const Node& node, std::span<const Typing> operands);
Tensors CaseGradient(const GradientContext& g);
Tensors ScanGradient(const GradientContext& g);

}  // namespace replicator
