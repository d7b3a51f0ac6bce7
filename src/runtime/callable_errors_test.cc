// What callables refuse, and what becomes of them when steps fail.
#include <thread>

#include "replicator/runtime/callable.h"
#include "replicator/runtime/session.h"
#include "runtime/testing.h"

namespace replicator {
namespace {

using namespace replicator::runtime_testing;  // NOLINT: helpers of this room's tests

const Shape kScalar{DType::kF32, {}};

class CallableErrorsTest : public testing::Test {
 protected:
  void SetUp() override {
    x_ = Declare(*engine_, {.name = "x", .shape = kScalar});
    session_.Attach(engine_);
  }
  Callable Identity() {
    return session_.MakeCallable([](const Tensor& t) { return t; }, {kScalar});
  }

  std::shared_ptr<Engine> engine_ = Engine::Create({.num_replicas = 2});
  Variable x_;
  Session session_;
};

TEST_F(CallableErrorsTest, RefusesAssignments) {
  EXPECT_ERROR(session_.MakeCallable(
                   [this] {
                     x_.AssignAdd(1);
                     return x_.Read();
                   },
                   {}),
               kInvalidArgument, "assigns 'x' at");
  EXPECT_ERROR(session_.MakeCallable(
                   [this] {
                     if (ReplicaContext::Current().replica_index() == 1) x_.Assign(0);
                     return x_.Read();
                   },
                   {}, {.replicated = true}),
               kInvalidArgument, "build it with Replicator::Run");
}

TEST_F(CallableErrorsTest, RefusesWhatCannotBeBuilt) {
  const auto one = [](const Tensor& t) { return t; };
  EXPECT_ERROR(session_.MakeCallable(one, {}), kInvalidArgument,
               "has 0 inputs, but its function does not take so many");
  EXPECT_ERROR(session_.MakeCallable(one, {kScalar, kScalar}), kInvalidArgument, "callable_errors_test.cc");
  EXPECT_ERROR(session_.MakeCallable([] { return std::vector<Tensor>(); }, {}), kInvalidArgument, "returns nothing");
  EXPECT_ERROR(session_.MakeCallable([] { return Tensor(); }, {}), kInvalidArgument, "undefined Tensor");
  EXPECT_ERROR(session_.MakeCallable(one, {kScalar}, {.replica = 2}), kInvalidArgument, "replica 2; there are 2");
  EXPECT_ERROR(session_.MakeCallable(one, {kScalar}, {.replica = -1}), kInvalidArgument, "replica -1");
  EXPECT_ERROR(session_.MakeCallable(one, {kScalar}, {.replicated = true, .replica = 1}), kInvalidArgument,
               "leave out .replica");
  EXPECT_ERROR(session_.MakeCallable(
                   [](const Tensor& t) { return ReplicaContext::Current().replica_index() == 0 ? AllSum(t) : t; },
                   {kScalar}, {.replicated = true}),
               kInvalidArgument, "replica 1");
  EXPECT_ERROR(AddStep(engine_,
                       [&](const Inputs&) {
                         session_.MakeCallable(one, {kScalar});
                         return std::vector<Tensor>();
                       }),
               kFailedPrecondition, "inside a step function");
  Session fresh;
  EXPECT_ERROR(fresh.MakeCallable(one, {kScalar}), kFailedPrecondition, "Init(session)");
}

TEST_F(CallableErrorsTest, RefusesInputsThatDoNotFit) {
  const Callable f = Identity();
  EXPECT_ERROR(f({}), kInvalidArgument, "takes 1 inputs, but was given 0");
  EXPECT_ERROR(f({Literal::Scalar(1.0)}), kInvalidArgument, "takes f32[] as its input 0, but was given f64[]");
  EXPECT_ERROR(f({Literal({DType::kF32, {1}})}), kInvalidArgument, "but was given f32[1]");
  EXPECT_ERROR(f.CallReplicas({{Literal()}, {Literal()}}), kInvalidArgument, "is not replicated");
  EXPECT_EQ(f({Literal::Scalar(2.0f)})[0].Item<float>(), 2.0f);

  const Callable replicated = session_.MakeCallable([](const Tensor& t) { return t; }, {kScalar}, {.replicated = true});
  EXPECT_ERROR(replicated({Literal()}), kInvalidArgument, "use CallReplicas");
  EXPECT_ERROR(replicated.CallReplicas({{Literal()}}), kInvalidArgument,
               "runs on 2 replicas, but was given inputs for 1");
  EXPECT_ERROR(replicated.CallReplicas({{Literal()}, {Literal::Scalar<int32_t>(1)}}), kInvalidArgument,
               "for replica 1");
  EXPECT_ERROR(Callable()({}), kFailedPrecondition, "undefined");
  EXPECT_FALSE(Callable().defined());
}

// A step that returns more than any machine has memory for: it starts, and fails while it runs.
TEST_F(CallableErrorsTest, SaysThatAVariableIsLostAndLeavesTheStepsErrorToTheSession) {
  const BuiltStep failing = AddStep(engine_, [this](const Inputs&) {
    x_.AssignAdd(1);
    return std::vector<Tensor>{Zeros({DType::kF32, {int64_t{1} << 45}})};
  });
  const Callable f = session_.MakeCallable([this] { return x_ + 1; }, {});
  session_.Run(failing.results[0]);
  for (int i = 0; i < 3; ++i) EXPECT_THROW(f({}), Error);
  EXPECT_ERROR(session_.Wait(), kInternal, "step 1 of the step function built at");
  EXPECT_ERROR(f({}), kFailedPrecondition, "'x' was lost when step 1 of");
  EXPECT_ERROR(f({}), kFailedPrecondition, "a call of the callable built at");
  EXPECT_EQ(Identity()({Literal::Scalar(3.0f)})[0].Item<float>(), 3.0f) << "it reads no variable";
  session_.Write(x_, Literal::Scalar(5.0f));
  EXPECT_EQ(f({})[0].Item<float>(), 6.0f);
}

TEST_F(CallableErrorsTest, ACallThatFailsHarmsNothingElse) {
  const Callable f = session_.MakeCallable([] { return Zeros({DType::kF32, {int64_t{1} << 45}}); }, {});
  for (int i = 0; i < 2; ++i) {
    try {
      f({});
      ADD_FAILURE() << "no machine has so much memory";
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("a call of the callable built at"));
    }
  }
  EXPECT_EQ(session_.Read(x_).Item<float>(), 0.0f);
  session_.Wait();
}

}  // namespace
}  // namespace replicator
