// Many threads that call while steps train.
#include <atomic>
#include <thread>

#include "replicator/runtime/callable.h"
#include "replicator/runtime/session.h"
#include "runtime/testing.h"

namespace replicator {
namespace {

using namespace replicator::runtime_testing;  // NOLINT: helpers of this room's tests

// Two variables that every step changes alike; of a size that takes time to write.
class CallableThreadsTest : public testing::TestWithParam<int> {
 protected:
  static constexpr int64_t kSize = 20'000;

  void SetUp() override {
    for (Variable* variable : {&a_, &b_}) {
      const std::string name = variable == &a_ ? "a" : "b";
      *variable = Declare(*engine_, {.name = name, .shape = {DType::kF32, {kSize}}});
    }
    step_ = AddStep(engine_, [this](const Inputs&) {
              const Tensor one = Convert(ReplicaContext::Current().replica_id(), DType::kF32) * 0.0 + 1.0;
              a_.AssignAdd(1);
              b_.AssignAdd(AllSum(one) - (engine_->num_replicas() - 1));
              return std::vector<Tensor>();
            }).results[0];
    session_.Attach(engine_);
  }

  // The least and the greatest element of both variables.
  std::vector<Tensor> Extremes() const { return {ReduceMin(a_), ReduceMax(a_), ReduceMin(b_), ReduceMax(b_)}; }

  const std::shared_ptr<Engine> engine_ = Engine::Create({.num_replicas = GetParam()});
  Variable a_, b_;
  Fetch step_;
  Session session_;
};

TEST_P(CallableThreadsTest, SeeWholeStepsOnlyAndNeverGoBack) {
  constexpr int kThreads = 6, kMinSteps = 200;
  const Callable one = session_.MakeCallable([this] { return Extremes(); }, {}, {.replica = GetParam() - 1});
  const Callable all = session_.MakeCallable([this] { return Extremes(); }, {}, {.replicated = true});
  std::atomic<bool> trained = false;
  std::atomic<int> calls = 0, steps = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        float last = 0;
        while (!trained || last < static_cast<float>(steps)) {
          std::vector<std::vector<Literal>> seen;
          if (t % 3 == 0) {
            seen = all.CallReplicas(std::vector<std::vector<Literal>>(static_cast<size_t>(GetParam())));
          } else {
            seen.push_back(one({}));
          }
          const auto step = seen[0][0].Item<float>();
          for (const auto& replica : seen) {
            for (const Literal& extreme : replica) ASSERT_EQ(extreme.Item<float>(), step) << "a part of a step";
          }
          ASSERT_GE(step, last);
          last = step;
          ++calls;
        }
      });
    }
    // As long as it takes for calls to overlap with steps, however few processors there are.
    for (; steps < kMinSteps || calls < 2 * kThreads; ++steps) session_.Run(step_);
    session_.Wait();
    trained = true;
  }
  EXPECT_EQ(session_.Read(a_).data<float>()[kSize - 1], static_cast<float>(steps))
      << "readers must not disturb training";
  EXPECT_EQ(session_.Read(b_), session_.Read(a_));
}

TEST_P(CallableThreadsTest, ACallSeesWhatItsThreadHasRun) {
  const Callable one = session_.MakeCallable([this] { return Extremes(); }, {});
  std::vector<std::jthread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&] {
      for (int i = 1; i <= 20; ++i) {
        session_.Run(step_);
        ASSERT_GE(one({})[3].Item<float>(), static_cast<float>(i));
      }
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Replicas, CallableThreadsTest, testing::Values(1, 3));

}  // namespace
}  // namespace replicator
