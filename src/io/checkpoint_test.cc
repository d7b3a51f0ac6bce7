#include "replicator/io/checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "base/testing/fault_file_system.h"
#include "replicator/base/error.h"

namespace replicator::io {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

Checkpoint At(int64_t step) {
  Checkpoint checkpoint;
  checkpoint.tensors.emplace("w", Literal::FromValues<float>({2, 2}, {1, 2, 3, static_cast<float>(step)}));
  checkpoint.tensors.emplace("step", Literal::Scalar<int64_t>(step));
  checkpoint.metadata["position"] = std::to_string(step * 128);
  return checkpoint;
}

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

TEST(CheckpointManager, SavesLoadsAndKeepsTheLast) {
  FaultFileSystem fs;
  CheckpointManager manager("run", {.keep_last = 3, .file_system = &fs});
  EXPECT_FALSE(manager.LoadLatest().has_value());
  for (const int64_t step : {0, 9, 10, 100}) EXPECT_EQ(manager.Save(step, At(step)), CheckpointPath("run", step));
  EXPECT_THAT(manager.Steps(), ElementsAre(9, 10, 100));
  EXPECT_EQ(manager.Load(10), At(10));
  const auto latest = manager.LoadLatest();
  ASSERT_TRUE(latest.has_value());
  EXPECT_EQ(latest->step, 100);
  EXPECT_EQ(latest->checkpoint, At(100));
  const Error error = ErrorOf([&] { manager.Load(0); });
  EXPECT_EQ(error.code(), ErrorCode::kNotFound);
  EXPECT_THAT(error.message(), HasSubstr("no checkpoint of step 0; it has those of [9,10,100]"));
}

TEST(CheckpointManager, SavingAStepAgainReplacesIt) {
  FaultFileSystem fs;
  CheckpointManager manager("run", {.keep_last = 1, .file_system = &fs});
  manager.Save(5, At(1));
  manager.Save(5, At(2));
  EXPECT_EQ(manager.Load(5), At(2));
}

// A run that starts anew among the checkpoints of a longer one must not lose what it has just saved.
TEST(CheckpointManager, KeepsTheOneJustSavedEvenIfOthersAreLater) {
  FaultFileSystem fs;
  CheckpointManager manager("run", {.keep_last = 2, .file_system = &fs});
  for (const int64_t step : {800, 900, 10}) manager.Save(step, At(step));
  EXPECT_THAT(manager.Steps(), ElementsAre(10, 900));
}

TEST(CheckpointManager, RefusesBadArguments) {
  FaultFileSystem fs;
  EXPECT_EQ(ErrorOf([&] { CheckpointManager("run", {.keep_last = 0, .file_system = &fs}); }).code(),
            ErrorCode::kInvalidArgument);
  CheckpointManager manager("run", {.file_system = &fs});
  EXPECT_EQ(ErrorOf([&] { manager.Save(-1, At(1)); }).code(), ErrorCode::kInvalidArgument);
  Checkpoint reserved = At(1);
  reserved.metadata["crc32c"] = "mine";
  EXPECT_THAT(ErrorOf([&] { manager.Save(1, reserved); }).message(), HasSubstr("'crc32c' is reserved"));
}

TEST(CheckpointManager, PassesOverOtherFiles) {
  FaultFileSystem fs;
  CheckpointManager manager("run", {.file_system = &fs});
  manager.Save(7, At(7));
  for (const char* name : {"ckpt-8.safetensors.tmp-1-0", "ckpt-.safetensors", "ckpt-09.safetensors",
                           "ckpt--9.safetensors", "ckpt-9x.safetensors", "ckpt-9.safetensors.bak", "best-9.safetensors",
                           "ckpt-99999999999999999999.safetensors"}) {
    fs.OpenForWriting(JoinPath("run", name))->Append("garbage");
  }
  EXPECT_THAT(manager.Steps(), ElementsAre(7));
  EXPECT_EQ(manager.LoadLatest()->step, 7);
}

TEST(CheckpointManager, RemovesOnlyStaleTemporaries) {
  FaultFileSystem fs;
  fs.OpenForWriting("run/ckpt-8.safetensors.tmp-4711-3");
  fs.OpenForWriting("run/notes.tmp-1");
  fs.OpenForWriting("run/ckpt-8.safetensors.bak");
  CheckpointManager manager("run", {.file_system = &fs});
  EXPECT_THAT(fs.List("run"), ElementsAre("ckpt-8.safetensors.bak", "notes.tmp-1"));
}

TEST(CheckpointManager, OneWriterPerDirectory) {
  FaultFileSystem fs;
  auto first = std::make_unique<CheckpointManager>("run", CheckpointManagerOptions{.file_system = &fs});
  const Error error = ErrorOf([&] { CheckpointManager("run", {.file_system = &fs}); });
  EXPECT_EQ(error.code(), ErrorCode::kFailedPrecondition);
  EXPECT_THAT(error.message(), HasSubstr("cannot save checkpoints in 'run'"));
  EXPECT_NO_THROW(CheckpointManager("other", {.file_system = &fs}));
  first.reset();
  EXPECT_NO_THROW(CheckpointManager("run", {.file_system = &fs}));
}

TEST(CheckpointManager, CorruptNewestIsAnErrorThatNamesTheGoodOne) {
  FaultFileSystem fs;
  CheckpointManager manager("run", {.file_system = &fs});
  for (const int64_t step : {1, 2, 3}) manager.Save(step, At(step));
  fs.content("run/ckpt-3.safetensors").pop_back();
  fs.content("run/ckpt-2.safetensors").back() ^= 1;
  Error error = ErrorOf([&] { manager.LoadLatest(); });
  EXPECT_EQ(error.code(), ErrorCode::kDataLoss);
  EXPECT_THAT(error.message(),
              AllOf(HasSubstr("'run/ckpt-3.safetensors' is not a valid"),
                    HasSubstr("newest good checkpoint is 'run/ckpt-1.safetensors'"), Not(HasSubstr("ckpt-2"))));
  fs.content("run/ckpt-1.safetensors").clear();
  error = ErrorOf([&] { manager.LoadLatest(); });
  EXPECT_THAT(error.message(), HasSubstr("no older checkpoint in the directory is good"));
}

TEST(Checkpoint, EveryFlippedBitIsNoticed) {
  FaultFileSystem fs;
  CheckpointManager("run", {.file_system = &fs}).Save(1, At(1));
  const std::string good = fs.content("run/ckpt-1.safetensors");
  for (size_t bit = 0; bit < 8 * good.size(); ++bit) {
    std::string bad = good;
    bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << (bit % 8)));
    fs.content("run/ckpt-1.safetensors") = bad;
    EXPECT_THROW(LoadCheckpoint("run/ckpt-1.safetensors", &fs), Error) << bit;
  }
}

