#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <string>

#include "bare_loop.h"
#include "graph/build_context.h"
#include "replicate/replica_step.h"
#include "replicate/rewrite.h"
#include "replicator/replicator.h"
#include "sections.h"

namespace replicator::bench {
namespace {

// A step of the size of ResNet-50's (He et al. 2016, table 1): 53 convolutions, each with a global batch norm, in
// bottleneck blocks of 3, 4, 6 and 3; 161 trainable variables; SGD with momentum.
class ResNet50Step {
 public:
  std::vector<Tensor> operator()(const std::map<std::string, Tensor>& batch) {
    ++calls_;
    next_ = 0;
    Tensor x = MaxPool(Relu(ConvolutionWithNorm(batch.at("image"), 64, 7, 2)),
                       {.window = {3, 3}, .strides = {2, 2}, .padding = Padding::Same()});
    const std::array<int, 4> blocks = {3, 4, 6, 3};
    for (size_t stage = 0; stage < blocks.size(); ++stage) {
      const int64_t width = int64_t{64} << stage;
      for (int block = 0; block < blocks[stage]; ++block) {
        const int64_t stride = stage > 0 && block == 0 ? 2 : 1;
        Tensor y = Relu(ConvolutionWithNorm(x, width, 1, 1));
        y = Relu(ConvolutionWithNorm(y, width, 3, stride));
        y = ConvolutionWithNorm(y, 4 * width, 1, 1);
        x = Relu(y + (block == 0 ? ConvolutionWithNorm(x, 4 * width, 1, stride) : x));
      }
    }
    const Tensor logits = dense_(ReduceMean(x, {.axes = {{1, 2}}}));
    const Tensor loss = ReduceMean(nn::SoftmaxCrossEntropy(logits, batch.at("label")));
    optimizer_.Minimize(loss);
    return {loss};
  }

  int calls() const { return calls_; }

 private:
  struct Layer {
    nn::Conv2D convolution;
    nn::BatchNorm norm;
  };

  Tensor ConvolutionWithNorm(const Tensor& x, int64_t filters, int64_t kernel, int64_t stride) {
    if (next_ == layers_.size()) {
      const std::string number = std::to_string(next_);
      layers_.push_back({nn::Conv2D({.filters = filters,
                                     .kernel_size = {kernel, kernel},
                                     .strides = {stride, stride},
                                     .padding = Padding::Same(),
                                     .use_bias = false,
                                     .name = "convolution" + number}),
                         nn::BatchNorm({.name = "norm" + number})});
    }
    const Layer& layer = layers_[next_++];
    return layer.norm(layer.convolution(x));
  }

