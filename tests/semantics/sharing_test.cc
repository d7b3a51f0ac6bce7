// docs/semantics.md, "Several programs over the same variables".
#include <thread>

#include "program.h"

namespace replicator::testing_support {
namespace {

// "x" is 0, 1, ..., count - 1, once.
InputFn Once(int64_t count, int64_t per_replica) {
  return [=](const InputContext& context) { return Numbers(count).Shard(context).Batch(per_replica); };
}

optim::Optimizer Sgd(Replicator& repl, double rate, const std::string& name) {
  return repl.WrapOptimizer(optim::Sgd({.learning_rate = rate, .name = name}), optim::GradientReduction::kMean);
}

// Two players of one game, as in a GAN: a minimises (a - b)^2 at one rate, b minimises (b - 2a)^2 at another.
TEST(Sharing, TwoStepsWithAnOptimizerEach) {
  LocalReplicator repl({.num_replicas = 2});
  const auto scope = repl.Context();
  const Variable a = ScalarVariable("a", 1.0), b = ScalarVariable("b", 4.0);
  const optim::Optimizer slow = Sgd(repl, 0.125, "slow"), fast = Sgd(repl, 0.25, "fast");
  const PerReplica a_step = repl.Run([&] { slow.Minimize(Square(a - b), {.var_list = {{a}}}); });
  const PerReplica b_step = repl.Run([&] { fast.Minimize(Square(b - a * 2.0), {.var_list = {{b}}}); });
  Session session;
  repl.Init(session);

  float a_now = 1, b_now = 4;
  for (int i = 0; i < 4; ++i) {
    session.Run(a_step);
    a_now -= 0.125f * 2 * (a_now - b_now);
    EXPECT_EQ(session.Read(a), Literal::Scalar(a_now));
    EXPECT_EQ(session.Read(b), Literal::Scalar(b_now)) << "bit for bit";
    session.Run(b_step), session.Run(b_step);
    for (int k = 0; k < 2; ++k) b_now -= 0.25f * 2 * (b_now - 2 * a_now);
    EXPECT_EQ(session.Read(a), Literal::Scalar(a_now)) << "bit for bit";
    EXPECT_EQ(session.Read(b), Literal::Scalar(b_now));
  }
  EXPECT_EQ(session.Read(slow.iterations()).Item<int64_t>(), 4);
  EXPECT_EQ(session.Read(fast.iterations()).Item<int64_t>(), 8);
}

class IteratorsTest : public testing::Test {
 protected:
  PerReplica Adding(const InputIterator& input, const Variable& sum) {
    return repl_.Run(
        [&](const Batch& batch) {
          const Tensor x = AllSum(ReduceSum(batch["x"]));
          sum.AssignAdd(x);
          return x;
        },
        input);
  }
  float Run(const PerReplica& step) { return session_.Run(step).Item<float>(); }
  float Value(const Variable& variable) { return session_.Read(variable).Item<float>(); }

