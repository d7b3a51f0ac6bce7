#include "runtime/session_monitor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "base/testing/fault_file_system.h"
#include "replicator/base/error.h"
#include "runtime/testing_fakes.h"

namespace replicator {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// One process with its engine; the file system is the disk between processes.
struct Process {
  explicit Process(FaultFileSystem& disk, MonitoredSessionOptions options = {}) : file_system(disk) {
    environment = {.clock = &clock, .interrupts = &interrupts, .progress = &output, .file_system = &disk};
    options.environment = &environment;
    train = engine->Add(Mode::kTrain, /*counts=*/true);
    evaluate = engine->Add(Mode::kEval, /*counts=*/false);
    monitor = std::make_unique<SessionMonitor>(session, std::move(options));
  }
  void Begin() {
    monitor->Prepare();
    monitor->Begin(engine);
  }
  std::vector<Fetched> Run(int step) {
    return monitor->Run({engine->FetchOf(step)}, [this](const std::vector<Fetch>& all) { return engine->Run(all); });
  }
  int Train() {
    int runs = 0;
    for (; !monitor->ShouldStop(); ++runs) Run(train);
    return runs;
  }
  float weight() { return engine->ReadAggregate(*engine->weight).Item<float>(); }

  FaultFileSystem& file_system;
  FakeClock clock;
  FakeInterrupts interrupts;
  FakeOutput output;
  SessionEnvironment environment;
  Session session;
  std::shared_ptr<FakeEngine> engine = std::make_shared<FakeEngine>();
  int train = 0, evaluate = 0;
  std::unique_ptr<SessionMonitor> monitor;
};

template <typename Function>
Error ErrorOf(Function&& function) {
  try {
    function();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no Error was thrown";
  return {ErrorCode::kUnknown, ""};
}

std::exception_ptr NotFinite() {
  return std::make_exception_ptr(Error(ErrorCode::kAborted, "step 4 would have made the variable 'w' NaN"));
}

TEST(SessionMonitor, StopsAtTheStepAndSaves) {
  FaultFileSystem disk;
  Process process(disk, {.checkpoint_dir = "run", .stop_at_step = 5, .progress = Progress::kQuiet});
  process.Begin();
  EXPECT_TRUE(process.interrupts.installed);
  EXPECT_EQ(process.Train(), 5);
  process.Run(process.evaluate);
  EXPECT_EQ(process.monitor->step(), 5);
  process.monitor->End();
  EXPECT_FALSE(process.interrupts.installed);
  EXPECT_EQ(process.monitor->step(), 5);
  EXPECT_THAT(io::CheckpointSteps("run", &disk), ElementsAre(5));
  EXPECT_EQ(process.monitor->checkpoint_path(), io::CheckpointPath("run", 5));
  EXPECT_EQ(io::LoadCheckpoint(io::CheckpointPath("run", 5), &disk).tensors.at("w"), Literal::Scalar(5.0f));
  process.monitor->End();  // again: nothing
}

TEST(SessionMonitor, ResumesWhereItWasAndNotAtAllWhenItWasDone) {
  FaultFileSystem disk;
  {
    Process process(disk, {.checkpoint_dir = "run", .stop_at_step = 5, .progress = Progress::kQuiet});
    process.Begin();
    process.Train();
    process.monitor->End();
  }
  {
    Process process(disk, {.checkpoint_dir = "run", .stop_at_step = 8, .progress = Progress::kQuiet});
    process.Begin();
    EXPECT_EQ(process.monitor->step(), 5);
    EXPECT_EQ(process.weight(), 5);
    EXPECT_EQ(process.Train(), 3);
    process.monitor->End();
  }
  const int before = disk.operations();
  Process process(disk, {.checkpoint_dir = "run", .stop_at_step = 8, .progress = Progress::kQuiet});
  process.Begin();
  EXPECT_EQ(process.Train(), 0);
  process.monitor->End();
  EXPECT_EQ(disk.operations(), before) << "a finished run is not saved again";
}

TEST(SessionMonitor, ANewRunIsNotMixedWithAnOldOne) {
  FaultFileSystem disk;
  {
    Process process(disk, {.checkpoint_dir = "run", .stop_at_step = 2, .progress = Progress::kQuiet});
    process.Begin();
    process.Train();
    process.monitor->End();
  }
  Process process(disk, {.checkpoint_dir = "run", .resume = false});
  const Error error = ErrorOf([&] { process.Begin(); });
  EXPECT_EQ(error.code(), ErrorCode::kFailedPrecondition);
  EXPECT_THAT(error.message(), HasSubstr("'run' holds checkpoints of another run already, the newest of step 2"));
  EXPECT_FALSE(process.monitor->active());
}

TEST(SessionMonitor, NamesTheCheckpointOfAnotherModel) {
  FaultFileSystem disk;
  io::CheckpointManager("run", {.file_system = &disk}).Save(3, {.tensors = {{"v", Literal::Scalar(1.0f)}}});
  Process process(disk, {.checkpoint_dir = "run"});
  const Error error = ErrorOf([&] { process.Begin(); });
  EXPECT_EQ(error.code(), ErrorCode::kNotFound);
  EXPECT_EQ(error.message(), "cannot resume from 'run/ckpt-3.safetensors': the state lacks the variable 'w'");
  EXPECT_FALSE(process.monitor->active());
  EXPECT_FALSE(process.interrupts.installed);
  io::CheckpointManager again("run", {.file_system = &disk});  // the claim has been released
}

TEST(SessionMonitor, TheEndOfTheInputStopsTrainingButIsAnErrorInEvaluation) {
  FaultFileSystem disk;
  Process process(disk, {.progress = Progress::kQuiet});
  process.Begin();
  process.Run(process.train);
  process.engine->error_at_run = std::make_exception_ptr(OutOfRange("ended"));
  EXPECT_THROW(process.Run(process.evaluate), OutOfRange);
  EXPECT_FALSE(process.monitor->ShouldStop());
  process.engine->error_at_run = std::make_exception_ptr(OutOfRange("ended"));
  const std::vector<Fetched> results = process.Run(process.train);
  ASSERT_EQ(results.size(), 1u);
  EXPECT_THROW(results[0].Wait(), OutOfRange);
  EXPECT_TRUE(process.monitor->ShouldStop());
  EXPECT_EQ(process.monitor->step(), 1);
}

TEST(SessionMonitor, AFailedStepStopsTrainingAndTheGoodValuesAreSaved) {
  FaultFileSystem disk;
  Process process(disk, {.checkpoint_dir = "run", .progress = Progress::kQuiet});
  process.Begin();
  for (int i = 0; i < 3; ++i) process.Run(process.train);
  process.engine->error_at_run = NotFinite();
  process.engine->error_at_wait = NotFinite();  // of a step that was enqueued behind it
  const Error error = ErrorOf([&] { process.Run(process.train); });
  EXPECT_EQ(error.code(), ErrorCode::kAborted);
  EXPECT_EQ(error.message(),
            "step 4 would have made the variable 'w' NaN; the values before it are saved in 'run/ckpt-3.safetensors'");
  EXPECT_TRUE(process.monitor->ShouldStop());
  EXPECT_EQ(io::LoadCheckpoint("run/ckpt-3.safetensors", &disk).tensors.at("w"), Literal::Scalar(3.0f));
  process.monitor->End();  // the error has been thrown once
  EXPECT_THAT(io::CheckpointSteps("run", &disk), ElementsAre(3));
}

TEST(SessionMonitor, AFailureOfTheLastStepIsThrownAtTheEnd) {
  FaultFileSystem disk;
  Process process(disk, {.checkpoint_dir = "run", .stop_at_step = 3, .progress = Progress::kQuiet});
  process.Begin();
  process.Train();
  process.engine->error_at_wait = NotFinite();
  EXPECT_THAT(ErrorOf([&] { process.monitor->End(); }).message(), HasSubstr("are saved in 'run/ckpt-3.safetensors'"));
  EXPECT_FALSE(process.monitor->active());
}

TEST(SessionMonitor, ACallThatCannotBeRightDoesNotStopTraining) {
  FaultFileSystem disk;
  Process process(disk);
  process.Begin();
  process.engine->error_at_run = std::make_exception_ptr(Error(ErrorCode::kInvalidArgument, "undefined fetch"));
  EXPECT_THROW(process.Run(process.train), Error);
  EXPECT_FALSE(process.monitor->ShouldStop());
}

TEST(SessionMonitor, AFullDiskIsAWarningWhileTrainingAndAnErrorAtTheEnd) {
  FaultFileSystem disk;
  Process process(disk, {.checkpoint_dir = "run", .save_every_steps = 2, .progress = Progress::kQuiet});
  process.Begin();
  process.Run(process.train);
  process.Run(process.train);
  EXPECT_THAT(io::CheckpointSteps("run", &disk), ElementsAre(2));
  disk.FailAll("append", ENOSPC);
  ::testing::internal::CaptureStderr();
  process.Run(process.train);
  process.Run(process.train);
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), HasSubstr("could not save the checkpoint of step 4"));
  EXPECT_FALSE(process.monitor->ShouldStop());
  EXPECT_THAT(io::CheckpointSteps("run", &disk), ElementsAre(2));
  process.Run(process.train);
  const Error error = ErrorOf([&] { process.monitor->End(); });
  EXPECT_EQ(error.code(), ErrorCode::kResourceExhausted);
  EXPECT_FALSE(process.monitor->active());
  EXPECT_EQ(io::LoadCheckpoint("run/ckpt-2.safetensors", &disk).tensors.at("w"), Literal::Scalar(2.0f));
}

