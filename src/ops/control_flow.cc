#include "ops/control_flow.h"

#include "graph/build_context.h"
#include "graph/emitter.h"
#include "graph/graph.h"
#include "ops/registry.h"
#include "replicator/ops/elementwise.h"

namespace replicator {
namespace {

std::vector<Shape> OutputShapes(const Graph& graph) {
  std::vector<Shape> shapes;
  for (Value output : graph.outputs()) shapes.push_back(graph.shape(output));
  return shapes;
}

std::vector<Shape> InferCase(const InferContext& context) {
  Require(!context.regions.empty(), "at least one region is needed");
  Require(!context.operands.empty() && context.operands[0] == Shape{DType::kI32, {}},
          "the index must be an i32 scalar");
  const std::vector<Shape> results = OutputShapes(*context.regions[0]);
  for (const Region& region : context.regions) {
    Require(OutputShapes(*region) == results, "all regions must return the same shapes");
    Require(region->parameters().size() + 1 == context.operands.size(),
            "every region takes all operands but the index");
    for (size_t i = 0; i < region->parameters().size(); ++i) {
      Require(region->node(region->parameters()[i]).results[0] == context.operands[i + 1],
              "the regions' parameters must have the shapes of the operands");
    }
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

template <typename Body>
Region MakeRegion(const Shape& shape, const Body& body) {
  BuildContext build({});
  const BuildContext::Scope scope(build);
  build.graph()->SetOutputs({body(build.Input("x", shape, SourceLocation::current())).value()});
  return build.graph();
}

std::vector<Sample> CaseSamples() {
  const Shape shape{DType::kF64, {2, 3}};
  Sample sample{"two_branches", {{DType::kI32, {}}, shape}};
  sample.regions = {MakeRegion(shape, [](const Tensor& x) { return Exp(x); }),
                    MakeRegion(shape, [](const Tensor& x) { return x * 2.0; })};
  return {sample};
}

}  // namespace

const OpDef kCase{
    .name = "case",
    .infer = InferCase,
    .gradient = Gradient::None("it appears only after differentiation, where replicas differ"),
    .lower = LowerCase,
    .samples = CaseSamples,
};

std::span<const OpDef* const> ControlFlowOps() {
  static const OpDef* const kOps[] = {&kCase};
  return kOps;
}

}  // namespace replicator
