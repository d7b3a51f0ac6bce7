// A network with convolution, batch norm, pooling and dropout trains to the same parameters on 1, 2, 4 and 8 replicas,
// given the same global batch. Each way in which replicated programs commonly go wrong is then planted, and must be
// noticed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <sstream>

#include "replicator/replicator.h"

namespace replicator {
namespace {

constexpr int64_t kGlobalBatch = 16, kExamples = 96, kSide = 8, kClasses = 4;

// What a planted fault changes; the defaults are right.
struct Program {
  DType dtype = DType::kF64;
  bool batch_norm = true;
  // Tanh and the mean in place of ReLU and the maximum. In float32 the rounding of another order of summation now and
  // then (once in some hundred thousand activations) puts a value on the other side of a kink; from there on two right
  // runs differ by far more than rounding. In float64 that is a billion times rarer.
  bool smooth = false;
  int steps = 50;
  double learning_rate = 0.05;
  std::optional<double> clip_norm = std::nullopt;
  optim::GradientReduction reduction = optim::GradientReduction::kMean;
  nn::BatchNormScope scope = nn::BatchNormScope::kGlobal;
  std::function<double(int replicas)> rate_scale = [](int) { return 1.0; };
  std::function<Tensor(const Tensor& per_example)> loss = [](const Tensor& x) { return ReduceMean(x); };
  std::function<Tensor(const Tensor& x)> normalise = {};  // in place of BatchNorm
  std::function<Tensor(const Tensor& x)> drop = {};       // in place of Dropout
  std::function<void(std::vector<optim::GradientAndVariable>&)> change_local_gradients = {};
  bool shard = true;
};

data::Dataset Examples(DType dtype) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  Literal images{Shape{DType::kF64, {kExamples, kSide, kSide, 1}}}, labels{Shape{DType::kI32, {kExamples}}};
  for (double& pixel : images.mutable_data<double>()) pixel = normal(random);
  for (int64_t i = 0; i < kExamples; ++i) {
    const int32_t label = static_cast<int32_t>(random() % kClasses);
    labels.mutable_data<int32_t>()[static_cast<size_t>(i)] = label;
    images.mutable_data<double>()[static_cast<size_t>(i * kSide * kSide + label)] += 3;  // something to learn
  }
  return data::Dataset::FromTensors({{"image", images.ConvertTo(dtype)}, {"label", labels}});
}

using Parameters = std::map<std::string, std::vector<double>>;

// Applies the gradients as the wrapped optimizer does, after `change` has been at each replica's own.
void MinimizeByHand(const optim::Optimizer& plain, const Tensor& loss, const Program& program) {
  std::vector<optim::GradientAndVariable> gradients = plain.ComputeGradients(loss);
  program.change_local_gradients(gradients);
  for (auto& [gradient, variable] : gradients) {
    if (gradient.typing() == Typing::kVarying) gradient = AllMean(gradient);
  }
  plain.ApplyGradients(gradients);
}

Parameters Train(const Program& program, int replicas) {
  LocalReplicator repl({.num_replicas = replicas, .seed = 11});
  const auto context = repl.Context();
  const nn::Conv2D conv({.filters = 6, .padding = Padding::Same(), .use_bias = false});
  const nn::BatchNorm norm({.scope = program.scope});
  const nn::Dropout dropout({.rate = 0.4});
  const nn::Dense dense({.units = kClasses});
  const optim::Optimizer plain = optim::Momentum(
      {.learning_rate = program.learning_rate * program.rate_scale(replicas), .clip_norm = program.clip_norm});
  const optim::Optimizer optimizer = repl.WrapOptimizer(plain, program.reduction);
  const PerReplica loss = repl.Run(
      [&](const Batch& batch) {
        Tensor x = conv(batch["image"]);
        if (program.normalise) {
          x = program.normalise(x);
        } else if (program.batch_norm) {
          x = norm(x);
        }
        x = Flatten(program.smooth ? AveragePool(Tanh(x)) : MaxPool(Relu(x)));
        x = program.drop ? program.drop(x) : dropout(x);
        const Tensor value = program.loss(nn::SoftmaxCrossEntropy(dense(x), batch["label"]));
        if (program.change_local_gradients) {
          MinimizeByHand(plain, value, program);
        } else {
          optimizer.Minimize(value);
        }
        return value;
      },
      repl.MakeInputIterator(
          [&](const InputContext& ctx) {
            const data::Dataset examples = Examples(program.dtype).Shuffle(3).Repeat();
            const int64_t size = ctx.PerReplicaBatchSize(kGlobalBatch);
            return program.shard ? examples.Shard(ctx).Batch(size) : examples.Batch(size);
          },
          program.shard ? InputReplicationMode::kPerWorker : InputReplicationMode::kPerReplica));
  Session session;
  repl.Init(session);
  for (int step = 0; step < program.steps; ++step) session.Run(loss);
  Parameters parameters;
  for (const char* name : {"conv2d/kernel", "dense/kernel", "dense/bias"}) {
    parameters[name] = session.Read(repl.FindVariable(name)).ToDoubles();
  }
  if (program.batch_norm && !program.normalise) {
    for (const char* name :
         {"batch_norm/gamma", "batch_norm/beta", "batch_norm/moving_mean", "batch_norm/moving_variance"}) {
      parameters[name] = session.Read(repl.FindVariable(name)).ToDoubles();
    }
  }
  return parameters;
}

double Norm(const std::vector<double>& values) {
  double sum = 0;
  for (double value : values) sum += value * value;
  return std::sqrt(sum);
}

// The largest difference of a tensor, relative to its norm, or to a thousandth of the norm of all where that is larger.
double Distance(const Parameters& a, const Parameters& b) {
  double total = 0;
  for (const auto& [name, values] : a) total += Norm(values) * Norm(values);
  double worst = 0;
  for (const auto& [name, values] : a) {
    std::vector<double> difference = values;
    for (size_t i = 0; i < values.size(); ++i) difference[i] -= b.at(name)[i];
    const double distance = Norm(difference) / std::max(Norm(values), 1e-3 * std::sqrt(total));
    worst = std::isnan(distance) ? INFINITY : std::max(worst, distance);
  }
  return worst;
}

void ExpectInvariant(const Program& program, double tolerance) {
  const Parameters one = Train(program, 1);
  for (const auto& [name, values] : one) {
    if (name == "dense/bias") continue;
    EXPECT_GT(Norm(values), 0.01) << name;
  }
  for (const int replicas : {2, 4, 8}) {
    const double distance = Distance(one, Train(program, replicas));
    EXPECT_LE(distance, tolerance) << replicas << " replicas";
    testing::Test::RecordProperty("distance_" + std::to_string(replicas), (std::ostringstream() << distance).str());
  }
}

TEST(Invariance, Float64WithGlobalBatchNorm) { ExpectInvariant({}, 1e-10); }
TEST(Invariance, Float64WithoutBatchNorm) { ExpectInvariant({.batch_norm = false}, 1e-10); }
TEST(Invariance, Float32WithGlobalBatchNorm) { ExpectInvariant({.dtype = DType::kF32, .smooth = true}, 2e-4); }
TEST(Invariance, Float32WithoutBatchNorm) {
  ExpectInvariant({.dtype = DType::kF32, .batch_norm = false, .smooth = true}, 2e-4);
}
TEST(Invariance, Float64WithClipping) { ExpectInvariant({.steps = 10, .clip_norm = 0.5}, 1e-10); }

// Each of these is a real mistake. Five steps on four replicas must show it far above the tolerance of float32.
void ExpectNoticed(Program program) {
  program.steps = 5;
  EXPECT_GT(Distance(Train(program, 1), Train(program, 4)), 1e-3);
}

TEST(PlantedFault, SumOfTheLossesForTheirMean) { ExpectNoticed({.reduction = optim::GradientReduction::kSum}); }
TEST(PlantedFault, SumOverExamplesForTheMean) {
  ExpectNoticed({.learning_rate = 0.005, .loss = [](const Tensor& x) { return ReduceSum(x); }});
}
TEST(PlantedFault, MeanDividedByTheReplicasOnceMore) {
  ExpectNoticed({.loss = [](const Tensor& x) { return ReduceMean(x) / ReplicaContext::Current().num_replicas(); }});
}
TEST(PlantedFault, RateScaledWithTheReplicas) {
  ExpectNoticed({.rate_scale = [](int replicas) { return static_cast<double>(replicas); }});
}
TEST(PlantedFault, LocalStatisticsForGlobalOnes) { ExpectNoticed({.scope = nn::BatchNormScope::kLocal}); }
TEST(PlantedFault, MeanOfLocalVariancesForTheGlobalVariance) {
  ExpectNoticed({.normalise = [](const Tensor& x) {
    const ReduceOptions pixels{.axes = {{0, 1, 2}}};
    const Tensor local_mean = ReduceMean(x, pixels);
    const Tensor variance = AllMean(ReduceMean(Square(x - local_mean), pixels));
    return (x - AllMean(local_mean)) * Rsqrt(variance + 1e-5);
  }});
}
TEST(PlantedFault, DropoutKeyFoldedWithTheReplica) {
  ExpectNoticed({.drop = [](const Tensor& x) {
    const NameScope scope("replica" + std::to_string(ReplicaContext::Current().replica_index()));
    return x * Convert(RandomBernoulli(x.dims(), 0.6), x.dtype()) / 0.6;
  }});
}
TEST(PlantedFault, DropoutIndexedByTheLocalExample) {
  ExpectNoticed({.drop = [](const Tensor& x) {
    return x * Convert(RandomBernoulli(x.dims(), 0.6, {.typing = Typing::kReplicated}), x.dtype()) / 0.6;
  }});
}
TEST(PlantedFault, EveryReplicaReadsTheSameExamples) { ExpectNoticed({.shard = false}); }
TEST(PlantedFault, ClippingBeforeAggregation) {
  ExpectNoticed({.change_local_gradients = [](std::vector<optim::GradientAndVariable>& gradients) {
    std::vector<Tensor> tensors;
    for (const auto& each : gradients) tensors.push_back(each.gradient);
    const Tensor norm = optim::GlobalNorm(tensors);
    for (auto& each : gradients) each.gradient = each.gradient * 0.5 / Maximum(norm, 0.5);
  }});
}
TEST(PlantedFault, GradientOfTheFirstReplicaOnly) {
  ExpectNoticed({.change_local_gradients = [](std::vector<optim::GradientAndVariable>& gradients) {
    for (auto& each : gradients) each.gradient = Broadcast(each.gradient, 0);
  }});
}
TEST(PlantedFault, WeightDecayInEveryReplicaOfASum) {
  // The decay is counted R times, since the sum of the losses contains it R times.
  ExpectNoticed({.reduction = optim::GradientReduction::kSum, .loss = [](const Tensor& x) {
                   const auto variables = TrainableVariablesOf(x);
                   Tensor decay = ReduceSum(Square(variables[0]));
                   return ReduceSum(x) / static_cast<double>(kGlobalBatch) + decay * 0.1;
                 }});
}

}  // namespace
}  // namespace replicator