  LocalReplicator repl_{{.num_replicas = 2}};
  ContextScope scope_ = repl_.Context();
  Variable trained_ = ScalarVariable("trained"), seen_ = ScalarVariable("seen");
  Session session_;
};

TEST_F(IteratorsTest, TheEndOfOneDoesNotDisturbTheOther) {
  const PerReplica train = Adding(repl_.MakeInputIterator(Once(100, 1)), trained_);
  InputIterator test_input = repl_.MakeInputIterator(Once(4, 1));
  const PerReplica test = Adding(test_input, seen_);
  repl_.Init(session_);
  float next = 1, total = 0;
  const auto expect_training_goes_on = [&] {
    EXPECT_EQ(Run(train), next);
    total += std::exchange(next, next + 4);  // 0 + 1, 2 + 3, ...
  };
  for (int sweep = 0; sweep < 3; ++sweep) {
    test_input.Initialize();
    EXPECT_EQ(Run(test), 1.0f);
    expect_training_goes_on();
    EXPECT_EQ(Run(test), 5.0f);
    EXPECT_THROW(session_.Run(test), OutOfRange);
    expect_training_goes_on();
    // In one Run: neither step is executed, and the batch that the other had taken comes again.
    EXPECT_THROW(session_.Run({train, test}), OutOfRange);
    EXPECT_THROW(session_.Run({test, train}), OutOfRange);
    expect_training_goes_on();
    EXPECT_EQ(Value(trained_), total);
    EXPECT_EQ(Value(seen_), 6.0f * static_cast<float>(sweep + 1));
  }
}

TEST_F(IteratorsTest, StepsThatShareOneTakeTurns) {
  const InputIterator input = repl_.MakeInputIterator(Once(20, 1));
  const PerReplica first = Adding(input, trained_), second = Adding(input, seen_);
  repl_.Init(session_);
  EXPECT_EQ(Run(first), 1.0f);
  EXPECT_EQ(Run(second), 5.0f);
  const std::vector<Fetched> both = session_.Run({second, first});  // in the order in which they were built
  EXPECT_EQ(both[1].Item<float>(), 9.0f);
  EXPECT_EQ(both[0].Item<float>(), 13.0f);
  EXPECT_EQ(Run(first), 17.0f);
  EXPECT_EQ(Value(trained_), 1.0f + 9.0f + 17.0f);
  EXPECT_EQ(Value(seen_), 5.0f + 13.0f);
  EXPECT_EQ(Run(second), 21.0f);
}

TEST_F(IteratorsTest, AClosedQueueEndsOneInputOnly) {
  data::Queue queue({{"x", {DType::kF32, {}}}}, {.capacity = 4});
  const PerReplica from_queue = Adding(repl_.MakeInputIterator(InputFromQueue(queue, {.global_batch_size = 4})), seen_);
  const PerReplica train = Adding(repl_.MakeInputIterator(Once(100, 1)), trained_);
  repl_.Init(session_);
  std::jthread producer([own = queue]() mutable {
    for (int i = 0; i < 12; ++i) ASSERT_TRUE(own.Push({{"x", Literal::Scalar(static_cast<float>(i))}}));
    own.Close();
  });
  float sum = 0;
  for (int step = 0; step < 3; ++step) {
    sum += Run(from_queue);
    EXPECT_EQ(Run(train), static_cast<float>(4 * step + 1));
  }
  EXPECT_EQ(sum, 66.0f);
  for (int i = 0; i < 2; ++i) EXPECT_THROW(session_.Run(from_queue), OutOfRange);
  EXPECT_EQ(Run(train), 13.0f);
  EXPECT_EQ(Value(seen_), 66.0f);
}

TEST_F(IteratorsTest, AnEmptyQueueTimesOutAndHoldsUpNobodyAtTheEnd) {
  data::Queue queue({{"x", {DType::kF32, {}}}});
  const PerReplica waiting =
      Adding(repl_.MakeInputIterator(InputFromQueue(queue, {.global_batch_size = 2, .timeout_seconds = 0.05})), seen_);
  repl_.Init(session_);
  ASSERT_TRUE(queue.Push({{"x", Literal::Scalar(3.0f)}}));
  for (int i = 0; i < 2; ++i) {
    const Error error = ErrorOf([&] { session_.Run(waiting); });
    EXPECT_EQ(error.code(), ErrorCode::kDeadlineExceeded);
    EXPECT_THAT(error.what(), testing::HasSubstr("sharing_test.cc"));
  }
  ASSERT_TRUE(queue.Push({{"x", Literal::Scalar(4.0f)}}));
  EXPECT_EQ(Run(waiting), 7.0f) << "nothing was lost";
  repl_.Shutdown(session_);
}

// Everything ends while the input waits for a queue that nobody closes.
TEST(Sharing, AWaitingInputDoesNotKeepAnythingAlive) {
  data::Queue queue({{"x", {DType::kF32, {}}}});
  {
    LocalReplicator repl({.num_replicas = 2});
    const PerReplica x =
        repl.Run([](const Batch& batch) { return batch["x"]; }, InputFromQueue(queue, {.global_batch_size = 2}));
    Session session;
    repl.Init(session);
    ASSERT_TRUE(queue.PushBatch({{"x", Literal::FromValues<float>({2}, {1, 2})}}));
    EXPECT_EQ(session.Run(x).Get(1).Item<float>(), 2.0f);
    repl.Shutdown(session);
  }
  EXPECT_FALSE(queue.closed());
}

TEST(Sharing, ACallableSeesTheStepsBeforeIt) {
  LocalReplicator repl({.num_replicas = 2});
  const auto scope = repl.Context();
  const nn::Dense model({.units = 1, .use_bias = false, .kernel_initializer = nn::init::Constant(3)});
  const optim::Optimizer optimizer = Sgd(repl, 1, "sgd");
  const PerReplica train = repl.Run(
      [&](const Batch& batch) { optimizer.Minimize(ReduceMean(model(Reshape(batch["x"], {-1, 1})))); }, Counting(4, 2));
  Session session;
  repl.Init(session);
  const Callable predict = session.MakeCallable([&](const Tensor& x) { return model(x); }, {{DType::kF32, {1, 1}}});
  const Literal two = Literal::FromValues<float>({1, 1}, {2});
  EXPECT_EQ(predict({two})[0].Item<float>(), 6.0f);
  session.Run(train);  // the gradient is the mean of 0, 1, 2, 3
  EXPECT_EQ(predict({two})[0].Item<float>(), 3.0f);
  EXPECT_EQ(ErrorOf([&] {
              session.MakeCallable([&] { return optimizer.iterations().Assign(0), Constant(1.0); }, {});
            }).code(),
            ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace replicator::testing_support
