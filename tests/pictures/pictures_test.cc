// The programs of docs/rewriting.md, and the pictures of them in docs/images.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>

#include "base/testing/xml.h"
#include "replicate/dump.h"
#include "replicate/rewrite.h"
#include "replicator/replicator.h"

namespace replicator {
namespace {

using Inputs = std::map<std::string, Tensor>;

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// Without the line numbers of the library's own files, which stand in tooltips and change with every edit.
std::string WithoutInnerLines(const std::string& svg) {
  static const std::regex line("([a-z0-9_]+\\.(cc|h)):[0-9]+");
  std::string result;
  size_t end = 0;
  for (auto at = std::sregex_iterator(svg.begin(), svg.end(), line); at != std::sregex_iterator(); ++at) {
    result += svg.substr(end, static_cast<size_t>(at->position()) - end);
    result += (*at)[1] == "pictures_test.cc" ? at->str() : (*at)[1].str();
    end = static_cast<size_t>(at->position() + at->length());
  }
  return result + svg.substr(end);
}

void ExpectPicture(const std::string& name, const std::string& svg) {
  EXPECT_EQ(XmlFault(svg), "") << name;
  const std::string path = std::string(REPLICATOR_IMAGES) + "/" + name;
  if (std::getenv("REPLICATOR_UPDATE_GOLDEN") != nullptr) std::ofstream(path, std::ios::binary) << svg;
  EXPECT_TRUE(WithoutInnerLines(ReadFile(path)) == WithoutInnerLines(svg))
      << path << " is not what the code draws; REPLICATOR_UPDATE_GOLDEN=1 draws it anew";
}

class Pictures : public ::testing::Test {
 protected:
  explicit Pictures(int num_logical_devices = 1) : variables_(num_logical_devices) {}
  void Draw(const std::string& name, const StepFunction& step_fn, int num_replicas, std::map<std::string, Shape> inputs,
            SourceLocation where) {
    const StepOptions options{
        .num_replicas = num_replicas, .nan_guard = false, .inputs = std::move(inputs), .where = where};
    const ReplicaSteps steps = BuildReplicaSteps(step_fn, variables_, options);
    ExpectPicture(name + "_replicas.svg", ReplicasPicture(steps, where));
    ExpectPicture(name + "_program.svg", ProgramPicture(Rewrite(steps, options)));
  }

  VariableTable variables_;
  const ReplicatorContext context_{&variables_, SourceLocation::current()};
};

TEST_F(Pictures, AGradientIsReducedOverTwoReplicas) {
  const Variable w({.name = "w", .shape = {DType::kF32, {3}}, .initializer = nn::init::Zeros()});
  const auto optimizer = optim::Sgd({.learning_rate = 0.1}).WithReduction(optim::GradientReduction::kSum);
  const auto step_fn = [&](const Inputs& batch) {
    const Tensor loss = ReduceSum(Square(batch.at("x") * w));
    optimizer.Minimize(loss);
    return std::vector<Tensor>{loss};
  };
  Draw("all_reduce", step_fn, 2, {{"x", {DType::kF32, {3}}}}, SourceLocation::current());
}

TEST_F(Pictures, ReplicasThatDiffer) {
  const auto step_fn = [&](const Inputs& batch) {
    const Tensor& x = batch.at("x");
    const bool first = ReplicaContext::Current().replica_index() == 0;
    const Tensor mine = first ? Exp(x) : x * 0.5;
    const Tensor total = AllSum(mine);
    return std::vector<Tensor>{first ? total : total - mine};
  };
  Draw("differing", step_fn, 2, {{"x", {DType::kF32, {3}}}}, SourceLocation::current());
}

class LogicalDevicePictures : public Pictures {
 protected:
  LogicalDevicePictures() : Pictures(2) {}
};

TEST_F(LogicalDevicePictures, TwoLayersOnTwoDevicesOfAReplica) {
  const auto declare = [](const char* name, int device) {
    const LogicalDeviceForVariables scope(device);
    return Variable({.name = name, .shape = {DType::kF32, {3}}, .initializer = nn::init::Zeros()});
  };
  const Variable v = declare("v", 0), w = declare("w", 1);
  const auto step_fn = [&](const Inputs& batch) {
    const Tensor h = Tanh(batch.at("x") * v);
    Tensor loss;
    {
      const LogicalDevice scope(1);
      loss = ReduceSum(h * w);
    }
    const std::vector<Tensor> gradients = Gradients(loss, std::vector<Variable>{v, w});
    v.Assign(v - AllSum(gradients[0]));
    const LogicalDevice scope(1);
    w.Assign(w - AllSum(gradients[1]));
    return std::vector<Tensor>{loss};
  };
  Draw("logical_devices", step_fn, 2, {{"x", {DType::kF32, {3}}}}, SourceLocation::current());
}

// A convolutional network with global batch norm, of which only the scopes can be drawn.
TEST_F(Pictures, ALargeStep) {
  std::vector<nn::Sequential> blocks;
  for (int i = 0; i < 4; ++i) {
    const std::vector<nn::Layer> layers = {
        nn::Conv2D({.filters = int64_t{16} << i, .kernel_size = {3, 3}, .padding = Padding::Same()}), nn::BatchNorm(),
        nn::Relu(), nn::MaxPool2D()};
    blocks.emplace_back(layers, nn::SequentialOptions{.name = "block_" + std::to_string(i)});
  }
  const nn::Dense head({.units = 10, .name = "head"});
  const auto optimizer = optim::Adam().WithReduction(optim::GradientReduction::kMean);
  const auto step_fn = [&](const Inputs& batch) {
    Tensor x = batch.at("image");
    for (const nn::Sequential& block : blocks) x = block(x);
    const Tensor logits = head(Reshape(x, {x.dim(0), x.dim(1) * x.dim(2) * x.dim(3)}));
    const Tensor loss = ReduceMean(nn::SoftmaxCrossEntropy(logits, batch.at("label")));
    optimizer.Minimize(loss);
    return std::vector<Tensor>{loss};
  };
  Draw("large", step_fn, 8, {{"image", {DType::kF32, {32, 32, 32, 3}}}, {"label", {DType::kI32, {32}}}},
       SourceLocation::current());
}

}  // namespace
}  // namespace replicator
