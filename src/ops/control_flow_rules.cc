#include "ops/control_flow_rules.h"

#include "graph/build_context.h"

namespace replicator {

std::vector<Shape> OutputShapes(const Graph& graph) {
  std::vector<Shape> shapes;
  for (Value output : graph.outputs()) shapes.push_back(graph.shape(output));
  return shapes;
}

std::vector<Shape> ShapesOf(std::span<const SsaValue> values) {
  std::vector<Shape> shapes;
  for (const SsaValue& value : values) shapes.push_back(value.shape);
  return shapes;
}

void RequireParameters(const Graph& region, std::span<const Shape> shapes) {
  const std::vector<int>& parameters = region.parameters();
  Require(parameters.size() == shapes.size(), "a region takes another number of parameters than it is given");
  for (size_t i = 0; i < shapes.size(); ++i) {
    Require(region.node(parameters[i]).results[0] == shapes[i],
            "the regions' parameters must have the shapes of the operands");
  }
}

Region MakeRegion(const std::vector<Shape>& parameters, const std::function<Tensors(const Tensors&)>& body) {
  BuildContext build({});
  const BuildContext::Scope scope(build);
  Tensors arguments;
  for (const Shape& shape : parameters) {
    arguments.push_back(build.Input("x" + std::to_string(arguments.size()), shape, SourceLocation::current()));
  }
  std::vector<Value> outputs;
  for (const Tensor& output : body(arguments)) outputs.push_back(output.value());
  build.graph()->SetOutputs(std::move(outputs));
  return build.graph();
}

}  // namespace replicator
