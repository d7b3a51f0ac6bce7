// Training whose disk fills up: it goes on, says so, loses nothing that was saved, and can be resumed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>

#include <fstream>
#include <iostream>

#include "process.h"
#include "replicator/io/checkpoint.h"

namespace replicator::runs {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// A directory on a small file system of its own where this process may mount one; elsewhere files that are too large
// take the part of the full disk.
class SmallDisk {
 public:
  SmallDisk() : mounted_(::mount("tmpfs", path().c_str(), "tmpfs", 0, "size=256m") == 0) {
    std::cout << (mounted_ ? "a tmpfs is filled up" : "no right to mount: the size of files is limited instead")
              << '\n';
  }
  ~SmallDisk() {
    if (mounted_) ::umount2(path().c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  const std::string& path() const { return directory_.path(); }
  void Fill() {
    full_ = true;
    if (!mounted_) return;
    std::ofstream filler(path() + "/filler", std::ios::binary);
    const std::string block(1 << 20, 'x');
    while (filler.write(block.data(), static_cast<std::streamsize>(block.size())).flush()) continue;
  }
  void Empty() {
    full_ = false;
    if (mounted_) std::remove((path() + "/filler").c_str());
  }
  ProcessOptions options() const {
    constexpr uint64_t kLessThanACheckpoint = 1 << 20;
    return {.largest_file = full_ && !mounted_ ? kLessThanACheckpoint : 0};
  }

 private:
  TemporaryDirectory directory_;
  bool mounted_;
  bool full_ = false;
};

TEST(FullDisk, TrainingGoesOnAndWhatWasSavedSurvives) {
  SmallDisk disk;
  const TemporaryDirectory files;
  const std::string run = disk.path() + "/run";
  const auto training = [&](const std::string& directory, int steps) {
    return SmallTraining(directory, steps) + Arguments{"--resume", "--quiet"};
  };
  ASSERT_EQ(RunProgram("fashion_mnist", training(run, 4), disk.options()).status, 0);
  const auto before = NewestTensors(run);

  disk.Fill();
  const Outcome full = RunProgram("fashion_mnist", training(run, 8), disk.options());
  EXPECT_EQ(full.status, 1);
  EXPECT_THAT(full.err, AllOf(HasSubstr("could not save the checkpoint of step 6"), HasSubstr("training goes on"),
                              HasSubstr("error: could not save the checkpoint of step 8")));
  EXPECT_EQ(io::CheckpointSteps(run).back(), 4);
  EXPECT_EQ(NewestTensors(run), before);

  disk.Empty();
  const Outcome resumed = RunProgram("fashion_mnist", training(run, 8), disk.options());
  EXPECT_EQ(resumed.status, 0) << resumed.err;
  EXPECT_EQ(io::CheckpointSteps(run).back(), 8);
}

}  // namespace
}  // namespace replicator::runs