TEST(SessionMonitor, NothingIsLostWhenTheDiskHasRoomAgain) {
  FaultFileSystem disk;
  Process process(disk, {.checkpoint_dir = "run", .save_every_steps = 2, .progress = Progress::kQuiet});
  process.Begin();
  disk.FailAll("append", ENOSPC);
  ::testing::internal::CaptureStderr();
  for (int i = 0; i < 2; ++i) process.Run(process.train);
  disk.FailAll("append", 0);
  process.Run(process.train);
  process.monitor->End();
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), HasSubstr("training goes on"));
  EXPECT_THAT(io::CheckpointSteps("run", &disk), ElementsAre(3));
}

// Killed at every operation on the disk in turn, a run that is started again ends as an unbroken one.
TEST(SessionMonitor, KilledAtAnyMomentItEndsAsIfUnbroken) {
  const MonitoredSessionOptions options = {
      .checkpoint_dir = "run", .save_every_steps = 2, .stop_at_step = 7, .progress = Progress::kQuiet};
  int operations = 0;
  {
    FaultFileSystem disk;
    Process process(disk, options);
    process.Begin();
    process.Train();
    process.monitor->End();
    operations = disk.operations();
  }
  ASSERT_GT(operations, 20);
  for (int kill = 0; kill < operations; ++kill) {
    FaultFileSystem disk;
    disk.KillAtOperation(kill);
    ::testing::internal::CaptureStderr();
    try {
      Process process(disk, options);
      process.Begin();
      process.Train();
      process.monitor->End();
    } catch (const Error&) {
      // As dead as in the unbroken process that saw no exception.
    }
    ::testing::internal::GetCapturedStderr();
    disk.Restart();
    Process process(disk, options);
    process.Begin();
    process.Train();
    process.monitor->End();
    EXPECT_EQ(process.weight(), 7) << "killed at operation " << kill;
    EXPECT_EQ(io::LoadCheckpoint("run/ckpt-7.safetensors", &disk).tensors.at("w"), Literal::Scalar(7.0f));
  }
}

