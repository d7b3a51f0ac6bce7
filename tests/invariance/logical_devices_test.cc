// A network cut over logical devices trains to the parameters of the uncut one: batch norm over the global batch on one
// device, dropout on another, Adam on each with its own variables.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "replicator/replicator.h"

namespace replicator {
namespace {

constexpr int64_t kGlobalBatch = 12, kExamples = 36, kFeatures = 5, kClasses = 3;
constexpr int kSteps = 12;

struct Setting {
  int replicas = 1;
  int logical_devices = 1;
  double rate_on_last_device = 1;  // the planted fault
};

data::Dataset Examples() {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  Literal x{Shape{DType::kF64, {kExamples, kFeatures}}}, labels{Shape{DType::kI32, {kExamples}}};
  for (double& value : x.mutable_data<double>()) value = normal(random);
  for (int32_t& label : labels.mutable_data<int32_t>()) label = static_cast<int32_t>(random() % kClasses);
  return data::Dataset::FromTensors({{"x", x}, {"label", labels}});
}

using Parameters = std::map<std::string, std::vector<double>>;

// Losses of the last step, then every variable.
Parameters Train(const Setting& setting) {
  LocalReplicator repl(
      {.num_replicas = setting.replicas, .seed = 5, .num_logical_devices_per_replica = setting.logical_devices});
  const auto context = repl.Context();
  const int middle = setting.logical_devices / 2, last = setting.logical_devices - 1;
  // A bias in front of batch norm has no true gradient: Adam would make steps of its rounding.
  const nn::Dense first({.units = 8, .use_bias = false, .name = "first"}),
      second({.units = 6, .use_bias = false, .name = "second"}), third({.units = kClasses, .name = "third"});
  const nn::BatchNorm norm, late_norm({.name = "late_norm"});
  const nn::Dropout dropout({.rate = 0.3});
  const optim::Optimizer optimizer =
      repl.WrapOptimizer(optim::Adam({.learning_rate = 0.02, .clip_norm = 0.5}), optim::GradientReduction::kMean);
  const PerReplica loss = repl.Run(
      [&](const Batch& batch) {
        Tensor y = Tanh(norm(first(batch["x"])));
        {
          const LogicalDevice scope(middle);
          y = second(dropout(y));
        }
        const LogicalDevice scope(last);
        y = third(Tanh(late_norm(y))) * setting.rate_on_last_device;
        const Tensor value = ReduceMean(nn::SoftmaxCrossEntropy(y, batch["label"]));
        optimizer.Minimize(value);
        return value;
      },
      [&](const InputContext& ctx) {
        return Examples().Shuffle(3).Repeat().Shard(ctx).Batch(ctx.PerReplicaBatchSize(kGlobalBatch));
      });
  Session session;
  repl.Init(session);
  for (int step = 0; step + 1 < kSteps; ++step) session.Run(loss);
  Parameters seen{{"loss", {session.Run(ReduceMean(loss)).Item<double>()}}};
  for (const Variable& variable : repl.Variables()) seen[variable.name()] = session.Read(variable).ToDoubles();

  const auto device = [&](const std::string& name) { return repl.FindVariable(name).logical_device(); };
  EXPECT_EQ(device("first/kernel"), 0);
  EXPECT_EQ(device("second/kernel"), middle);
  EXPECT_EQ(device("third/kernel"), last);
  EXPECT_EQ(device("late_norm/moving_mean"), last);
  EXPECT_EQ(device("adam/iterations"), 0);
  int on_last = 0;
  for (const Variable& variable : repl.Variables()) {
    if (variable.name().rfind("adam/third/kernel/", 0) != 0) continue;
    EXPECT_EQ(variable.logical_device(), last) << variable.name();
    ++on_last;
  }
  EXPECT_EQ(on_last, 2);
  return seen;
}

double LargestDifference(const Parameters& a, const Parameters& b) {
  EXPECT_EQ(a.size(), b.size());
  double largest = 0;
  for (const auto& [name, values] : a) {
    for (size_t i = 0; i < values.size(); ++i) {
      const double difference = std::abs(values[i] - b.at(name)[i]) / std::max(1.0, std::abs(values[i]));
      largest = std::isnan(difference) ? INFINITY : std::max(largest, difference);
    }
  }
  return largest;
}

const Parameters& OnOneDevice() {
  static const Parameters parameters = Train({});
  return parameters;
}

TEST(LogicalDevices, TrainToTheParametersOfOneDevice) {
  EXPECT_GT(std::abs(OnOneDevice().at("third/kernel")[0]), 0.01);
  for (const Setting& setting : {Setting{2, 2}, Setting{1, 3}, Setting{3, 2}}) {
    EXPECT_LE(LargestDifference(OnOneDevice(), Train(setting)), 1e-10)
        << setting.replicas << " replicas of " << setting.logical_devices << " logical devices";
  }
}

TEST(LogicalDevices, AFaultOnOneDeviceIsNoticed) {
  EXPECT_GT(LargestDifference(OnOneDevice(), Train({2, 2, 1.0001})), 1e-6);
}

}  // namespace
}  // namespace replicator
