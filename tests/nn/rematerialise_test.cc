// Rematerialised functions against the same functions as they are, in float64.
#include "replicator/ops/rematerialise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "graph/graph.h"
#include "lower/lower.h"
#include "nn/recorded.h"
#include "nn/step_runner.h"
#include "pjrt/executable.h"
#include "platforms/platform.h"
#include "replicator/nn/dropout.h"
#include "replicator/ops/collectives.h"
#include "replicator/ops/control_flow.h"
#include "replicator/ops/dot.h"
#include "replicator/ops/elementwise.h"
#include "replicator/ops/gradients.h"
#include "replicator/ops/reduce.h"
#include "replicator/ops/shape.h"

namespace replicator::testing {
namespace {

constexpr int64_t kRows = 4, kWidth = 3, kBlocks = 2;

Literal Sines(Shape shape, double phase) {
  Literal values{std::move(shape)};
  for (int64_t i = 0; i < values.num_elements(); ++i) {
    values.mutable_data<double>()[static_cast<size_t>(i)] = std::sin(phase + 1.7 * static_cast<double>(i));
  }
  return values;
}

using Block = std::function<Tensor(const Tensor& x, const Variable& kernel)>;
// How a chain of blocks is called.
using Chain = std::function<Tensor(Tensor x, const std::vector<Variable>& kernels, const Block& block)>;

Tensor Plain(Tensor x, const std::vector<Variable>& kernels, const Block& block) {
  for (const Variable& kernel : kernels) x = block(x, kernel);
  return x;
}
Tensor EachBlock(Tensor x, const std::vector<Variable>& kernels, const Block& block) {
  // The variable is a capture, the tensor an argument.
  for (const Variable& kernel : kernels) x = Rematerialise([&](const Tensor& t) { return block(t, kernel); })(x);
  return x;
}
Tensor BlocksWithinOne(Tensor x, const std::vector<Variable>& kernels, const Block& block) {
  return Rematerialise([&](const Tensor& t) { return EachBlock(t, kernels, block); })(x);
}
// Everything is a capture, and y itself is inside.
Tensor OneThatTakesNothing(Tensor x, const std::vector<Variable>& kernels, const Block& block) {
  return Rematerialise([&] { return Plain(x, kernels, block); })();
}

class Network {
 public:
  explicit Network(int num_replicas) : runner_(num_replicas) {
    BuildContext build({.variables = &runner_.variables()});
    const BuildContext::Scope scope(build);
    for (int64_t i = 0; i < kBlocks; ++i) {
      const std::string name = "kernel" + std::to_string(i);
      kernels_.emplace_back(VariableOptions{.name = name,
                                            .shape = {DType::kF64, {kWidth, kWidth}},
                                            .initializer = [](const Shape& s) { return Zeros(s); }});
      runner_.Set(name, Sines(kernels_.back().shape(), static_cast<double>(i)));
    }
    feeds_ = Split({{"x", Sines({DType::kF64, {kRows * num_replicas, kWidth}}, 0.2)}}, num_replicas);
  }

  Program Build(const Chain& chain, const Block& block, bool second = false) {
    const auto step = [&](const Inputs& inputs) {
      const Tensor x = inputs.at("x");
      const Tensor loss = ReduceSum(Square(chain(x, kernels_, block)));
      std::vector<Tensor> results = {loss};
      for (const Tensor& gradient : Gradients(loss, kernels_)) results.push_back(gradient);
      results.push_back(Gradients(loss, std::vector<Tensor>{x})[0]);
      if (!second) return results;
      const Tensor norm = ReduceSum(Square(results[1])) + ReduceSum(Square(results.back()));
      for (const Tensor& gradient : Gradients(norm, kernels_)) results.push_back(gradient);
      return results;
    };
    return runner_.Build(step, {{"x", feeds_[0].at("x").shape()}});
  }
  PerReplica Execute(const Program& program) { return runner_.Execute(program, feeds_, /*step_number=*/3); }