TEST(Checkpoint, ForeignAndLaterFilesAreNamed) {
  FaultFileSystem fs;
  WriteSafetensors("run/ckpt-1.safetensors", At(1), &fs);
  Error error = ErrorOf([&] { LoadCheckpoint("run/ckpt-1.safetensors", &fs); });
  EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
  EXPECT_THAT(error.message(), HasSubstr("not a checkpoint of this library: its metadata has no 'format'"));
  Checkpoint other = At(1);
  other.metadata["format"] = "pt";
  WriteSafetensors("run/ckpt-1.safetensors", other, &fs);
  EXPECT_THAT(ErrorOf([&] { LoadLatestCheckpoint("run", &fs); }).message(), HasSubstr("has the format 'pt'"));
  other.metadata["format"] = "replicator-checkpoint";
  other.metadata["version"] = "2";
  WriteSafetensors("run/ckpt-1.safetensors", other, &fs);
  EXPECT_THAT(ErrorOf([&] { LoadLatestCheckpoint("run", &fs); }).message(), HasSubstr("of version '2'"));
}

// Whichever operation of a save fails, dies or loses power: what was loadable before still is, or the new one is.
TEST(CheckpointFaults, PreviousSurvivesEveryFailingOperation) {
  const auto prepare = [](FaultFileSystem& fs) {
    CheckpointManager manager("run", {.keep_last = 2, .file_system = &fs});
    for (const int64_t step : {1, 2}) manager.Save(step, At(step));
  };
  const auto save = [](FaultFileSystem& fs) {
    CheckpointManager("run", {.keep_last = 2, .file_system = &fs}).Save(3, At(3));
  };
  FaultFileSystem counted;
  prepare(counted);
  const int before = counted.operations();
  save(counted);
  const int operations = counted.operations() - before;
  ASSERT_GE(operations, 8);  // open, header, two tensors, sync, close, rename, sync of the directory, removal

  enum class Fault { kDiskFull, kKilled, kPowerSyncedNames, kPowerAllNames };
  for (const Fault fault : {Fault::kDiskFull, Fault::kKilled, Fault::kPowerSyncedNames, Fault::kPowerAllNames}) {
    for (int index = 0; index < operations; ++index) {
      FaultFileSystem fs;
      prepare(fs);
      if (fault == Fault::kDiskFull) {
        fs.FailOperation(index, ENOSPC);
      } else {
        fs.KillAtOperation(index);
      }
      const bool only_pruning_failed = index == operations - 1;
      if (only_pruning_failed) {
        EXPECT_NO_THROW(save(fs));
      } else {
        const Error error = ErrorOf([&] { save(fs); });
        EXPECT_THAT(error.message(), HasSubstr("could not save the checkpoint of step 3"));
        if (fault == Fault::kDiskFull) {
          EXPECT_EQ(error.code(), ErrorCode::kResourceExhausted);
          EXPECT_THAT(error.message(), HasSubstr("No space left on device"));
        }
      }
      fs.Restart();
      if (fault == Fault::kPowerSyncedNames) fs.LosePower(FaultFileSystem::Names::kSyncedOnly);
      if (fault == Fault::kPowerAllNames) fs.LosePower(FaultFileSystem::Names::kAll);
      CheckpointManager manager("run", {.keep_last = 2, .file_system = &fs});
      const auto latest = manager.LoadLatest();
      ASSERT_TRUE(latest.has_value()) << index;
      EXPECT_TRUE(latest->step == 2 || latest->step == 3) << index;
      EXPECT_EQ(latest->checkpoint, At(latest->step)) << index;
      EXPECT_EQ(manager.Load(2), At(2)) << index;
      for (const std::string& name : fs.List("run")) EXPECT_THAT(name, Not(HasSubstr(".tmp-"))) << index;
    }
  }
}