TEST(SessionMonitor, AnInterruptStopsAfterTheStepAndSaves) {
  FaultFileSystem disk;
  Process process(disk, {.checkpoint_dir = "run", .progress = Progress::kQuiet});
  process.Begin();
  process.Run(process.train);
  EXPECT_FALSE(process.monitor->ShouldStop());
  process.interrupts.interrupted = true;
  EXPECT_TRUE(process.monitor->ShouldStop());
  process.monitor->End();
  EXPECT_TRUE(process.monitor->interrupted());
  EXPECT_THAT(io::CheckpointSteps("run", &disk), ElementsAre(1));
}

TEST(SessionMonitor, StopsAfterATimeAndSavesByTime) {
  FaultFileSystem disk;
  Process process(disk, {.checkpoint_dir = "run",
                         .save_every_seconds = 60,
                         .keep_last = 9,
                         .stop_after_seconds = 200,
                         .progress = Progress::kQuiet});
  process.Begin();
  int64_t runs = 0;
  while (!process.monitor->ShouldStop()) {
    process.clock.now += 25;
    process.Run(process.train);
    ++runs;
  }
  EXPECT_EQ(runs, 8);
  EXPECT_THAT(io::CheckpointSteps("run", &disk), ElementsAre(3, 6));
}

// What users add: its fetches ride along, and only where their step is run anyway.
class RecordingHook final : public Hook {
 public:
  void Begin(HookContext& context) override { calls.push_back("begin " + std::to_string(context.step())); }
  std::vector<Fetch> BeforeRun(HookContext&) override { return {fetch}; }
  void AfterRun(HookContext& context, const std::vector<std::optional<Fetched>>& values) override {
    calls.push_back(std::to_string(context.step()) + (values.at(0).has_value() ? " with" : " without"));
    if (context.step() == 2) context.RequestStop();
  }
  void End(HookContext& context) override { calls.push_back("end " + std::to_string(context.step())); }

