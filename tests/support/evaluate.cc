#include "support/evaluate.h"

#include "lower/lower.h"

namespace replicator::testing {
namespace {

struct Built {
  std::shared_ptr<Graph> graph;
  std::vector<bool> is_input;  // by parameter; the others are the step's key
};

Built Build(const BuildFn& build, const std::vector<Shape>& inputs, int num_replicas, Mode mode) {
  BuildContext context({.num_replicas = num_replicas, .mode = mode});
  const BuildContext::Scope scope(context);
  std::vector<Tensor> tensors;
  for (size_t i = 0; i < inputs.size(); ++i) {
    tensors.push_back(context.Input("x" + std::to_string(i), inputs[i], SourceLocation::current()));
  }
  std::vector<Value> outputs;
  for (const Tensor& output : build(tensors)) outputs.push_back(output.value());
  Built built{context.graph(), {}};
  built.graph->SetOutputs(std::move(outputs));
  for (int parameter : built.graph->parameters()) {
    built.is_input.push_back(built.graph->node(parameter).attributes.String("kind") == "input");
  }
  return built;
}

std::vector<Shape> ShapesOf(const std::vector<Literal>& literals) {
  std::vector<Shape> shapes;
  for (const Literal& literal : literals) shapes.push_back(literal.shape());
  return shapes;
}

}  // namespace

std::string LowerToText(const BuildFn& build, const std::vector<Shape>& inputs, int num_replicas,
                        LoweringTarget target) {
  return LowerToStableHlo(*Build(build, inputs, num_replicas, Mode::kTrain).graph,
                          {.target = target, .num_replicas = num_replicas});
}

PerReplica EvaluateReplicas(const BuildFn& build, const PerReplica& inputs, const EvaluateOptions& options) {
  const int num_replicas = static_cast<int>(inputs.size());
  Backend& backend = CpuBackend(options.backend);
  const Built built = Build(build, ShapesOf(inputs[0]), num_replicas, options.mode);
  const Literal key = Literal::FromValues<uint32_t>({2}, {options.step_key[0], options.step_key[1]});
  PerReplica arguments(inputs.size());
  for (size_t r = 0; r < inputs.size(); ++r) {
    size_t next = 0;
    for (bool is_input : built.is_input) arguments[r].push_back(is_input ? inputs[r][next++] : key);
  }
  return backend.Run(LowerToStableHlo(*built.graph, {.target = backend.target(), .num_replicas = num_replicas}),
                     arguments);
}

std::vector<Literal> Evaluate(const BuildFn& build, const std::vector<Literal>& inputs,
                              const EvaluateOptions& options) {
  return EvaluateReplicas(build, {inputs}, options)[0];
}

}  // namespace replicator::testing
