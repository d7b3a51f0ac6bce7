#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "actor_learner/actors.h"
#include "actor_learner/agent.h"
#include "actor_learner/cart_pole.h"

namespace actor_learner {
namespace {

namespace rp = replicator;

TEST(CartPole, StartsAsTheEquationsSay) {
  CartPole environment(1, 500);
  environment.set_state({0, 0, 0, 0});
  EXPECT_FALSE(environment.Step(1));
  // At rest and upright: 10 N push 1.1 kg, of which the pole's inertia takes its part.
  const double turn = -(10 / 1.1) / (0.5 * (4.0 / 3 - 0.1 / 1.1));
  const double push = 10 / 1.1 - 0.1 * 0.5 * turn / 1.1;
  EXPECT_THAT(environment.state(), testing::ElementsAre(0, testing::DoubleNear(0.02 * push, 1e-15), 0,
                                                        testing::DoubleNear(0.02 * turn, 1e-15)));
  // Mirrored, everything changes its sign.
  const auto state = environment.state();
  environment.set_state({-0.1, 0.2, -0.05, 0.3});
  environment.Step(0);
  const auto left = environment.state();
  environment.set_state({0.1, -0.2, 0.05, -0.3});
  environment.Step(1);
  for (size_t i = 0; i < 4; ++i) EXPECT_DOUBLE_EQ(environment.state()[i], -left[i]);
  EXPECT_EQ(state[0], 0);
}

// Lagrange's equations of the cart and a rod of half length 0.5, which the solved form must satisfy.
TEST(CartPole, ObeysTheEquationsOfMotion) {
  CartPole environment(1, 1'000'000);
  for (int i = 0; i < 20; ++i) {
    const double angle = 0.3 * std::sin(i), turn = 2 * std::cos(3 * i), force = i % 2 == 0 ? 10 : -10;
    environment.set_state({0.1 * i, 0.7, angle, turn});
    environment.Step(i % 2 == 0 ? 1 : 0);
    const CartPole::State& now = environment.state();
    EXPECT_NEAR(now[0], 0.1 * i + 0.02 * 0.7, 1e-15);
    EXPECT_NEAR(now[2], angle + 0.02 * turn, 1e-15);
    const double push = (now[1] - 0.7) / 0.02, twist = (now[3] - turn) / 0.02;
    constexpr double kArm = 0.1 * 0.5;
    EXPECT_NEAR(1.1 * push + kArm * (twist * std::cos(angle) - turn * turn * std::sin(angle)), force, 1e-10);
    EXPECT_NEAR(4.0 / 3 * kArm * 0.5 * twist + kArm * (push * std::cos(angle) - 9.8 * std::sin(angle)), 0, 1e-10);
  }
}

TEST(CartPole, EndsWhenItFallsRunsAwayOrHasLastedLongEnough) {
  CartPole environment(1, 3);
  environment.set_state({2.39, 1, 0, 0});
  EXPECT_TRUE(environment.Step(1));
  environment.Reset();
  environment.set_state({0, 0, 12.1 * std::numbers::pi / 180, 0});
  EXPECT_TRUE(environment.Step(1));
  environment.Reset();
  EXPECT_EQ(environment.steps(), 0);
  EXPECT_FALSE(environment.Step(0));
  EXPECT_FALSE(environment.Step(1));
  EXPECT_TRUE(environment.Step(0));
}

TEST(CartPole, StartsFromItsSeed) {
  CartPole a(7, 9), b(7, 9), c(8, 9);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(a.state(), b.state());
    EXPECT_NE(a.state(), c.state());
    for (const double coordinate : a.state()) EXPECT_LT(std::abs(coordinate), 0.05);
    a.Reset(), b.Reset(), c.Reset();
  }
}

class AgentTest : public testing::Test {
 protected:
  AgentTest() { repl_.Init(session_); }
  rp::LocalReplicator repl_{{.num_replicas = 1, .seed = 2}};
  rp::Session session_;
};

// The paper's sum, term by term, in double.
double Target(const std::vector<double>& ratio, const std::vector<double>& reward, const std::vector<double>& discount,
              const std::vector<double>& value, size_t s) {
  double target = value[s];
  for (size_t t = s; t < reward.size(); ++t) {
    double weight = std::min(1.0, ratio[t]);
    for (size_t i = s; i < t; ++i) weight *= discount[i] * std::min(1.0, ratio[i]);
    target += weight * (reward[t] + discount[t] * value[t + 1] - value[t]);
  }
  return target;
}

TEST_F(AgentTest, VTraceIsThePapersSum) {
  constexpr int64_t kLength = 5;
  const std::vector<double> ratio = {0.5, 1.7, 1.0, 0.2, 3.0}, reward = {1, -2, 0.5, 0, 3};
  const std::vector<double> discount = {0.9, 0.9, 0, 0.8, 0.9}, value = {0.3, -1, 2, 0.7, 1.5, -0.4};
  const auto row = [](const std::vector<double>& x) { return rp::Literal::FromValues<double>({1, std::ssize(x)}, x); };
  std::vector<double> log_ratio;
  for (const double r : ratio) log_ratio.push_back(std::log(r));
  const rp::Shape shape{rp::DType::kF64, {1, kLength}};
  const rp::Callable f = session_.MakeCallable(
      [](const rp::Tensor& l, const rp::Tensor& r, const rp::Tensor& d, const rp::Tensor& v) {
        const VTraceResult result = VTrace(l, r, d, v);
        return std::pair(result.targets, result.advantages);
      },
      {shape, shape, shape, {rp::DType::kF64, {1, kLength + 1}}});
  const auto results = f({row(log_ratio), row(reward), row(discount), row(value)});
  for (size_t s = 0; s < kLength; ++s) {
    EXPECT_NEAR(results[0].ToDoubles()[s], Target(ratio, reward, discount, value, s), 1e-12) << s;
    const double next = s + 1 < kLength ? Target(ratio, reward, discount, value, s + 1) : value.back();
    EXPECT_NEAR(results[1].ToDoubles()[s], std::min(1.0, ratio[s]) * (reward[s] + discount[s] * next - value[s]),
                1e-12);
  }
}

TEST_F(AgentTest, ActsAsItsPolicySays) {
  constexpr int64_t kDraws = 20'000;
  const Agent agent(2);
  const auto scope = repl_.Context();
  const rp::Shape observations{rp::DType::kF32, {kDraws, kObservation}};
  const rp::Callable act = session_.MakeCallable([&](const rp::Tensor& x) { return agent.Act(x); }, {observations});
  const rp::Callable greedy =
      session_.MakeCallable([&](const rp::Tensor& x) { return agent.ActGreedily(x); }, {observations});
  // A policy of its own that is not even.
  session_.Write(repl_.FindVariable("agent/policy/bias"), rp::Literal::FromValues<float>({2}, {0, 1}));
  const auto results = act({rp::Literal(observations)}, {.random_key = 1});
  const double expected = std::exp(1) / (1 + std::exp(1));
  double ones = 0;
  for (size_t i = 0; i < kDraws; ++i) {
    const int32_t action = results[0].data<int32_t>()[i];
    EXPECT_NEAR(results[1].data<float>()[i], std::log(action == 1 ? expected : 1 - expected), 1e-5);
    ones += action;
  }
  EXPECT_NEAR(ones / kDraws, expected, 0.015);
  EXPECT_THAT(greedy({rp::Literal(observations)})[0].ToDoubles(), testing::Each(1.0));
}

TEST_F(AgentTest, ActorsPushWholeTrajectoriesUntilTheQueueIsClosed) {
  const Agent agent(2);
  const rp::Callable act =
      session_.MakeCallable([&](const rp::Tensor& x) { return agent.Act(x); }, {{rp::DType::kF32, {3, kObservation}}});
  const auto first = [&](int64_t actors) {
    rp::data::Queue queue(TrajectorySpec(6), {.capacity = 6});
    Returns returns;
    const Actors threads(act, queue, returns,
                         {.actors = actors, .environments = 3, .trajectory = 6, .episode_steps = 4, .seed = 5});
    std::vector<rp::data::Components> taken = queue.PopBatch(6);
    for (int i = 0; i < 50; ++i) queue.PopBatch(6);
    EXPECT_GT(returns.episodes(), 100);
    EXPECT_EQ(returns.Mean(), 4.0) << "nobody falls so fast";
    return taken;
  };
  const auto a = first(1), b = first(1);
  for (size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i], b[i]) << "an actor alone is reproducible";
  EXPECT_EQ(a[0].at("discount").ToDoubles()[3], 0) << "the episode's end";
  EXPECT_NEAR(a[0].at("discount").ToDoubles()[2], 0.99, 1e-6);
  first(4);
}

TEST_F(AgentTest, AFailingActorReachesTheLearner) {
  const Agent agent(2);
  const rp::Callable wrong =
      session_.MakeCallable([&](const rp::Tensor& x) { return agent.Act(x); }, {{rp::DType::kF32, {1, kObservation}}});
  rp::data::Queue queue(TrajectorySpec(6));
  Returns returns;
  const Actors threads(wrong, queue, returns, {.actors = 2, .environments = 3, .trajectory = 6});
  try {
    queue.Pop(10);
    FAIL() << "it has another number of environments";
  } catch (const rp::Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("takes f32[1,4] as its input 0, but was given f32[3,4]"));
  }
}

}  // namespace
}  // namespace actor_learner