  std::vector<Layer> layers_;
  size_t next_ = 0;
  const nn::Dense dense_{{.units = 1000}};
  const optim::Optimizer optimizer_ =
      optim::Momentum({.learning_rate = 0.1}).WithReduction(optim::GradientReduction::kMean);
  int calls_ = 0;
};

struct Built {
  double seconds = 0;
  size_t operations = 0, variables = 0;
  int calls = 0;
};

Built Build(int num_replicas) {
  VariableTable variables;
  const ReplicatorContext context(&variables, SourceLocation::current());
  ResNet50Step step;
  const StepOptions options{.num_replicas = num_replicas,
                            .inputs = {{"image", {DType::kF32, {2, 224, 224, 3}}}, {"label", {DType::kI32, {2}}}}};
  Built built;
  built.seconds = SecondsOf([&] {
    const ReplicaSteps steps =
        BuildReplicaSteps([&](const std::map<std::string, Tensor>& batch) { return step(batch); }, variables, options);
    built.operations = steps.classes[0].graph->nodes().size();
    Rewrite(steps, options);
  });
  built.calls = step.calls();
  for (const auto& variable : variables.all()) built.variables += variable->options.trainable ? 1 : 0;
  return built;
}

double PeakGiB() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / (1024.0 * 1024.0);
}

std::vector<Ratio> ResNet50Ratios() {
  const double before = PeakGiB();
  const Built few = Build(128), many = Build(512);
  const std::string what = "building and matching " + std::to_string(many.operations) + " operations and " +
                           std::to_string(many.variables) + " variables, " + std::to_string(many.calls) +
                           " calls of step_fn";
  std::vector<Ratio> results = {
      {.name = what, .against = "15 s", .limit = 1, .samples = 1, .ratio = many.seconds / 15},
      {.name = "the same: memory", .against = "2 GiB", .limit = 1, .samples = 1, .ratio = (PeakGiB() - before) / 2},
      {.name = "the same: time per replica",
       .against = "128 replicas",
       .limit = 1.2,
       .samples = 1,
       .ratio = many.seconds / 512 / (few.seconds / 128)}};
  return results;
}

constexpr int64_t kBatch = 128, kWidth = 512;

Variable Matrix(const std::string& name, int64_t rows, Aggregation aggregation = Aggregation::kNone) {
  return Variable({.name = name,
                   .shape = {DType::kF32, {rows, kWidth}},
                   .initializer = [](const Shape& shape) { return Zeros(shape); },
                   .aggregation = aggregation});
}

// Two layers, their gradients, and a descent along the mean of the replicas' gradients, as a person would write it.
BareProgram WrittenByHand(int num_replicas) {
  const std::string groups = num_replicas == 1 ? "[[0]]> : tensor<1x1xi64>" : "[[0, 1]]> : tensor<1x2xi64>";
  const auto all_sum = [&](const std::string& to, const std::string& from) {
    return "  %" + to + " = \"stablehlo.all_reduce\"(%" + from + ") ({\n" +
           "  ^bb0(%p: tensor<f32>, %q: tensor<f32>):\n" + "    %t = stablehlo.add %p, %q : tensor<f32>\n" +
           "    stablehlo.return %t : tensor<f32>\n" + "  }) {replica_groups = dense<" + groups +
           "} : (tensor<512x512xf32>) -> tensor<512x512xf32>\n";
  };
  const std::string rate = std::to_string(0.1 / num_replicas);
  BareProgram program{
      .num_replicas = num_replicas,
      .parameters = {{DType::kF32, {kBatch, kWidth}}, {DType::kF32, {kWidth, kWidth}}, {DType::kF32, {kWidth, kWidth}}},
      .updates = {-1, 1, 2},
      .num_outputs = 3};
  program.mlir =
      "module @by_hand attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = " + std::to_string(num_replicas) +
      " : i32} {\n" + R"(func.func public @main(%a: tensor<128x512xf32>,
    %w1: tensor<512x512xf32> {tf.aliasing_output = 1 : i32},
    %w2: tensor<512x512xf32> {tf.aliasing_output = 2 : i32})
    -> (tensor<f32>, tensor<512x512xf32>, tensor<512x512xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<128x512xf32>
  %count = stablehlo.constant dense<65536.0> : tensor<f32>
  %scale = stablehlo.constant dense<3.0517578125e-05> : tensor<128x512xf32>
  %z = stablehlo.dot_general %a, %w1, contracting_dims = [1] x [0] : (tensor<128x512xf32>, tensor<512x512xf32>) -> tensor<128x512xf32>
  %h = stablehlo.tanh %z : tensor<128x512xf32>
  %y = stablehlo.dot_general %h, %w2, contracting_dims = [1] x [0] : (tensor<128x512xf32>, tensor<512x512xf32>) -> tensor<128x512xf32>
  %square = stablehlo.multiply %y, %y : tensor<128x512xf32>
  %sum = stablehlo.reduce(%square init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<128x512xf32>, tensor<f32>) -> tensor<f32>
  %loss = stablehlo.divide %sum, %count : tensor<f32>
  %dy = stablehlo.multiply %y, %scale : tensor<128x512xf32>
  %g2 = stablehlo.dot_general %h, %dy, contracting_dims = [0] x [0] : (tensor<128x512xf32>, tensor<128x512xf32>) -> tensor<512x512xf32>
  %dh = stablehlo.dot_general %dy, %w2, contracting_dims = [1] x [1] : (tensor<128x512xf32>, tensor<512x512xf32>) -> tensor<128x512xf32>
  %hh = stablehlo.multiply %h, %h : tensor<128x512xf32>
  %slope = stablehlo.subtract %one, %hh : tensor<128x512xf32>
  %dz = stablehlo.multiply %dh, %slope : tensor<128x512xf32>
  %g1 = stablehlo.dot_general %a, %dz, contracting_dims = [0] x [0] : (tensor<128x512xf32>, tensor<128x512xf32>) -> tensor<512x512xf32>
)" + all_sum("s1", "g1") +
      all_sum("s2", "g2") + "  %rate = stablehlo.constant dense<" + rate +
      "> : tensor<512x512xf32>\n"
      R"(  %d1 = stablehlo.multiply %s1, %rate : tensor<512x512xf32>
  %d2 = stablehlo.multiply %s2, %rate : tensor<512x512xf32>
  %v1 = stablehlo.subtract %w1, %d1 : tensor<512x512xf32>
  %v2 = stablehlo.subtract %w2, %d2 : tensor<512x512xf32>
  func.return %loss, %v1, %v2 : tensor<f32>, tensor<512x512xf32>, tensor<512x512xf32>
}
}
)";
  return program;
}