TEST(CheckpointFaults, DiskFillsUpAtEveryByte) {
  FaultFileSystem fs;
  CheckpointManager manager("run", {.file_system = &fs});
  manager.Save(1, At(1));
  const uint64_t size = fs.FileSize("run/ckpt-1.safetensors");
  for (uint64_t room = 0; room < size; room += 5) {
    fs.SetCapacity(size + room);
    EXPECT_EQ(ErrorOf([&] { manager.Save(2, At(2)); }).code(), ErrorCode::kResourceExhausted);
    EXPECT_THAT(fs.List("run"), ElementsAre("ckpt-1.safetensors"));
  }
  fs.SetCapacity(2 * size);
  manager.Save(2, At(2));
  EXPECT_EQ(manager.LoadLatest()->checkpoint, At(2));
}

TEST(CheckpointFaults, PruningFailureDoesNotFailTheSave) {
  FaultFileSystem fs;
  CheckpointManager manager("run", {.keep_last = 1, .file_system = &fs});
  manager.Save(1, At(1));
  fs.FailAll("remove", EACCES);
  EXPECT_NO_THROW(manager.Save(2, At(2)));
  EXPECT_THAT(manager.Steps(), ElementsAre(1, 2));
}

TEST(Checkpoint, OnARealDisk) {
  std::string directory = ::testing::TempDir() + "replicator_checkpoints_XXXXXX";
  ASSERT_NE(::mkdtemp(directory.data()), nullptr);
  {
    CheckpointManager manager(directory + "/made/here");
    manager.Save(12, At(12));
    EXPECT_THAT(ErrorOf([&] { CheckpointManager(directory + "/made/here"); }).message(), HasSubstr("this process"));
  }
  EXPECT_EQ(CheckpointManager(directory + "/made/here").LoadLatest()->checkpoint, At(12));
  EXPECT_FALSE(LoadLatestCheckpoint(directory + "/absent").has_value());
  EXPECT_EQ(ErrorOf([&] { CheckpointManager("/proc/none"); }).code(), ErrorCode::kNotFound);
  std::filesystem::remove_all(directory);
}

}  // namespace
}  // namespace replicator::io
