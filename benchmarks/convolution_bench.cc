#include "graph/build_context.h"
#include "lower/lower.h"
#include "ops/control_flow.h"
#include "pjrt/client.h"
#include "pjrt/executable.h"
#include "platforms/platform.h"
#include "replicator/ops/convolution.h"
#include "replicator/ops/gradients.h"
#include "replicator/ops/shape.h"
#include "sections.h"

namespace replicator::bench {
namespace {

struct Case {
  std::string name;
  Dims x, filter;
  ConvolutionOptions options;
};
const Case kCases[] = {
    {"conv 3x3 1->32", {32, 28, 28, 1}, {3, 3, 1, 32}, {.padding = Padding::Same()}},
    {"conv 3x3 32->64", {32, 28, 28, 32}, {3, 3, 32, 64}, {.padding = Padding::Same()}},
    {"conv 3x3 128->128", {8, 16, 16, 128}, {3, 3, 128, 128}, {.padding = Padding::Same()}},
    {"conv 1x1 64->256", {4, 56, 56, 64}, {1, 1, 64, 256}, {}},
    {"conv 3x3/2 64->64", {8, 28, 28, 64}, {3, 3, 64, 64}, {.strides = {2, 2}, .padding = Padding::Same()}},
};

// Both gradients of the convolution, as a graph of (x, filter, gradient of the result).
std::shared_ptr<Graph> Gradient(const Case& c) {
  BuildContext build({});
  const BuildContext::Scope scope(build);
  const auto here = SourceLocation::current();
  const Tensor x = build.Input("x", {DType::kF32, c.x}, here),
               filter = build.Input("filter", {DType::kF32, c.filter}, here);
  const Tensor y = Convolution(x, filter, c.options);
  const Tensor dy = build.Input("dy", y.shape(), here);
  std::vector<Value> outputs;
  for (const Tensor& gradient : Gradients(y, std::vector<Tensor>{x, filter}, dy)) outputs.push_back(gradient.value());
  build.graph()->SetOutputs(outputs);
  return build.graph();
}

// The same inside a branch of a case, where XLA:CPU does not canonicalise convolutions.
std::shared_ptr<Graph> InsideARegion(const std::shared_ptr<Graph>& graph) {
  BuildContext build({});
  const BuildContext::Scope scope(build);
  const auto here = SourceLocation::current();
  std::vector<Tensor> operands = {build.Input("index", {DType::kI32, {}}, here)};
  for (int id : graph->parameters())
    operands.push_back(build.Input("p" + std::to_string(id), graph->node(id).results[0], here));
  std::vector<Value> outputs;
  for (const Tensor& result : build.graph()->Add(kCase, operands, {}, here, {graph, graph}))
    outputs.push_back(result.value());
  build.graph()->SetOutputs(outputs);
  return build.graph();
}

class Runner {
 public:
  Runner(const std::shared_ptr<pjrt::Client>& client, const Graph& graph)
      : executable_(client->Compile(LowerToStableHlo(graph, {}))) {
    for (int id : graph.parameters()) {
      Literal value(graph.node(id).results[0]);
      if (value.dtype() == DType::kF32) {
        for (float& element : value.mutable_data<float>()) element = 0.5f;
      }
      buffers_.push_back(client->Put(value, client->devices()[0]));
    }
    arguments_.emplace_back();
    for (pjrt::Buffer& buffer : buffers_) arguments_[0].push_back(&buffer);
  }
  void Run() { executable_->Execute(arguments_).Await(); }

 private:
  std::unique_ptr<pjrt::Executable> executable_;
  std::vector<pjrt::Buffer> buffers_;
  std::vector<std::vector<pjrt::Buffer*>> arguments_;
};

}  // namespace

std::vector<Ratio> ConvolutionRatios(const Options& options) {
  const auto client = platforms::CreateClient({.platform = "cpu"});
  std::vector<Ratio> results;
  for (const Case& c : kCases) {
    const std::shared_ptr<Graph> graph = Gradient(c);
    Runner straight(client, *graph), inside(client, *InsideARegion(graph));
    Ratio what{.name = "gradients of " + c.name + " in a region", .against = "straight code", .limit = 1.2};
    results.push_back(Compare(
        what, options.pairs, 1, [&] { return SecondsOf([&] { inside.Run(); }); },
        [&] { return SecondsOf([&] { straight.Run(); }); }));
    Print(results.back());
  }
  return results;
}

}  // namespace replicator::bench