 private:
  StepRunner runner_;
  std::vector<Variable> kernels_;
  std::vector<Feeds> feeds_;
};

int64_t Count(const Program& program, std::string_view op) {
  int64_t count = 0;
  for (const Node& node : program.graph->nodes()) count += node.op->name == op;
  return count;
}

const Block kDense = [](const Tensor& x, const Variable& kernel) { return Tanh(MatMul(x, kernel)) + x; };
const Block kDropout = [](const Tensor& x, const Variable& kernel) {
  return nn::Dropout({.rate = 0.5, .name = kernel.name() + "_dropout"})(Tanh(MatMul(x, kernel)));
};
// A function that differentiates inside, as a penalty on a gradient does: its own values are there.
const Block kGradientInside = [](const Tensor& x, const Variable& kernel) {
  const Tensor y = Tanh(MatMul(x, kernel));
  return y + Gradients(ReduceSum(y), std::vector<Tensor>{x})[0];
};
// Loops and branches are recomputed as a whole.
const Block kLoop = [](const Tensor& x, const Variable& kernel) {
  return For(3, [&](const Tensor&, const Tensor& h) { return Tanh(MatMul(h, kernel)) + h; }, x);
};
const Block kBranch = [](const Tensor& x, const Variable& kernel) {
  return Cond(ReduceSum(x) > -100, [&] { return Tanh(MatMul(x, kernel)); }, [&] { return x * 0.5; });
};
// Global statistics: what the collectives return depends on, and is used by, what is recomputed.
const Block kCollectives = [](const Tensor& x, const Variable& kernel) {
  const Tensor y = Tanh(MatMul(x, kernel));
  const Tensor centred = y - AllMean(ReduceMean(y, {.axes = std::vector<int>{0}}));
  return centred / (Sqrt(AllSum(ReduceSum(Square(centred), {.axes = std::vector<int>{0}}))) + 1.0) +
         AllMax(ReduceMax(y, {.axes = std::vector<int>{0}}));
};

void ExpectTheSame(const Block& block, int num_replicas, const Chain& chain, bool second = false) {
  Network network(num_replicas);
  const Program plain = network.Build(Plain, block, second), rematerialised = network.Build(chain, block, second);
  for (const char* op : {"all_sum", "all_mean", "all_max"}) EXPECT_EQ(Count(rematerialised, op), Count(plain, op));
  const PerReplica expected = network.Execute(plain), actual = network.Execute(rematerialised);
  for (size_t r = 0; r < expected.size(); ++r) {
    for (size_t i = 0; i < expected[r].size(); ++i) {
      // The same operations on the same values; XLA may fuse them otherwise.
      EXPECT_LT(Difference(actual[r][i], expected[r][i]), 1e-14) << "result " << i << " of replica " << r;
      for (double value : expected[r][i].ToDoubles()) EXPECT_TRUE(std::isfinite(value));
    }
  }
}

TEST(Rematerialise, SameFirstAndSecondDerivatives) {
  ExpectTheSame(kDense, 1, OneThatTakesNothing);
  ExpectTheSame(kDense, 1, EachBlock, /*second=*/true);
  ExpectTheSame(kDense, 1, BlocksWithinOne, /*second=*/true);
}
TEST(Rematerialise, AGradientInside) {
  ExpectTheSame(kGradientInside, 1, EachBlock);
  Network network(1);
  EXPECT_EQ(Count(network.Build(EachBlock, kGradientInside), "tanh"), 2 * kBlocks);
}
TEST(Rematerialise, LoopsAndBranches) {
  ExpectTheSame(kLoop, 1, EachBlock);
  ExpectTheSame(kBranch, 1, EachBlock);
}
TEST(Rematerialise, SameDrawsInTheRecomputation) { ExpectTheSame(kDropout, 2, EachBlock); }
TEST(Rematerialise, CollectivesInsideCommunicateOnce) {
  ExpectTheSame(kCollectives, 3, EachBlock);
  ExpectTheSame(kCollectives, 2, BlocksWithinOne);
}

// Each block's activation is computed once forward, and once more for each of the two gradients (of the kernels and of
// x): those recomputations hang on different barriers, or on one where the arriving gradient is one.
TEST(Rematerialise, RecomputesEachBlockAndEachInnerOneAgain) {
  Network network(1);
  EXPECT_EQ(Count(network.Build(Plain, kDense), "tanh"), kBlocks);
  EXPECT_EQ(Count(network.Build(EachBlock, kDense), "tanh"), 2 * kBlocks);
  EXPECT_EQ(Count(network.Build(BlocksWithinOne, kDense), "tanh"), 3 * kBlocks - 1);
  EXPECT_EQ(Count(network.Build(EachBlock, kDropout), "threefry_2x32"),
            2 * Count(network.Build(Plain, kDropout), "threefry_2x32"));
}

// What the compiler makes of it: the recomputation must still be there.
TEST(Rematerialise, XlaDoesNotMergeTheRecomputation) {
  Network network(1);
  const auto client = platforms::CreateClient({});
  const auto transcendentals = [&](const Chain& chain) {
    const std::string mlir = LowerToStableHlo(*network.Build(chain, kDense).graph, {});
    return client->Compile(mlir)->unloaded().CostAnalysis().value().at("transcendentals");
  };
  constexpr double kOnce = kBlocks * kRows * kWidth;
  EXPECT_EQ(transcendentals(Plain), kOnce);
  EXPECT_EQ(transcendentals(EachBlock), 2 * kOnce);
}

}  // namespace
}  // namespace replicator::testing
