#include "replicator/runtime/callable.h"

#include "replicator/runtime/session.h"
#include "runtime/local_engine.h"
#include "runtime/testing.h"

namespace replicator {
namespace {

using namespace replicator::runtime_testing;  // NOLINT: helpers of this room's tests
using testing::ElementsAre;
using testing::Not;

const Shape kVector{DType::kF32, {3}};
const Shape kScalar{DType::kF32, {}};

Literal Vector(const std::vector<float>& values) { return Literal::FromValues<float>({std::ssize(values)}, values); }

class CallableTest : public testing::Test {
 protected:
  void Open(int num_replicas, uint64_t seed = 0) {
    engine_ = Engine::Create({.num_replicas = num_replicas, .seed = seed});
    w_ = Declare(*engine_, {.name = "w", .shape = kVector});
    local_ = Declare(*engine_, {.name = "local", .shape = kScalar, .aggregation = Aggregation::kMean});
    // w = (n, 2n, 3n) after n steps, and local = 10 n on replica n.
    step_ = AddStep(engine_, [this](const Inputs&) {
              w_.AssignAdd(Constant(Vector({1, 2, 3})));
              local_.AssignAdd(Convert(ReplicaContext::Current().replica_id(), DType::kF32) * 10);
              return std::vector<Tensor>{w_.Read()};
            }).results[0];
    session_.Attach(engine_);
  }
  void Train(int steps) {
    for (int i = 0; i < steps; ++i) session_.Run(step_);
  }

