// docs/semantics.md, "Steps and fetches".
#include "program.h"

namespace replicator::testing_support {
namespace {

TEST(Steps, AFetchedLossTrains) {
  LocalReplicator repl({.num_replicas = 2});
  const auto scope = repl.Context();
  const Variable w = ScalarVariable("w", 1.0);
  const optim::Optimizer optimizer =
      repl.WrapOptimizer(optim::Sgd({.learning_rate = 0.5}), optim::GradientReduction::kMean);
  const PerReplica loss = repl.Run(
      [&](const Batch& batch) {
        const Tensor value = ReduceMean(Square(w * batch["x"]));
        optimizer.Minimize(value);
        return value;
      },
      Counting(2, 1));
  Session session;
  repl.Init(session);
  // Examples 0 and 1: the losses are 0 and w^2, the gradient of their mean is w, so each step halves w.
  EXPECT_EQ(session.Run(ReduceMean(loss)).Item<float>(), 0.5f);
  EXPECT_EQ(session.Read(w).Item<float>(), 0.5f);
  EXPECT_EQ(session.Run(ReduceMean(loss)).Item<float>(), 0.125f);
  EXPECT_EQ(session.Read(w).Item<float>(), 0.25f);
}

TEST(Steps, AllFetchesOfOneStepShareOneExecution) {
  LocalReplicator repl({.num_replicas = 2});
  const auto scope = repl.Context();
  const Variable count = ScalarVariable("count");
  const auto [before, after] = repl.Run([&] {
    const Tensor old = count.Read();
    count.AssignAdd(1.0);
    return std::pair(old, count.Read());
  });
  Session session;
  repl.Init(session);
  for (int i = 0; i < 3; ++i) {
    const std::vector<Fetched> values = session.Run({before, after, Reduce(after, ReduceOp::kMax)});
    EXPECT_EQ(values[0].Item<float>(), static_cast<float>(i));
    EXPECT_EQ(values[1].Item<float>(), static_cast<float>(i + 1));
    EXPECT_EQ(values[2].Item<float>(), static_cast<float>(i + 1));
  }
  EXPECT_EQ(session.Read(count).Item<float>(), 3.0f);
}

TEST(Steps, DifferentStepsRunInTheOrderTheyWereBuilt) {
  LocalReplicator repl({.num_replicas = 1});
  const auto scope = repl.Context();
  const Variable v = ScalarVariable("v", 1.0);
  const PerReplica add = repl.Run([&] {
    v.AssignAdd(1.0);
    return v.Read();
  });
  const PerReplica twice = repl.Run([&] {
    v.Assign(v * 2.0);
    return v.Read();
  });
  Session session;
  repl.Init(session);
  const std::vector<Fetched> values = session.Run({twice, add});  // the order of the fetches does not matter
  EXPECT_EQ(values[1].Item<float>(), 2.0f);
  EXPECT_EQ(values[0].Item<float>(), 4.0f);
}

TEST(Steps, EachExecutionTakesOneNewBatchPerReplica) {
  LocalReplicator repl({.num_replicas = 2});
  const PerReplica x = repl.Run([](const Batch& batch) { return batch["x"]; }, Counting(8, 2));
  Session session;
  repl.Init(session);
  const Fetched first = session.Run(x), second = session.Run(x);
  EXPECT_EQ(first.Get(0), Literal::FromValues<float>({2}, {0, 1}));
  EXPECT_EQ(first.Get(1), Literal::FromValues<float>({2}, {2, 3}));
  EXPECT_EQ(second.Get(0), Literal::FromValues<float>({2}, {4, 5}));
  EXPECT_EQ(second.Get(1), Literal::FromValues<float>({2}, {6, 7}));
}

TEST(Steps, AStepThatReturnsNothingCanBeRun) {
  LocalReplicator repl({.num_replicas = 2});
  const auto scope = repl.Context();
  const Variable v = ScalarVariable("v");
  const PerReplica step = repl.Run([&] { v.AssignAdd(2.0); });
  Session session;
  repl.Init(session);
  session.Run(step).Wait();
  EXPECT_EQ(session.Read(v).Item<float>(), 2.0f);
}

TEST(Steps, StructuresComeBackAsStructures) {
  LocalReplicator repl({.num_replicas = 2});
  const auto results = repl.Run(
      [](const Batch& batch) {
        return std::map<std::string, std::vector<Tensor>>{{"a", {batch["x"], batch["x"] + 1.0}}, {"b", {}}};
      },
      Counting(4, 1));
  Session session;
  repl.Init(session);
  const std::vector<Fetched> values = session.Run({results.at("a")[1], results.at("a")[0]});
  EXPECT_EQ(values[0].Get(1).Item<float>(), 0.0f + values[1].Get(1).Item<float>() + 1);
  EXPECT_TRUE(results.at("b").empty());
}

TEST(Steps, TheEndOfTheInputIsOutOfRangeAndASweepCanBeginAgain) {
  LocalReplicator repl({.num_replicas = 2});
  const auto scope = repl.Context();
  const Variable count = ScalarVariable("count");
  InputIterator input =
      repl.MakeInputIterator([](const InputContext& context) { return Numbers(4).Shard(context).Batch(1); });
  const PerReplica x = repl.Run(
      [&](const Batch& batch) {
        count.AssignAdd(1.0);
        return batch["x"];
      },
      input);
  Session session;
  repl.Init(session);
  for (int sweep = 0; sweep < 2; ++sweep) {
    EXPECT_EQ(session.Run(x).Get(1).Item<float>(), 1.0f);
    EXPECT_EQ(session.Run(x).Get(1).Item<float>(), 3.0f);
    EXPECT_THROW(session.Run(x), OutOfRange);
    EXPECT_THROW(session.Run(x), OutOfRange);
    input.Initialize();
  }
  EXPECT_EQ(session.Read(count).Item<float>(), 4.0f);  // nothing of the step ran at the end of the input
}

TEST(Steps, EvaluationIsASecondRunOverTheSameModules) {
  LocalReplicator repl({.num_replicas = 2});
  const auto scope = repl.Context();
  const nn::Dense model({.units = 1, .use_bias = false, .kernel_initializer = nn::init::Constant(3)});
  const nn::Dropout dropout({.rate = 1.0});
  const auto predict = [=](const Batch& batch) { return dropout(model(Reshape(batch["x"], {-1, 1}))); };
  const optim::Optimizer optimizer =
      repl.WrapOptimizer(optim::Sgd({.learning_rate = 1}), optim::GradientReduction::kMean);
  const PerReplica train = repl.Run(
      [=](const Batch& batch) {
        const Tensor y = predict(batch);
        const Tensor loss = ReduceMean(model(Ones({DType::kF32, {1, 1}})) + y);
        optimizer.Minimize(loss);
        return y;
      },
      Counting(4, 2));
  const PerReplica eval = repl.Run(predict, Counting(4, 2), {.mode = Mode::kEval});
  Session session;
  repl.Init(session);
  EXPECT_EQ(session.Run(train).Get(1), Literal(Shape{DType::kF32, {2, 1}}));  // everything is dropped
  // The gradient is 1, so the kernel is now 2; evaluation drops nothing and has an input of its own.
  EXPECT_EQ(session.Run(eval).Get(1), Literal::FromValues<float>({2, 1}, {4, 6}));
}

TEST(Steps, AStepIsFrozenWhenRunReturns) {
  LocalReplicator repl({.num_replicas = 1});
  Tensor kept;
  repl.Run([&] {
    kept = Constant(1.0);
    return kept;
  });
  const Error error = ErrorOf([&] { kept + 1.0; });
  EXPECT_EQ(error.code(), ErrorCode::kFailedPrecondition);
}

TEST(Steps, RunningBeforeInitIsRefused) {
  LocalReplicator repl({.num_replicas = 1});
  const PerReplica one = repl.Run([] { return Constant(1.0); });
  Session session;
  EXPECT_EQ(ErrorOf([&] { session.Run(one); }).code(), ErrorCode::kFailedPrecondition);
}

}  // namespace
}  // namespace replicator::testing_support
