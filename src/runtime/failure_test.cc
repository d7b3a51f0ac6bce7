// What goes wrong while a step runs.
#include <limits>

#include "replicator/runtime/session.h"
#include "runtime/testing.h"

namespace replicator {
namespace {

using namespace replicator::runtime_testing;  // NOLINT: helpers of this room's tests
using testing::HasSubstr;

const Shape kScalar{DType::kF32, {}};

// A step that returns more than any machine has memory for: it starts, and fails while it runs.
StepFn Failing(const std::function<void()>& body) {
  return [body](const Inputs&) {
    body();
    return std::vector<Tensor>{Zeros({DType::kF32, {int64_t{1} << 45}})};
  };
}

class FailureTest : public testing::Test {
 protected:
  void SetUp() override {
    engine_ = Engine::Create({.num_replicas = 2});
    x_ = Declare(*engine_, {.name = "x", .shape = kScalar});
    y_ = Declare(*engine_, {.name = "y", .shape = kScalar});
    failing_ = AddStep(engine_, Failing([this] { x_.AssignAdd(1); }));
    good_ = AddStep(engine_, [this](const Inputs&) {
      x_.AssignAdd(1);
      return std::vector<Tensor>{x_.Read()};
    });
    other_ = AddStep(engine_, [this](const Inputs&) {
      y_.AssignAdd(1);
      return std::vector<Tensor>{y_.Read()};
    });
    session_.Attach(engine_);
  }

  std::shared_ptr<Engine> engine_;
  Variable x_, y_;
  BuiltStep failing_, good_, other_;
  Session session_;
};

TEST_F(FailureTest, ReadingTheResultNamesTheStep) {
  session_.Run(good_.results[0]);
  const Fetched failed = session_.Run(failing_.results[0]);
  for (int i = 0; i < 2; ++i) {
    EXPECT_ERROR(failed.Get(0), kInternal, "step 1 of the step function built at");
    EXPECT_ERROR(failed.Wait(), kInternal, "failure_test.cc");
  }
  // It has been told: the session goes on with what does not need the lost variable.
  EXPECT_EQ(session_.Run(other_.results[0]).Item<float>(), 1.0f);
  session_.Wait();
}

TEST_F(FailureTest, WaitReportsItOnce) {
  session_.Run(failing_.results[0]);
  EXPECT_ERROR(session_.Wait(), kInternal, "step 1 of");
  session_.Wait();
}

TEST_F(FailureTest, ALaterRunReportsIt) {
  const Fetched failed = session_.Run(failing_.results[0]);
  bool told = false;
  for (int i = 0; i < 1000 && !told; ++i) {
    try {
      session_.Run(other_.results[0]).Wait();
    } catch (const Error& error) {
      told = true;
      EXPECT_THAT(error.what(), HasSubstr("step 1 of the step function built at"));
    }
  }
  EXPECT_TRUE(told);
}

TEST_F(FailureTest, ALostVariableIsNeitherReadNorUsedUntilItIsWritten) {
  session_.Run(failing_.results[0]);
  EXPECT_ERROR(session_.Read(x_), kInternal, "step 1 of");  // nobody was told before
  EXPECT_ERROR(session_.Read(x_), kFailedPrecondition, "'x' was lost when step 1 of");
  EXPECT_ERROR(session_.Run(good_.results[0]), kFailedPrecondition, "restore it from a checkpoint");
  EXPECT_ERROR(engine_->Save(), kFailedPrecondition, "'x' was lost");
  EXPECT_EQ(engine_->executions(good_.index), 0);
  EXPECT_EQ(session_.Read(y_).Item<float>(), 0.0f);
  session_.Write(x_, Literal::Scalar(5.0f));
  EXPECT_EQ(session_.Run(good_.results[0]).Item<float>(), 6.0f);
}

TEST_F(FailureTest, AStepThatIsRefusedConsumesNoBatch) {
  const BuiltStep fed = AddStep(engine_,
                                [this](const Inputs& inputs) {
                                  x_.AssignAdd(1);
                                  return std::vector<Tensor>{inputs.at("x")};
                                },
                                {.input = MakeInput(*engine_, Counting(8, 2))});
  EXPECT_EQ(session_.Run(fed.results[0]).Get(1).Item<float>(), 1.0f);
  session_.Run(failing_.results[0]);
  EXPECT_ERROR(session_.Wait(), kInternal, "step 1 of");
  for (int i = 0; i < 3; ++i) EXPECT_ERROR(session_.Run(fed.results[0]), kFailedPrecondition, "'x' was lost");
  EXPECT_EQ(engine_->executions(fed.index), 1);
  session_.Write(x_, Literal::Scalar(0.0f));
  EXPECT_EQ(session_.Run(fed.results[0]).Get(1).Item<float>(), 3.0f);
}

TEST_F(FailureTest, RestoringBringsLostVariablesBack) {
  session_.Run(good_.results[0]);
  const EngineState saved = engine_->Save();
  session_.Run(failing_.results[0]);
  engine_->Restore(saved);  // what failed before it is no longer of interest
  EXPECT_EQ(session_.Run(good_.results[0]).Item<float>(), 2.0f);
  EXPECT_EQ(engine_->executions(failing_.index), 0);
  session_.Wait();
}

TEST_F(FailureTest, WhatDependsOnALostVariableFailsToo) {
  session_.Run(failing_.results[0]);
  std::vector<Fetched> later;
  try {
    for (int i = 0; i < 3; ++i) later.push_back(session_.Run(good_.results[0]));
  } catch (const Error&) {  // it was known already
  }
  for (const Fetched& fetched : later) EXPECT_THROW(fetched.Get(), Error);
  EXPECT_THROW(session_.Read(x_), Error);
  session_.Write(x_, Literal::Scalar(1.0f));
  for (int i = 0; i < 5; ++i) {  // each of those under way may be told once
    try {
      session_.Wait();
    } catch (const Error&) {
    }
  }
  EXPECT_EQ(session_.Run(good_.results[0]).Item<float>(), 2.0f);
}

TEST_F(FailureTest, ReplicasThatReduceALostVariableDoNotWaitForEachOther) {
  const BuiltStep reduce = AddStep(engine_, [this](const Inputs&) {
    x_.Assign(AllSum(x_ + Convert(ReplicaContext::Current().replica_id(), DType::kF32)));
    return std::vector<Tensor>{x_.Read()};
  });
  EXPECT_EQ(session_.Run(reduce.results[0]).Item<float>(), 1.0f);
  for (int i = 0; i < 5; ++i) {
    session_.Run(failing_.results[0]);
    try {
      EXPECT_THROW(session_.Run(reduce.results[0]).Get(), Error);
    } catch (const Error&) {  // it was known already
    }
    for (bool quiet = false; !quiet;) {
      try {
        session_.Wait();
        quiet = true;
      } catch (const Error&) {
      }
    }
    session_.Write(x_, Literal::Scalar(1.0f));
    EXPECT_EQ(session_.Run(reduce.results[0]).Item<float>(), 3.0f);
  }
}

TEST_F(FailureTest, DestructionWithFailuresUnderWay) {
  const Fetched failed = session_.Run(failing_.results[0]);
  try {
    session_.Run(failing_.results[0]);
    session_.Detach();
  } catch (const Error&) {  // by then or not
  }
  engine_.reset();
  EXPECT_THROW(failed.Get(0), Error);
}

class GuardTest : public testing::Test {
 protected:
  void SetUp() override {
    engine_ = Engine::Create({.num_replicas = 2});
    count_ = Declare(*engine_, {.name = "count", .shape = {DType::kI64, {}}});
    fine_ = Declare(*engine_, {.name = "fine", .shape = kScalar});
    weight_ = Declare(*engine_, {.name = "weight", .shape = {DType::kF32, {3}}});
    scale_ = Declare(*engine_, {.name = "scale", .shape = kScalar});
    step_ = AddStep(engine_,
                    [this](const Inputs&) {
                      count_.AssignAdd(1);
                      fine_.AssignAdd(1);
                      weight_.Assign(weight_ + scale_);
                      return std::vector<Tensor>{count_.Read(), weight_.Read()};
                    },
                    {.nan_guard = true});
    session_.Attach(engine_);
  }
  void SetScale(float scale) { session_.Write(scale_, Literal::Scalar(scale)); }
  Fetched Run() { return session_.Run(step_.results[0]); }

