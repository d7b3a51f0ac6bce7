#include "replicator/runtime/session.h"

#include <thread>

#include "runtime/testing.h"

namespace replicator {
namespace {

using namespace replicator::runtime_testing;  // NOLINT: helpers of this room's tests
using testing::ElementsAre;

class SessionTest : public testing::Test {
 protected:
  void Open(int num_replicas) {
    engine_ = Engine::Create({.num_replicas = num_replicas});
    count_ = Declare(*engine_, {.name = "count", .shape = {DType::kI64, {}}});
  }
  // A step that counts and returns the new count.
  PerReplica CountingStep() {
    return AddStep(engine_,
                   [this](const Inputs&) {
                     count_.AssignAdd(1);
                     return std::vector<Tensor>{count_.Read()};
                   })
        .results[0];
  }

  std::shared_ptr<Engine> engine_;
  Variable count_;
  Session session_;
};

TEST_F(SessionTest, FetchingAResultRunsItsStepWithAllAssignments) {
  Open(1);
  const PerReplica counted = CountingStep();
  session_.Attach(engine_);
  EXPECT_EQ(session_.Read(count_).Item<int64_t>(), 0);
  for (int i = 1; i <= 5; ++i) EXPECT_EQ(session_.Run(counted).Item<int64_t>(), i);
  EXPECT_EQ(session_.Read(count_).Item<int64_t>(), 5);
  EXPECT_EQ(engine_->executions(0), 5);
}

TEST_F(SessionTest, AStepThatReturnsNothingCanBeFetched) {
  Open(2);
  const BuiltStep step = AddStep(engine_, [this](const Inputs&) {
    count_.AssignAdd(1);
    return std::vector<Tensor>();
  });
  session_.Attach(engine_);
  const Fetched fetched = session_.Run(step.results[0]);
  fetched.Wait();
  EXPECT_ERROR(fetched.Get(), kFailedPrecondition, "use Wait");
  EXPECT_ERROR(step.results[0].shape(), kFailedPrecondition, "returns nothing");
  EXPECT_EQ(session_.Read(count_).Item<int64_t>(), 1);
}

TEST_F(SessionTest, FetchesOfOneStepShareAnExecutionAndStepsRunInTheirOrder) {
  Open(1);
  const PerReplica first = CountingStep();
  const PerReplica second = CountingStep();
  session_.Attach(engine_);
  const std::vector<Fetched> fetched = session_.Run({second, first, ReduceMean(first), second});
  EXPECT_EQ(fetched[0].Item<int64_t>(), 2);
  EXPECT_EQ(fetched[1].Item<int64_t>(), 1);
  EXPECT_EQ(fetched[2].Item<double>(), 1.0);
  EXPECT_EQ(fetched[3].Item<int64_t>(), 2);
  EXPECT_EQ(engine_->executions(0), 1);
  EXPECT_EQ(engine_->executions(1), 1);
}

TEST_F(SessionTest, ReplicasCommunicate) {
  Open(4);
  const BuiltStep step = AddStep(engine_, [](const Inputs&) {
    const Tensor id = Convert(ReplicaContext::Current().replica_id(), DType::kF32);
    return std::vector<Tensor>{id, AllSum(id), AllGather(id)};
  });
  session_.Attach(engine_);
  const auto fetched =
      session_.Run({step.results[0], step.results[1], step.results[2], Reduce(step.results[0], ReduceOp::kSum),
                    Reduce(step.results[0], ReduceOp::kMax), ReduceMean(step.results[0])});
  EXPECT_FALSE(step.results[0].replicated());
  EXPECT_TRUE(step.results[1].replicated());
  for (int r = 0; r < 4; ++r) EXPECT_EQ(fetched[0].Get(r).Item<float>(), static_cast<float>(r));
  EXPECT_EQ(fetched[0].GetAll().size(), 4u);
  EXPECT_ERROR(fetched[0].Get(), kInvalidArgument, "Get(replica)");
  EXPECT_ERROR(fetched[0].Get(4), kInvalidArgument, "no replica 4");
  EXPECT_EQ(fetched[1].Item<float>(), 6.0f);
  EXPECT_EQ(fetched[1].Get(3).Item<float>(), 6.0f);
  EXPECT_THAT(Values(fetched[2].Get()), ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(fetched[3].Item<float>(), 6.0f);
  EXPECT_EQ(fetched[4].Item<float>(), 3.0f);
  EXPECT_EQ(fetched[5].Item<float>(), 1.5f);
}

TEST_F(SessionTest, RefusesReductionsThatMisleadOrMakeNoSense) {
  Open(2);
  const BuiltStep step = AddStep(engine_, [](const Inputs&) {
    const Tensor id = ReplicaContext::Current().replica_id();
    return std::vector<Tensor>{AllSum(id), id, id > 0};
  });
  EXPECT_ERROR(Reduce(step.results[0], ReduceOp::kSum), kInvalidArgument, "2 times that value");
  EXPECT_ERROR(ReduceSum(step.results[0]), kInvalidArgument, "session_test.cc");
  EXPECT_ERROR(Reduce(step.results[1], ReduceOp::kMean), kInvalidArgument, "u32[]");
  EXPECT_ERROR(Reduce(step.results[2], ReduceOp::kSum), kInvalidArgument, "ReduceSum");
  EXPECT_ERROR(Reduce(PerReplica(), ReduceOp::kMean), kInvalidArgument, "undefined");
  session_.Attach(engine_);
  EXPECT_EQ(session_.Run(Reduce(step.results[0], ReduceOp::kMax)).Item<uint32_t>(), 1u);
  EXPECT_EQ(session_.Run(ReduceSum(step.results[2])).Item<int64_t>(), 1);
}

TEST_F(SessionTest, SaysWhatIsMissingBeforeInitAndAfterShutdown) {
  Open(1);
  const PerReplica counted = CountingStep();
  EXPECT_ERROR(session_.Run(counted), kFailedPrecondition, "Init(session)");
  EXPECT_ERROR(session_.Wait(), kFailedPrecondition, "Init(session)");
  session_.Attach(engine_);
  session_.Attach(engine_);
  EXPECT_ERROR(session_.Attach(Engine::Create({})), kFailedPrecondition, "another replicator");
  EXPECT_ERROR(session_.Run(Fetch()), kInvalidArgument, "undefined");
  session_.Run(counted);
  session_.Detach();
  session_.Detach();
  EXPECT_ERROR(session_.Run(counted), kFailedPrecondition, "Shutdown");
  session_.Attach(engine_);
  EXPECT_EQ(session_.Run(counted).Item<int64_t>(), 2);
}

TEST_F(SessionTest, RefusesWhatBelongsToAnotherReplicator) {
  Open(1);
  const PerReplica counted = CountingStep();
  const Variable mine = count_;
  Open(1);
  session_.Attach(engine_);
  EXPECT_ERROR(session_.Run(counted), kInvalidArgument, "another replicator");
  EXPECT_ERROR(session_.Read(mine), kInvalidArgument, "'count' belongs to another replicator");
  EXPECT_ERROR(session_.Write(mine, Literal::Scalar<int64_t>(1)), kInvalidArgument, "another replicator");
  EXPECT_ERROR(Fetched().Get(), kFailedPrecondition, "undefined");
}

TEST_F(SessionTest, ReadsAndWritesVariables) {
  Open(2);
  const PerReplica counted = CountingStep();
  session_.Attach(engine_);
  session_.Write(count_, Literal::Scalar<int64_t>(40));
  EXPECT_EQ(session_.Run(counted).Item<int64_t>(), 41);
  EXPECT_EQ(session_.ReadReplica(count_, 1).Item<int64_t>(), 41);
  EXPECT_ERROR(session_.ReadReplica(count_, 2), kInvalidArgument, "no replica 2");
  EXPECT_ERROR(session_.Write(count_, Literal::Scalar<int32_t>(1)), kInvalidArgument, "'count' is i64[]");
}

TEST_F(SessionTest, ResultsOutliveEverythingElse) {
  Open(2);
  const BuiltStep step = AddStep(engine_, [](const Inputs&) {
    return std::vector<Tensor>{Convert(ReplicaContext::Current().replica_id(), DType::kF32) +
                               Zeros({DType::kF32, {3}})};
  });
  Fetched fetched, mean;
  {
    Session session;
    session.Attach(engine_);
    fetched = session.Run(step.results[0]);
    mean = session.Run(ReduceMean(step.results[0]));
  }
  engine_.reset();
  EXPECT_THAT(Values(fetched.Get(1)), ElementsAre(1, 1, 1));
  EXPECT_EQ(mean.Item<float>(), 0.5f);
  EXPECT_EQ(step.results[0].shape(), (Shape{DType::kF32, {3}}));
}

TEST_F(SessionTest, ResultsAreUnchangedByLaterSteps) {
  Open(1);
  const PerReplica counted = CountingStep();
  session_.Attach(engine_);
  std::vector<Fetched> all;
  for (int i = 0; i < 100; ++i) all.push_back(session_.Run(counted));
  for (int i = 0; i < 100; ++i) EXPECT_EQ(all[static_cast<size_t>(i)].Item<int64_t>(), i + 1);
}

TEST_F(SessionTest, IsSafeToUseFromManyThreads) {
  Open(4);
  const PerReplica counted = CountingStep();
  const BuiltStep sum = AddStep(engine_, [](const Inputs&) {
    return std::vector<Tensor>{AllSum(Convert(ReplicaContext::Current().replica_id(), DType::kF32))};
  });
  session_.Attach(engine_);
  constexpr int kThreads = 8, kRuns = 25;
  std::vector<std::vector<int64_t>> seen(kThreads);
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < kRuns; ++i) {
          const auto fetched = session_.Run({counted, sum.results[0]});
          seen[static_cast<size_t>(t)].push_back(fetched[0].Item<int64_t>());
          EXPECT_EQ(fetched[1].Item<float>(), 6.0f);
          if (i % 10 == t) {
            EXPECT_GE(session_.Read(count_).Item<int64_t>(), seen[static_cast<size_t>(t)].back());
          }
        }
      });
    }
  }
  std::vector<int64_t> all;
  for (const auto& mine : seen) {
    EXPECT_TRUE(std::is_sorted(mine.begin(), mine.end()));
    all.insert(all.end(), mine.begin(), mine.end());
  }
  std::sort(all.begin(), all.end());
  for (size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i], static_cast<int64_t>(i) + 1);
}

}  // namespace
}  // namespace replicator