  std::shared_ptr<Engine> engine_;
  Variable w_, local_;
  Fetch step_;
  Session session_;
};

TEST_F(CallableTest, ComputesFromInputsAndTheVariablesOfTheMoment) {
  Open(2);
  Train(2);
  const Callable f = session_.MakeCallable(
      [this](const Tensor& x, const Tensor& scale) { return std::pair(x * w_ * scale, ReduceSum(w_)); },
      {kVector, kScalar});
  EXPECT_THAT(f.inputs(), ElementsAre(kVector, kScalar));
  EXPECT_THAT(f.outputs(), ElementsAre(kVector, kScalar));
  for (int n = 2; n < 6; ++n) {
    const std::vector<Literal> results = f({Vector({1, -1, 2}), Literal::Scalar(0.5f)});
    ASSERT_EQ(results.size(), 2u);
    EXPECT_THAT(Values(results[0]), ElementsAre(0.5 * n, -1.0 * n, 3.0 * n));
    EXPECT_EQ(results[1].Item<float>(), 6.0f * static_cast<float>(n));
    Train(1);  // only enqueued: the next call waits for it
  }
  session_.Write(w_, Vector({7, 8, 9}));
  EXPECT_EQ(f({Vector({0, 0, 0}), Literal::Scalar(0.0f)})[1].Item<float>(), 24.0f);
}

TEST_F(CallableTest, ReturnsWhatTheSessionReads) {
  Open(3);
  const Callable f = session_.MakeCallable([this] { return std::vector<Tensor>{w_.Read(), w_.Read()}; }, {});
  for (int n = 0; n < 3; ++n) {
    EXPECT_THAT(f({}), ElementsAre(session_.Read(w_), session_.Read(w_)));
    Train(1);
  }
}

TEST_F(CallableTest, TakesTheValuesOfTheReplicaThatIsAskedFor) {
  Open(3);
  Train(2);
  for (int replica = 0; replica < 3; ++replica) {
    const Callable f = session_.MakeCallable(
        [this] {
          EXPECT_EQ(ReplicaContext::Current().num_replicas(), 1);
          return local_ + ReduceSum(w_);
        },
        {}, {.replica = replica});
    EXPECT_EQ(f({})[0].Item<float>(), 12.0f + 20.0f * static_cast<float>(replica));
    EXPECT_EQ(session_.ReadReplica(local_, replica).Item<float>(), 20.0f * static_cast<float>(replica));
  }
}

TEST_F(CallableTest, ReplicatedOnesCommunicate) {
  for (const int replicas : {1, 3}) {
    session_.Detach();
    Open(replicas);
    Train(1);
    const Callable f = session_.MakeCallable(
        [this](const Tensor& x) {
          return std::tuple(x + local_, AllSum(x + local_), AllGather(ReduceSum(x)), w_.Read());
        },
        {kScalar}, {.replicated = true});
    std::vector<std::vector<Literal>> inputs;
    float sum = 0;
    for (int r = 0; r < replicas; ++r) {
      inputs.push_back({Literal::Scalar(static_cast<float>(r + 1))});
      sum += static_cast<float>(r + 1 + 10 * r);
    }
    const auto results = f.CallReplicas(inputs);
    ASSERT_EQ(std::ssize(results), replicas);
    for (int r = 0; r < replicas; ++r) {
      const auto& mine = results[static_cast<size_t>(r)];
      EXPECT_EQ(mine[0].Item<float>(), static_cast<float>(r + 1 + 10 * r));
      EXPECT_EQ(mine[1].Item<float>(), sum);
      EXPECT_EQ(mine[2].num_elements(), replicas);
      EXPECT_EQ(mine[2].data<float>()[static_cast<size_t>(r)], static_cast<float>(r + 1));
      EXPECT_THAT(Values(mine[3]), ElementsAre(1, 2, 3));
    }
  }
}

TEST_F(CallableTest, ReplicasMayDiffer) {
  Open(2);
  const Callable f = session_.MakeCallable(
      [](const Tensor& x) { return AllSum(ReplicaContext::Current().replica_index() == 0 ? x * 2.0 : Square(x)); },
      {kScalar}, {.replicated = true});
  const auto results = f.CallReplicas({{Literal::Scalar(3.0f)}, {Literal::Scalar(5.0f)}});
  EXPECT_EQ(results[0][0].Item<float>(), 31.0f);
}

TEST_F(CallableTest, EmptyAndUnusedInputsAndManyOfThem) {
  Open(1);
  const Callable f = session_.MakeCallable(
      [](const std::vector<Tensor>& x) { return std::vector<Tensor>{x[11] - x[2], ReduceSum(x[1])}; },
      {kVector,
       {DType::kF32, {0, 3}},
       kScalar,
       kScalar,
       kScalar,
       kScalar,
       kScalar,
       kScalar,
       kScalar,
       kScalar,
       kScalar,
       kScalar});
  std::vector<Literal> inputs = {Vector({1, 2, 3}), Literal({DType::kF32, {0, 3}})};
  for (int i = 2; i < 12; ++i) inputs.push_back(Literal::Scalar(static_cast<float>(i * i)));
  EXPECT_THAT(f(inputs), ElementsAre(Literal::Scalar(117.0f), Literal::Scalar(0.0f)));
}

TEST_F(CallableTest, EvaluatesUnlessItIsToldToTrain) {
  Open(1);
  for (const Mode mode : {Mode::kEval, Mode::kTrain}) {
    session_.MakeCallable(
        [&] {
          EXPECT_EQ(ReplicaContext::Current().mode(), mode);
          return w_.Read();
        },
        {}, mode == Mode::kEval ? CallableOptions{} : CallableOptions{.mode = mode});
  }
}

TEST_F(CallableTest, DeclaresVariablesThatTrainingUsesLater) {
  Open(2);
  Train(1);
  Variable late;
  const Callable f = session_.MakeCallable(
      [&] {
        late =
            Variable({.name = "late", .shape = kScalar, .initializer = [](const Shape& s) { return Zeros(s) + 4.0; }});
        return late + ReduceSum(w_);
      },
      {});
  EXPECT_EQ(f({})[0].Item<float>(), 10.0f);
  const BuiltStep step = AddStep(engine_, [&](const Inputs&) {
    late.AssignAdd(1);
    return std::vector<Tensor>();
  });
  session_.Run(step.results[0]);
  EXPECT_EQ(f({})[0].Item<float>(), 11.0f);
}

TEST_F(CallableTest, DrawsByTheNumberOfTheCallOrByAKey) {
  const auto draw = [](const Callable& f, const CallOptions& options = {}) { return Values(f({}, options)[0]); };
  const auto make = [this] { return session_.MakeCallable([] { return RandomUniform({DType::kF32, {4}}); }, {}); };
  Open(2, /*seed=*/5);
  const Callable first = make(), second = make();
  const auto a = draw(first), b = draw(first), c = draw(second);
  EXPECT_NE(a, b);
  EXPECT_NE(a, c);
  const auto keyed = draw(first, {.random_key = 7});
  EXPECT_EQ(draw(first, {.random_key = 7}), keyed);
  EXPECT_NE(draw(first, {.random_key = 8}), keyed);
  EXPECT_NE(draw(second, {.random_key = 7}), keyed);
  EXPECT_NE(draw(first, {.random_key = 0}), a);

  session_.Detach();
  Open(2, /*seed=*/5);
  const Callable again = make();
  EXPECT_EQ(draw(again), a);
  EXPECT_EQ(draw(again), b);
  session_.Detach();
  Open(2, /*seed=*/6);
  EXPECT_NE(draw(make()), a);
}

TEST_F(CallableTest, ReplicatedDrawsAreThoseOfOneGlobalBatch) {
  Open(2, /*seed=*/5);
  const Callable one =
      session_.MakeCallable([] { return RandomUniform({DType::kF32, {6}}); }, {}, {.replicated = true});
  const auto results = one.CallReplicas({{}, {}});
  EXPECT_THAT(Values(results[0][0]), Not(ElementsAre(Values(results[1][0])[0])));
  EXPECT_NE(results[0][0], results[1][0]);
}

TEST_F(CallableTest, OutlivesSessionAndReplicator) {
  Literal result;
  {
    Callable f;
    {
      Open(2);
      Train(2);
      f = session_.MakeCallable([this](const Tensor& x) { return x * w_; }, {kVector});
      session_.Detach();
      engine_.reset();
    }
    result = f({Vector({1, 1, 1})})[0];
    EXPECT_THAT(Values(result), ElementsAre(2, 4, 6));
  }
  EXPECT_THAT(Values(result), ElementsAre(2, 4, 6));
}

TEST_F(CallableTest, ASnapshotStaysAsItWasWhateverIsTrained) {
  Open(2);
  Train(1);
  const std::vector<std::shared_ptr<const VariableDef>> variables = {w_.shared_def(), local_.shared_def()};
  const VariableSnapshot snapshot = engine_->TakeSnapshot(variables, std::vector<int>{1});
  Train(5);
  session_.Wait();
  EXPECT_THAT(Values(snapshot.values[0][0].ToLiteral()), ElementsAre(1, 2, 3));
  EXPECT_EQ(snapshot.values[0][1].ToLiteral().Item<float>(), 10.0f);
  EXPECT_THAT(Values(session_.Read(w_)), ElementsAre(6, 12, 18));
}

}  // namespace
}  // namespace replicator
