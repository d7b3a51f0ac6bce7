// docs/semantics.md, "Variables and modules".
#include "program.h"

#include <limits>

namespace replicator::testing_support {
namespace {

using testing::HasSubstr;

TEST(Variables, AReadAfterAnAssignmentSeesTheNewValue) {
  LocalReplicator repl({.num_replicas = 2});
  const auto scope = repl.Context();
  const Variable v = ScalarVariable("v", 1.0), w = ScalarVariable("w", 10.0);
  const auto [first, second] = repl.Run([&] {
    const Tensor old = v.Read();
    v.Assign(w);                   // 10
    w.Assign(v + old);             // 10 + 1
    return std::pair(old, v + w);  // 10 + 11
  });
  Session session;
  repl.Init(session);
  const std::vector<Fetched> values = session.Run({first, second});
  EXPECT_EQ(values[0].Item<float>(), 1.0f);
  EXPECT_EQ(values[1].Item<float>(), 21.0f);
  EXPECT_EQ(session.Read(v).Item<float>(), 10.0f);
  EXPECT_EQ(session.Read(w).Item<float>(), 11.0f);
}

TEST(Variables, ACopyOfAModuleIsTheSameModule) {
  LocalReplicator repl({.num_replicas = 2});
  const auto scope = repl.Context();
  const nn::Dense model({.units = 2});
  const auto by_value = [=](const Batch& batch) { return model(Reshape(batch["x"], {-1, 1})); };
  const PerReplica a = repl.Run(by_value, Counting(4, 2)), b = repl.Run(by_value, Counting(4, 2));
  Session session;
  repl.Init(session);
  const std::vector<Fetched> values = session.Run({a, b});
  EXPECT_EQ(values[0].GetAll(), values[1].GetAll());
  EXPECT_NE(values[0].Get(1).ToDoubles(), std::vector<double>(4, 0.0));
}

TEST(Variables, TwoAnonymousModulesOfOneTypeAskForAName) {
  LocalReplicator repl({.num_replicas = 1});
  const auto scope = repl.Context();
  const nn::Dense first({.units = 2}), second({.units = 2}), named({.units = 2, .name = "other"});
  const auto build = [&](const nn::Dense& a, const nn::Dense& b) {
    return repl.Run([&](const Batch& batch) { return b(a(Reshape(batch["x"], {-1, 1}))); }, Counting(4, 2));
  };
  const Error error = ErrorOf([&] { build(first, second); });
  EXPECT_THAT(error.message(), HasSubstr(".name"));
  EXPECT_GE(error.where().size(), 2u);
  EXPECT_NO_THROW(build(first, named));
}

TEST(Variables, AModuleRefusesAnotherShapeWithBothLines) {
  LocalReplicator repl({.num_replicas = 1});
  const auto scope = repl.Context();
  const nn::Dense model({.units = 2});
  uint32_t first = 0, second = 0;
  repl.Run([&] {
    first = SourceLocation::current().line() + 1;
    return model(Zeros({DType::kF32, {1, 3}}));
  });
  const Error error = ErrorOf([&] {
    repl.Run([&] {
      second = SourceLocation::current().line() + 1;
      return model(Zeros({DType::kF32, {1, 4}}));
    });
  });
  EXPECT_THAT(LinesOf(error), testing::IsSupersetOf({first, second}));
}

TEST(Variables, TwoOptimizersKeepTheirOwnState) {
  LocalReplicator repl({.num_replicas = 2});
  const auto scope = repl.Context();
  const Variable a = ScalarVariable("a", 1.0), b = ScalarVariable("b", 1.0);
  const auto reduction = optim::GradientReduction::kMean;
  const optim::Optimizer slow = repl.WrapOptimizer(optim::Sgd({.learning_rate = 0.25, .name = "slow"}), reduction);
  const optim::Optimizer fast = repl.WrapOptimizer(optim::Sgd({.learning_rate = 1, .name = "fast"}), reduction);
  const PerReplica step_a = repl.Run(
      [&](const Batch& batch) { slow.Minimize(ReduceMean(a * b * (batch["x"] * 0.0 + 1.0)), {.var_list = {{a}}}); },
      Counting(2, 1));
  const PerReplica step_b = repl.Run(
      [&](const Batch& batch) { fast.Minimize(ReduceMean(a * b * (batch["x"] * 0.0 + 1.0)), {.var_list = {{b}}}); },
      Counting(2, 1));
  Session session;
  repl.Init(session);
  session.Run(step_a);
  EXPECT_EQ(session.Read(a).Item<float>(), 0.75f);
  EXPECT_EQ(session.Read(b).Item<float>(), 1.0f);
  session.Run(step_b);
  session.Run(step_b);
  EXPECT_EQ(session.Read(a).Item<float>(), 0.75f);
  EXPECT_EQ(session.Read(b).Item<float>(), -0.5f);
  EXPECT_EQ(session.Read(slow.iterations()).Item<int64_t>(), 1);
  EXPECT_EQ(session.Read(fast.iterations()).Item<int64_t>(), 2);
}

TEST(Variables, AnUnwrappedOptimizerIsRefusedWithSeveralReplicas) {
  LocalReplicator repl({.num_replicas = 2});
  const auto scope = repl.Context();
  const Variable w = ScalarVariable("w", 1.0);
  const Error error = ErrorOf([&] {
    repl.Run([&](const Batch& batch) { optim::Sgd({.learning_rate = 1}).Minimize(ReduceMean(w * batch["x"])); },
             Counting(2, 1));
  });
  EXPECT_THAT(error.message(), HasSubstr("WrapOptimizer"));
}

std::vector<double> InitialValue(int replicas, bool other_first) {
  LocalReplicator repl({.num_replicas = replicas, .seed = 7});
  const auto scope = repl.Context();
  const auto declare = [](const char* name) {
    return Variable({.name = name, .shape = {DType::kF32, {4}}, .initializer = nn::init::TruncatedNormal(1.0)});
  };
  if (other_first) declare("other");
  const Variable v = declare("v");
  if (!other_first) declare("other");
  Session session;
  repl.Init(session);
  return session.Read(v).ToDoubles();
}

TEST(Variables, InitialValuesDependOnSeedAndNameAlone) {
  const std::vector<double> one = InitialValue(1, false);
  EXPECT_EQ(one, InitialValue(4, false));
  EXPECT_EQ(one, InitialValue(1, true));
}

TEST(Variables, AVariableDeclaredLaterIsFilledBeforeItsFirstUse) {
  LocalReplicator repl({.num_replicas = 2});
  const auto scope = repl.Context();
  const Variable early = ScalarVariable("early", 1.0);
  Session session;
  repl.Init(session);
  session.Write(early, Literal::Scalar(5.0f));
  const Variable late = ScalarVariable("late", 2.0);
  const PerReplica sum = repl.Run([&] { return early + late; });
  EXPECT_EQ(session.Run(sum).Item<float>(), 7.0f);
}

TEST(Variables, APerReplicaVariableKeepsItsOwnValues) {
  LocalReplicator repl({.num_replicas = 3});
  const auto scope = repl.Context();
  const Variable mean({.name = "mean",
                       .shape = {DType::kF32, {}},
                       .initializer = ZeroInit,
                       .trainable = false,
                       .aggregation = Aggregation::kMean});
  const PerReplica step = repl.Run(
      [&](const Batch& batch) {
        mean.AssignAdd(ReduceSum(batch["x"]));
        return mean.Read();
      },
      Counting(3, 1));
  Session session;
  repl.Init(session);
  session.Run(step);
  EXPECT_EQ(session.Run(step).Get(2).Item<float>(), 4.0f);
  EXPECT_EQ(session.ReadReplica(mean, 1).Item<float>(), 2.0f);
  EXPECT_EQ(session.Read(mean).Item<float>(), 2.0f);
}

TEST(Variables, ANonFiniteUpdateKeepsTheGoodValues) {
  LocalReplicator repl({.num_replicas = 2});
  const auto scope = repl.Context();
  const Variable good = ScalarVariable("good", 1.0), bad = ScalarVariable("bad", 1.0);
  // The second batch (examples 2 and 3) makes `bad` infinite.
  const PerReplica step = repl.Run(
      [&](const Batch& batch) {
        const Tensor largest = AllMax(ReduceMax(batch["x"]));
        good.AssignAdd(1.0);
        bad.Assign(Select(largest > 2.0, 1.0 / (largest * 0.0), bad));
      },
      Counting(4, 1));
  Session session;
  repl.Init(session);
  session.Run(step);
  const Error error = ErrorOf([&] {
    session.Run(step).Wait();
    session.Wait();
  });
  EXPECT_THAT(error.message(), HasSubstr("'bad'"));
  EXPECT_EQ(session.Read(good).Item<float>(), 2.0f);
  EXPECT_EQ(session.Read(bad).Item<float>(), 1.0f);
}

}  // namespace
}  // namespace replicator::testing_support
