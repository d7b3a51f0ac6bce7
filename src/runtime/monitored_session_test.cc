// MonitoredSession on a real engine; what it does besides is tested with a fake in session_monitor_test.cc.
#include "replicator/runtime/monitored_session.h"

#include "base/testing/fault_file_system.h"
#include "replicator/io/checkpoint.h"
#include "runtime/testing.h"
#include "runtime/testing_fakes.h"

namespace replicator {
namespace {

using namespace replicator::runtime_testing;  // NOLINT: helpers of this room's tests
using testing::ElementsAre;
using testing::HasSubstr;

// One process: w = 0.5 * w + mean(x) + noise, over batches of 4 examples.
class Training {
 public:
  Training(FaultFileSystem& disk, MonitoredSessionOptions options, double poison = 1) {
    environment_ = {.interrupts = &interrupts, .progress = &output, .file_system = &disk};
    engine_ = Engine::Create({.num_replicas = 2, .seed = 7});
    w = Declare(*engine_, {.name = "w", .shape = {DType::kF32, {}}});
    count = Declare(*engine_, {.name = "count", .shape = {DType::kI64, {}}});
    const auto step = [this, poison](const Inputs& inputs) {
      const Tensor noise = RandomNormal({DType::kF32, {}}, 0, 1, {.typing = Typing::kReplicated});
      const Tensor mean = AllMean(ReduceMean(inputs.at("x"))) / poison;
      w.Assign(w * 0.5 + mean + noise);
      count.AssignAdd(1);
      return std::vector<Tensor>{mean};
    };
    built_ = AddStep(engine_, step, {.input = MakeInput(*engine_, Counting(40, 4)), .nan_guard = true});
    options.environment = &environment_;
    options.step_counter = count;
    session = std::make_unique<MonitoredSession>(std::move(options));
    session->AddScalar("mean", built_.results[0]);
  }
  void Begin() { session->Attach(engine_); }
  int Train() {
    int runs = 0;
    for (; !session->ShouldStop(); ++runs) last = session->Run(built_.results[0]);
    return runs;
  }
  float Weight() { return engine_->ReadAggregate(w.def()).Item<float>(); }

  FakeInterrupts interrupts;
  FakeOutput output;
  Variable w, count;
  std::unique_ptr<MonitoredSession> session;
  Fetched last;

 private:
  SessionEnvironment environment_;
  std::shared_ptr<Engine> engine_;
  BuiltStep built_;
};

TEST(MonitoredSession, ResumedTrainingEndsBitForBitAsUnbroken) {
  FaultFileSystem unbroken_disk;
  Training unbroken(unbroken_disk, {.checkpoint_dir = "run", .stop_at_step = 8});
  unbroken.Begin();
  EXPECT_EQ(unbroken.Train(), 8);
  unbroken.session->Detach();

  FaultFileSystem disk;
  for (const int64_t stop : {3, 4, 8}) {
    Training part(disk, {.checkpoint_dir = "run", .stop_at_step = stop});
    part.Begin();
    part.Train();
    EXPECT_EQ(part.session->step(), stop);
    part.session->Detach();
    EXPECT_EQ(part.session->checkpoint_path(), io::CheckpointPath("run", stop));
    EXPECT_EQ(part.Weight() == unbroken.Weight(), stop == 8);
  }
  EXPECT_EQ(io::LoadCheckpoint("run/ckpt-8.safetensors", &disk),
            io::LoadCheckpoint("run/ckpt-8.safetensors", &unbroken_disk));
}

TEST(MonitoredSession, TheEndOfTheInputEndsTheLoop) {
  FaultFileSystem disk;
  Training training(disk, {.checkpoint_dir = "run"});
  training.Begin();
  EXPECT_EQ(training.Train(), 11);  // ten batches, and the one that there is not
  EXPECT_EQ(training.session->step(), 10);
  EXPECT_THROW(training.last.Get(), OutOfRange);
  training.session->Detach();
  EXPECT_THAT(io::CheckpointSteps("run", &disk), ElementsAre(10));
}

TEST(MonitoredSession, WritesScalarsAndShowsThem) {
  FaultFileSystem disk;
  Training training(disk, {.logdir = "logs", .scalars_every_steps = 4});
  training.Begin();
  training.Train();
  training.session->WriteScalar("test_accuracy", 0.5);
  training.session->Detach();
  const auto names = disk.List("logs");
  ASSERT_EQ(names.size(), 1u);
  EXPECT_THAT(disk.content("logs/" + names[0]), HasSubstr("test_accuracy"));
  // Step 8 has examples 28 to 31.
  EXPECT_THAT(training.output.text, HasSubstr("step 10  mean 29.5  test_accuracy 0.5"));
}

TEST(MonitoredSession, ValuesThatAreNotFiniteStopTraining) {
  FaultFileSystem disk;
  Training training(disk, {.checkpoint_dir = "run"}, /*poison=*/0);
  training.Begin();
  try {
    training.Train();
    training.session->Detach();
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kAborted);
    EXPECT_THAT(error.message(), HasSubstr("step 1 of"));
    EXPECT_THAT(error.message(), HasSubstr("'w' infinite or NaN"));
    EXPECT_THAT(error.message(), HasSubstr("are saved in 'run/ckpt-0.safetensors'"));
  }
  EXPECT_TRUE(training.session->ShouldStop());
  EXPECT_EQ(io::LoadCheckpoint("run/ckpt-0.safetensors", &disk).tensors.at("w"), Literal::Scalar(0.0f));
}

TEST(MonitoredSession, TheDestructorSaves) {
  FaultFileSystem disk;
  Training training(disk, {.checkpoint_dir = "run", .stop_at_step = 2});
  training.Begin();
  training.Train();
  training.session.reset();
  EXPECT_THAT(io::CheckpointSteps("run", &disk), ElementsAre(2));
}

TEST(MonitoredSession, AFailedInitLeavesTheSessionUnattached) {
  FaultFileSystem disk;
  io::CheckpointManager("run", {.file_system = &disk}).Save(1, {.tensors = {{"v", Literal::Scalar(1.0f)}}});
  Training training(disk, {.checkpoint_dir = "run"});
  EXPECT_ERROR(training.Begin(), kNotFound, "cannot resume from 'run/ckpt-1.safetensors': the state lacks");
  EXPECT_EQ(training.session->engine(), nullptr);
  disk.Remove("run/ckpt-1.safetensors");
  training.Begin();
}

}  // namespace
}  // namespace replicator