// One session with one step; `build` returns what is fetched.
class Stepper {
 public:
  template <typename Build>
  Stepper(int replicas, const Build& build) : repl_({.num_replicas = replicas}) {
    const auto scope = repl_.Context();
    step_ = build(repl_);
    repl_.Init(session_);
  }
  double Run(int steps) {
    return SecondsOf([&] {
      for (int i = 0; i < steps; ++i) session_.Run(step_);
      session_.Wait();
    });
  }

 private:
  LocalReplicator repl_;
  Session session_;
  PerReplica step_;
};

Ratio AgainstByHand(int replicas, int pairs) {
  Stepper ours(replicas, [](LocalReplicator& repl) {
    const Variable a = Matrix("a", kBatch, Aggregation::kMean), w1 = Matrix("w1", kWidth), w2 = Matrix("w2", kWidth);
    return repl.Run(
        [&] {
          const Tensor loss = ReduceMean(Square(MatMul(Tanh(MatMul(a.Read(), w1)), w2)));
          const std::vector<Variable> weights = {w1, w2};
          const std::vector<Tensor> gradients = Gradients(loss, weights);
          for (size_t i = 0; i < weights.size(); ++i) weights[i].AssignAdd(AllMean(gradients[i]) * -0.1);
          return loss;
        },
        {.nan_guard = false});
  });
  BareLoop bare(WrittenByHand(replicas));
  const int steps = 5;
  return Compare(
      {.name = "a two-layer training step, " + std::to_string(replicas) + " replicas",
       .against = "StableHLO by hand, bare C API",
       .limit = 1.03},
      pairs, steps, [&] { return ours.Run(steps); }, [&] { return SecondsOf([&] { bare.Run(steps); }); });
}

// Replicas that run different branches, against all running the slower one.
Ratio CaseAgainstBranch(int pairs) {
  const auto step = [](LocalReplicator& repl, auto branch_of) {
    const Variable a = Matrix("a", kBatch, Aggregation::kMean), w = Matrix("w", kWidth);
    return repl.Run(
        [&] {
          const bool first = branch_of(ReplicaContext::Current().replica_index()) == 0;
          const Tensor x = a.Read();
          const Tensor y = first ? Tanh(MatMul(Tanh(MatMul(x, w)), w)) : Logistic(MatMul(Sine(MatMul(x * 2.0, w)), w));
          const Tensor mean = AllMean(y);
          a.Assign(x * 0.5 + mean);
          return ReduceMean(mean);
        },
        {.nan_guard = false});
  };
  const int steps = 5;
  Stepper both(2, [&](LocalReplicator& repl) { return step(repl, [](int replica) { return replica; }); });
  Stepper first(2, [&](LocalReplicator& repl) { return step(repl, [](int) { return 0; }); });
  Stepper second(2, [&](LocalReplicator& repl) { return step(repl, [](int) { return 1; }); });
  const bool first_is_slower = first.Run(4 * steps) > second.Run(4 * steps);
  Stepper& slower = first_is_slower ? first : second;
  return Compare(
      {.name = "replicas that differ, by a case", .against = "all in the slower branch", .limit = 1.1}, pairs, steps,
      [&] { return both.Run(steps); }, [&] { return slower.Run(steps); });
}

}  // namespace

std::vector<Ratio> RewritingRatios(const Options& options) {
  std::vector<Ratio> results = ResNet50Ratios();
  for (const int replicas : {1, 2}) results.push_back(AgainstByHand(replicas, options.pairs));
  results.push_back(CaseAgainstBranch(options.pairs));
  for (const Ratio& result : results) Print(result);
  return results;
}

}  // namespace replicator::bench
