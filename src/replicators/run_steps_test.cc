// RunSteps against as many runs of the same step.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "replicator/nn/dropout.h"
#include "replicator/ops/collectives.h"
#include "replicator/ops/dot.h"
#include "replicator/ops/elementwise.h"
#include "replicator/ops/random.h"
#include "replicator/ops/reduce.h"
#include "replicator/ops/shape.h"
#include "replicator/optim/optimizers.h"
#include "replicator/replicators/local_replicator.h"
#include "runtime/engine.h"

namespace replicator {
namespace {

using testing::DoubleNear;
using testing::HasSubstr;
using testing::Pointwise;

constexpr int64_t kExamples = 24, kFeatures = 3;

struct Setting {
  int replicas = 1;
  bool single_launch = true;
};

class RunSteps : public testing::TestWithParam<Setting> {
 protected:
  RunStepsOptions Options() const { return {.single_launch = GetParam().single_launch}; }
  int64_t replicas() const { return GetParam().replicas; }
};

data::Dataset Examples() {
  Literal x{Shape{DType::kF64, {kExamples, kFeatures}}};
  double next = 0;
  for (double& value : x.mutable_data<double>()) value = std::sin(next += 0.7);
  return data::Dataset::FromTensors({{"x", x}});
}

// A step with an optimizer that has state, dropout, an input, a per-replica variable and two results.
class Trainer {
 public:
  explicit Trainer(int replicas, int64_t sweeps = 1'000)
      : repl_({.num_replicas = replicas, .seed = 7}), input_(repl_.MakeInputIterator([=](const InputContext& context) {
          return Examples().Repeat(sweeps).Shard(context).Batch(12 / replicas);
        })) {
    const auto scope = repl_.Context();
    const auto uniform = [](const Shape& shape) {
      return RandomUniform(shape, -1, 1, {.typing = Typing::kReplicated});
    };
    w_ = Variable({.name = "w", .shape = {DType::kF64, {kFeatures, 4}}, .initializer = uniform});
    seen_ = Variable({.name = "seen",
                      .shape = {DType::kF64, {}},
                      .initializer = [](const Shape& shape) { return Zeros(shape); },
                      .trainable = false,
                      .aggregation = Aggregation::kSum});
    optimizer_.emplace(repl_.WrapOptimizer(optim::Adam({.learning_rate = 0.05}), optim::GradientReduction::kMean));
  }

  std::pair<Tensor, Tensor> Step(const Batch& batch) {
    const Tensor h = dropout_(Tanh(MatMul(batch["x"], w_)));
    const Tensor loss = ReduceMean(Square(h - 0.3));
    optimizer_->Minimize(loss);
    seen_.AssignAdd(ReduceSum(batch["x"]));
    return {loss, AllMean(ReduceMean(h, {{{0}}}))};
  }
  auto StepFn() {
    return [this](const Batch& batch) { return Step(batch); };
  }

  LocalReplicator& repl() { return repl_; }
  const InputIterator& input() const { return input_; }

 private:
  LocalReplicator repl_;
  InputIterator input_;
  Variable w_, seen_;
  nn::Dropout dropout_{{.rate = 0.4}};
  std::optional<optim::Optimizer> optimizer_;
};

void ExpectSameState(Replicator& a, Replicator& b) {
  const EngineState x = a.engine()->Save(), y = b.engine()->Save();
  EXPECT_EQ(x.metadata, y.metadata);
  ASSERT_EQ(x.tensors.size(), y.tensors.size());
  for (const auto& [name, value] : x.tensors) {
    EXPECT_THAT(y.tensors.at(name).ToDoubles(), Pointwise(DoubleNear(1e-12), value.ToDoubles())) << name;
  }
}

TEST_P(RunSteps, EqualsAsManyRuns) {
  constexpr int64_t kSteps = 3, kRuns = 4;
  Trainer single(GetParam().replicas), several(GetParam().replicas);
  const auto [loss, mean] = single.repl().Run(single.StepFn(), single.input());
  const auto [losses, means] = several.repl().RunSteps(several.StepFn(), several.input(), kSteps, Options());
  EXPECT_EQ(losses.shape().dims, Dims({kSteps}));
  EXPECT_EQ(means.shape().dims, Dims({kSteps, 4}));
  EXPECT_FALSE(losses.replicated());
  EXPECT_TRUE(means.replicated());
  Session one, many;
  single.repl().Init(one);
  several.repl().Init(many);
  for (int64_t run = 0; run < kRuns; ++run) {
    std::vector<double> expected_means;
    std::vector<std::vector<double>> expected_losses(static_cast<size_t>(replicas()));
    for (int64_t step = 0; step < kSteps; ++step) {
      const auto fetched = one.Run({loss, mean});
      for (int r = 0; r < replicas(); ++r) {
        expected_losses[static_cast<size_t>(r)].push_back(fetched[0].Get(r).Item<double>());
      }
      for (double value : fetched[1].Get().ToDoubles()) expected_means.push_back(value);
    }
    const auto fetched = many.Run({losses, means});
    for (int r = 0; r < replicas(); ++r) {
      EXPECT_THAT(fetched[0].Get(r).ToDoubles(), Pointwise(DoubleNear(1e-12), expected_losses[static_cast<size_t>(r)]));
    }
    EXPECT_EQ(fetched[1].Get().dims(), Dims({kSteps, 4}));
    EXPECT_THAT(fetched[1].Get().ToDoubles(), Pointwise(DoubleNear(1e-12), expected_means));
  }
  EXPECT_EQ(several.repl().engine()->executions(0), kSteps * kRuns);
  ExpectSameState(single.repl(), several.repl());
}

TEST_P(RunSteps, RunsWhatIsLeftAtTheEndOfTheInput) {
  Trainer single(GetParam().replicas, 5), several(GetParam().replicas, 5);  // 10 batches
  const auto [loss, mean] = single.repl().Run(single.StepFn(), single.input());
  const auto [losses, means] = several.repl().RunSteps(several.StepFn(), several.input(), 4, Options());
  Session one, many;
  single.repl().Init(one);
  several.repl().Init(many);
  for (int step = 0; step < 10; ++step) one.Run(loss);
  std::vector<int64_t> steps;
  for (int run = 0; run < 3; ++run) steps.push_back(many.Run(losses).Get(0).dims()[0]);
  EXPECT_THAT(steps, testing::ElementsAre(4, 4, 2));
  EXPECT_THROW(one.Run(loss), OutOfRange);
  EXPECT_THROW(many.Run(losses), OutOfRange);
  ExpectSameState(single.repl(), several.repl());
  // The next sweep.
  InputIterator input = several.input();
  input.Initialize();
  EXPECT_EQ(many.Run(losses).Get(0).dims()[0], 4);
}

// The third of four steps would make the variable infinite: only that one is void, and named.
TEST_P(RunSteps, GuardsEveryStep) {
  LocalReplicator repl({.num_replicas = GetParam().replicas});
  const auto scope = repl.Context();
  const auto variable = [](const std::string& name, DType dtype, double value) {
    return Variable({.name = name, .shape = {dtype, {}}, .initializer = [value](const Shape& shape) {
                       return Full(shape, value);
                     }});
  };
  const Variable good = variable("good", DType::kF32, 0), bad = variable("bad", DType::kF32, 1);
  const InputFn count = [](const InputContext& context) {
    Literal x{Shape{DType::kF32, {8}}};
    for (size_t i = 0; i < 8; ++i) x.mutable_data<float>()[i] = static_cast<float>(i / 2);
    const int64_t replicas = context.num_replicas_in_sync;
    return data::Dataset::FromTensors({{"x", x}}).Repeat().Shard(context).Batch(2 / replicas);
  };
  const auto values = repl.RunSteps(
      [&](const Batch& batch) {
        const Tensor x = AllMax(ReduceMax(batch["x"]));  // 0, 1, 2, 3
        good.AssignAdd(1.0);
        bad.Assign(Log(Abs(x - 2.0)) * 0.0 + bad + 1.0);
        return bad.Read();
      },
      count, 4, Options());
  Session session;
  repl.Init(session);
  const Fetched fetched = session.Run(values);
  try {
    fetched.Get();
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.message(), HasSubstr("step 3 of the step function"));
    EXPECT_THAT(error.message(), HasSubstr("'bad'"));
  }
  EXPECT_EQ(session.Read(good).Item<float>(), 3);
  EXPECT_EQ(session.Read(bad).Item<float>(), 4);
}

TEST_P(RunSteps, NeedsNoInputAndNoVariables) {
  LocalReplicator repl({.num_replicas = GetParam().replicas});
  const auto scope = repl.Context();
  const PerReplica draws = repl.RunSteps([] { return RandomUniform({DType::kF64, {}}); }, 5, Options());
  Session session;
  repl.Init(session);
  std::vector<double> all;
  for (int run = 0; run < 2; ++run) {
    for (const Literal& values : session.Run(draws).GetAll()) {
      for (double value : values.ToDoubles()) all.push_back(value);
    }
  }
  std::sort(all.begin(), all.end());
  EXPECT_EQ(all.size(), 10u * static_cast<size_t>(replicas()));
  EXPECT_EQ(std::unique(all.begin(), all.end()), all.end());
}

INSTANTIATE_TEST_SUITE_P(Settings, RunSteps,
                         testing::Values(Setting{1, true}, Setting{1, false}, Setting{2, true}, Setting{2, false}),
                         [](const auto& tested) {
                           return std::to_string(tested.param.replicas) + "_replicas_" +
                                  (tested.param.single_launch ? "one_launch" : "several_launches");
                         });

TEST(RunStepsErrors, KIsAtLeastOne) {
  LocalReplicator repl({.num_replicas = 1});
  EXPECT_THROW(repl.RunSteps([] { return Constant(1.0); }, 0), Error);
}

}  // namespace
}  // namespace replicator