  static constexpr float kInfinity = std::numeric_limits<float>::infinity();
  std::shared_ptr<Engine> engine_;
  Variable count_, fine_, weight_, scale_;
  BuiltStep step_;
  Session session_;
};

TEST_F(GuardTest, KeepsTheGoodValuesAndNamesStepAndVariable) {
  SetScale(1);
  for (int i = 0; i < 3; ++i) Run();
  session_.Wait();
  SetScale(std::numeric_limits<float>::quiet_NaN());
  Run();
  EXPECT_ERROR(session_.Wait(), kAborted, "step 4 of the step function built at");
  EXPECT_EQ(session_.Read(count_).Item<int64_t>(), 3);
  EXPECT_EQ(session_.Read(fine_).Item<float>(), 3.0f);
  EXPECT_THAT(Values(session_.Read(weight_)), testing::Each(3.0));
  SetScale(kInfinity);
  Run();
  EXPECT_ERROR(session_.Wait(), kAborted, "'weight'");
  SetScale(1);
  EXPECT_EQ(Run().Item<int64_t>(), 4);
  session_.Wait();
}

TEST_F(GuardTest, IsReportedOnceWhoeverAsksFirst) {
  SetScale(kInfinity);
  const Fetched read = Run();
  EXPECT_ERROR(read.Get(), kAborted, "step 1 of");
  EXPECT_EQ(read.Item<int64_t>(), 1);  // what the step returned can still be looked at
  session_.Wait();

  Run();
  EXPECT_ERROR(engine_->Save(), kAborted, "step 2 of");
  EXPECT_EQ(engine_->Save().tensors.at("count"), Literal::Scalar<int64_t>(0));

  Run();
  bool told = false;
  for (int i = 0; i < 1000 && !told; ++i) {
    SetScale(1);
    try {
      Run().Wait();
    } catch (const Error& error) {
      told = true;
      EXPECT_THAT(error.what(), HasSubstr("step 3 of"));
    }
  }
  EXPECT_TRUE(told);
  session_.Wait();
}

}  // namespace
}  // namespace replicator
