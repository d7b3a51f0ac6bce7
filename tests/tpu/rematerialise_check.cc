// The memory that Rematerialise saves, as XLA's TPU compiler plans it.
#include <gtest/gtest.h>

#include <cstdio>

#include "lower/lower.h"
#include "platforms/platform.h"
#include "replicate/replica_step.h"
#include "replicate/rewrite.h"
#include "replicator/replicator.h"

namespace replicator {
namespace {

constexpr int kBlocks = 16, kReplicas = 8;
constexpr int64_t kRows = 4096, kWidth = 256, kInner = 1024;

// One training step of a residual network of 16 blocks.
std::string Step(bool rematerialise) {
  VariableTable variables;
  const ReplicatorContext context(&variables, SourceLocation::current());
  struct Block {
    nn::Dense up, down;
    nn::Dropout dropout;
  };
  std::vector<Block> blocks;
  for (int i = 0; i < kBlocks; ++i) {
    const std::string name = "block_" + std::to_string(i);
    blocks.push_back({nn::Dense({.units = kInner, .name = name + "_up"}),
                      nn::Dense({.units = kWidth, .name = name + "_down"}),
                      nn::Dropout({.rate = 0.1, .name = name + "_dropout"})});
  }
  const auto optimizer = optim::Sgd({.learning_rate = 0.1}).WithReduction(optim::GradientReduction::kMean);
  const StepOptions options{
      .num_replicas = kReplicas, .inputs = {{"x", {DType::kF32, {kRows, kWidth}}}}, .where = SourceLocation::current()};
  const auto step = [&](const std::map<std::string, Tensor>& inputs) {
    Tensor x = inputs.at("x");
    for (const Block& block : blocks) {
      const auto apply = [&](const Tensor& in) { return in + block.dropout(block.down(Tanh(Logistic(block.up(in))))); };
      x = rematerialise ? Rematerialise(apply)(x) : apply(x);
    }
    const Tensor loss = ReduceMean(Square(x));
    optimizer.Minimize(loss);
    return std::vector<Tensor>{loss};
  };
  const Program program = Rewrite(BuildReplicaSteps(step, variables, options), options);
  LowerOptions lower{.target = LoweringTarget::kTpu, .num_replicas = kReplicas};
  for (const ProgramParameter& parameter : program.parameters) lower.aliases.push_back(parameter.update);
  return LowerToStableHlo(*program.graph, lower);
}

TEST(Rematerialise, SixteenBlocksOnTpuV3TakeAThirdOfTheTemporaries) {
  const pjrt::Topology topology = platforms::CreateTopology("tpu", "v3:2x2");
  const auto temporaries = [&](bool rematerialise) {
    const auto executable = topology.Compile(Step(rematerialise), {.num_replicas = kReplicas});
    return static_cast<double>(executable.MemoryStats().value().temporaries);
  };
  const double plain = temporaries(false), rematerialised = temporaries(true);
  std::printf("temporaries for TPU v3:2x2: %.1f MB, rematerialised %.1f MB, ratio %.3f\n", plain / 1e6,
              rematerialised / 1e6, rematerialised / plain);
  EXPECT_LE(rematerialised, 0.3 * plain);
}

}  // namespace
}  // namespace replicator
