// The drift guard: silent while replicas agree, and exact about what differs when one replica's memory is written to.
#include "replicator/runtime/drift.h"

#include "base/hash.h"
#include "base/testing/fault_file_system.h"
#include "replicator/io/checkpoint.h"
#include "replicator/runtime/monitored_session.h"
#include "runtime/local_engine.h"
#include "runtime/testing.h"
#include "runtime/testing_fakes.h"

namespace replicator {
namespace {

using namespace replicator::runtime_testing;  // NOLINT: helpers of this room's tests
using testing::ElementsAre;
using testing::HasSubstr;

uint64_t HashOf(std::vector<float> values) { return HashBytes(values.data(), values.size() * sizeof(float)); }

// Over three replicas: a = a + 1 and b = b + 2, both f32[4] and mirrored; own = own + replica_id, per replica.
class Training {
 public:
  explicit Training(MonitoredSessionOptions options, int num_replicas = 3) {
    environment_ = {.interrupts = &interrupts_, .progress = &output_, .file_system = &disk};
    engine_ = Engine::Create({.num_replicas = num_replicas});
    a = Declare(*engine_, {.name = "a", .shape = {DType::kF32, {4}}});
    b = Declare(*engine_, {.name = "b", .shape = {DType::kF32, {4}}});
    own_ = Declare(*engine_, {.name = "own", .shape = {DType::kF32, {}}, .aggregation = Aggregation::kMean});
    step_ = AddStep(engine_, [this](const Inputs&) {
      a.AssignAdd(1);
      b.AssignAdd(2);
      own_.AssignAdd(Convert(ReplicaContext::Current().replica_id(), DType::kF32));
      return std::vector<Tensor>{};
    });
    options.environment = &environment_;
    session = std::make_unique<MonitoredSession>(std::move(options));
    session->Attach(engine_);
  }
  void Run(int times) {
    for (int i = 0; i < times; ++i) session->Run(step_.results[0]);
  }
  void Overwrite(const Variable& variable, int replica, std::vector<float> values) {
    dynamic_cast<LocalEngine&>(*engine_).TEST_WriteReplica(variable.def(), replica,
                                                           Literal::FromValues<float>({4}, values));
  }

  FaultFileSystem disk;
  Variable a, b;
  std::unique_ptr<MonitoredSession> session;

 private:
  FakeInterrupts interrupts_;
  FakeOutput output_;
  SessionEnvironment environment_;
  std::shared_ptr<Engine> engine_;
  Variable own_;
  BuiltStep step_;
};

TEST(Drift, AgreeingReplicasAndPerReplicaVariablesPass) {
  for (int num_replicas : {1, 3}) {
    Training training({.check_mirrored_every_steps = 1}, num_replicas);
    training.Run(4);
    training.session->Detach();
  }
}

TEST(Drift, NamesTheFirstVariableAndReplicaWithBothHashes) {
  Training training({.checkpoint_dir = "run", .save_every_steps = 2, .check_mirrored_every_steps = 3});
  training.Run(2);
  training.Overwrite(training.b, 2, {4, 4, 4, 5});
  training.Overwrite(training.b, 1, {4, -4, 4, 7});
  const std::string checkpoint = training.session->checkpoint_path();
  try {
    training.Run(1);
    FAIL() << "nothing was thrown";
  } catch (const ReplicasDiffer& drift) {
    EXPECT_EQ(drift.code(), ErrorCode::kInternal);
    EXPECT_EQ(drift.variable(), "b");
    EXPECT_EQ(drift.replica(), 1);
    EXPECT_EQ(drift.expected_hash(), HashOf({6, 6, 6, 6}));
    EXPECT_EQ(drift.hash(), HashOf({6, -2, 6, 9}));
    EXPECT_EQ(drift.where().front().line(), training.b.def().where.front().line());
    EXPECT_THAT(drift.message(), HasSubstr("after step 3"));
    EXPECT_THAT(drift.message(), HasSubstr("2 of 4 elements differ, the first at 1"));
    EXPECT_THAT(drift.message(), HasSubstr("'" + checkpoint + "'"));
  }
  EXPECT_TRUE(training.session->ShouldStop());
  training.session->Detach();
  EXPECT_THAT(io::CheckpointSteps("run", &training.disk), ElementsAre(2)) << "what has drifted must not be saved";
}

// The guard compares bits: 0 and -0 are equal numbers, and NaN equals nothing, but neither is what is asked.
TEST(Drift, ComparesBits) {
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  Training training({.check_mirrored_every_steps = 1});
  for (int replica = 0; replica < 3; ++replica) training.Overwrite(training.a, replica, {kNaN, 0, 0, 0});
  training.Run(1);
  training.Overwrite(training.a, 0, {0, 0, 0, -0.0f});
  EXPECT_THROW(training.Run(1), ReplicasDiffer);
}

TEST(Drift, IsLookedForOnlyWhenAsked) {
  Training training({});
  training.Overwrite(training.a, 1, {1, 2, 3, 4});
  training.Run(5);
  training.session->Detach();
}

}  // namespace
}  // namespace replicator