  Fetch fetch;
  std::vector<std::string> calls;
};

TEST(SessionMonitor, CallsUsersHooks) {
  FaultFileSystem disk;
  const auto hook = std::make_shared<RecordingHook>();
  Process process(disk, {.progress = Progress::kQuiet, .hooks = {hook}});
  hook->fetch = process.engine->FetchOf(process.train);
  process.Begin();
  process.Run(process.evaluate);
  EXPECT_EQ(process.engine->executions(process.train), 0);
  EXPECT_EQ(process.Train(), 2);
  process.monitor->End();
  EXPECT_THAT(hook->calls, ElementsAre("begin 0", "0 without", "1 with", "2 with", "end 2"));
}

TEST(SessionMonitor, RefusesOptionsThatCannotBeRight) {
  FaultFileSystem disk;
  EXPECT_THAT(ErrorOf([&] { Process(disk, {.keep_last = 0}); }).message(), HasSubstr("keep_last is 0"));
  EXPECT_THAT(ErrorOf([&] { Process(disk, {.save_every_seconds = -1}); }).message(), HasSubstr("save_every_seconds"));
  EXPECT_THAT(ErrorOf([&] { Process(disk, {.scalars_every_steps = 0}); }).message(), HasSubstr("scalars_every_steps"));
  EXPECT_THAT(ErrorOf([&] { Process(disk, {.stop_at_step = -5}); }).message(), HasSubstr("stop_at_step is -5"));
  EXPECT_THAT(ErrorOf([&] { Process(disk, {.check_mirrored_every_steps = -1}); }).message(),
              HasSubstr("check_mirrored_every_steps is -1"));
  EXPECT_THAT(ErrorOf([&] { Process(disk, {.hooks = {nullptr}}); }).message(), HasSubstr("null"));
}

}  // namespace
}  // namespace replicator
