// docs/semantics.md, "Values and types".
#include "program.h"

#include <sstream>

namespace replicator::testing_support {
namespace {

using testing::HasSubstr;

TEST(Values, ReplicatedComesBackAsOneVaryingAsMany) {
  LocalReplicator repl({.num_replicas = 3});
  const auto [own, total] =
      repl.Run([](const Batch& batch) { return std::pair(batch["x"], AllSum(batch["x"])); }, Counting(3, 1));
  EXPECT_FALSE(own.replicated());
  EXPECT_TRUE(total.replicated());
  Session session;
  repl.Init(session);
  const std::vector<Fetched> values = session.Run({own, total});
  EXPECT_EQ(values[1].Item<float>(), 3.0f);
  EXPECT_EQ(values[0].GetAll().size(), 3u);
  EXPECT_EQ(ErrorOf([&] { values[0].Get(); }).code(), ErrorCode::kInvalidArgument);
}

TEST(Values, ReduceIsOverReplicasReduceMeanOverElementsToo) {
  LocalReplicator repl({.num_replicas = 2});
  const PerReplica x = repl.Run([](const Batch& batch) { return batch["x"]; }, Counting(4, 2));
  Session session;
  repl.Init(session);
  const std::vector<Fetched> values =
      session.Run({Reduce(x, ReduceOp::kSum), Reduce(x, ReduceOp::kMean), Reduce(x, ReduceOp::kMin),
                   Reduce(x, ReduceOp::kMax), Reduce(x, ReduceOp::kOnlyFirstReplica), ReduceMean(x), ReduceSum(x)});
  EXPECT_EQ(values[0].Get(), Literal::FromValues<float>({2}, {2, 4}));
  EXPECT_EQ(values[1].Get(), Literal::FromValues<float>({2}, {1, 2}));
  EXPECT_EQ(values[2].Get(), Literal::FromValues<float>({2}, {0, 1}));
  EXPECT_EQ(values[3].Get(), Literal::FromValues<float>({2}, {2, 3}));
  EXPECT_EQ(values[4].Get(), Literal::FromValues<float>({2}, {0, 1}));
  EXPECT_EQ(values[5].Item<float>(), 1.5f);
  EXPECT_EQ(values[6].Item<float>(), 6.0f);
}

// Replica r's loss is r * w (r = 0, 1, 2): the gradient of the sum is 3, of the mean 1.
float WeightAfterOneStep(optim::GradientReduction reduction) {
  LocalReplicator repl({.num_replicas = 3});
  const auto scope = repl.Context();
  const Variable w = ScalarVariable("w");
  const optim::Optimizer optimizer = repl.WrapOptimizer(optim::Sgd({.learning_rate = 1}), reduction);
  const PerReplica loss = repl.Run(
      [&](const Batch& batch) {
        const Tensor value = ReduceSum(w * batch["x"]);
        optimizer.Minimize(value);
        return value;
      },
      Counting(3, 1));
  Session session;
  repl.Init(session);
  session.Run(loss);
  return session.Read(w).Item<float>();
}

TEST(Values, SumAndMeanOfTheLossesAreWhatTheUserSaid) {
  EXPECT_EQ(WeightAfterOneStep(optim::GradientReduction::kSum), -3.0f);
  EXPECT_EQ(WeightAfterOneStep(optim::GradientReduction::kMean), -1.0f);
}

TEST(Values, TheGradientFlowsThroughACollective) {
  LocalReplicator repl({.num_replicas = 3});
  const auto scope = repl.Context();
  const Variable w = ScalarVariable("w", 1.0);
  const optim::Optimizer optimizer =
      repl.WrapOptimizer(optim::Sgd({.learning_rate = 1}), optim::GradientReduction::kSum);
  // loss_r = x_r * S with S = sum_s w x_s = 3w: the sum of the losses is 3 S = 9 w.
  const PerReplica loss = repl.Run(
      [&](const Batch& batch) {
        const Tensor x = ReduceSum(batch["x"]);
        const Tensor value = x * AllSum(w * x);
        optimizer.Minimize(value);
        return value;
      },
      Counting(3, 1));
  Session session;
  repl.Init(session);
  EXPECT_EQ(session.Run(Reduce(loss, ReduceOp::kSum)).Item<float>(), 9.0f);
  EXPECT_EQ(session.Read(w).Item<float>(), 1.0f - 9.0f);
}

TEST(Values, AReplicatedLossWithSumIsRefused) {
  LocalReplicator repl({.num_replicas = 2});
  const auto scope = repl.Context();
  const Variable w = ScalarVariable("w", 1.0);
  const auto train = [&](optim::GradientReduction reduction) {
    const optim::Optimizer optimizer = repl.WrapOptimizer(optim::Sgd({.learning_rate = 1, .name = "a"}), reduction);
    return repl.Run(
        [&](const Batch& batch) {
          const Tensor loss = AllMean(ReduceMean(Square(w * batch["x"])));
          optimizer.Minimize(loss);
          return loss;
        },
        Counting(2, 1));
  };
  EXPECT_THROW(train(optim::GradientReduction::kSum), GraphError);
  const PerReplica loss = train(optim::GradientReduction::kMean);
  Session session;
  repl.Init(session);
  session.Run(loss);
  EXPECT_EQ(session.Read(w).Item<float>(), 0.0f);  // the mean of 0 and w^2: its gradient at 1 is 1
}

TEST(Values, ReducingTwiceIsRefused) {
  LocalReplicator repl({.num_replicas = 2});
  const Error error =
      ErrorOf([&] { repl.Run([](const Batch& batch) { return AllMean(AllSum(batch["x"])); }, Counting(2, 1)); });
  EXPECT_THAT(error.message(), HasSubstr("aggregated twice"));
}

TEST(Values, ATensorOfAnotherGraphIsRefusedWithBothLines) {
  LocalReplicator repl({.num_replicas = 1});
  Tensor captured;
  uint32_t made = 0, used = 0;
  repl.Run([&] {
    made = SourceLocation::current().line() + 1;
    captured = Constant(1.0);
    return captured;
  });
  const Error error = ErrorOf([&] {
    repl.Run([&] {
      used = SourceLocation::current().line() + 1;
      return captured + 1.0;
    });
  });
  EXPECT_THAT(LinesOf(error), testing::ElementsAre(used, made));
  EXPECT_THAT(error.message(), HasSubstr("belongs to the graph in which it was made"));
}

TEST(Values, PrintingATensorTellsWhatItIs) {
  LocalReplicator repl({.num_replicas = 1});
  std::ostringstream text;
  repl.Run(
      [&](const Batch& batch) {
        const NameScope scope("head");
        const Tensor sum = batch["x"] + 1.0;
        text << sum;
        return sum;
      },
      Counting(4, 2));
  EXPECT_THAT(text.str(), HasSubstr("head/add"));
  EXPECT_THAT(text.str(), HasSubstr("f32[2]"));
  EXPECT_THAT(text.str(), HasSubstr("varying"));
  EXPECT_THAT(text.str(), HasSubstr("values_test.cc:"));
  EXPECT_THAT(text.str(), HasSubstr("run it for its value"));
}

TEST(Values, AnErrorNamesOperationShapesRuleAndLine) {
  LocalReplicator repl({.num_replicas = 1});
  uint32_t line = 0;
  try {
    repl.Run([&] {
      const Tensor a = Zeros({DType::kF32, {2, 3}}), b = Zeros({DType::kF32, {4}});
      line = SourceLocation::current().line() + 1;
      return a + b;
    });
    FAIL() << "accepted";
  } catch (const GraphError& error) {
    EXPECT_EQ(error.op(), "add");
    EXPECT_EQ(error.operand_shapes().size(), 2u);
    EXPECT_THAT(error.rule(), HasSubstr("do not broadcast"));
    EXPECT_THAT(LinesOf(error), testing::ElementsAre(line));
  }
}

}  // namespace
}  // namespace replicator::testing_support
