#include "base/file_system.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/fsuid.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "base/testing/fault_file_system.h"

namespace replicator {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The code and sentence of the Error that `function` throws.
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

class PosixFiles : public ::testing::Test {
 protected:
  PosixFiles() {
    std::string pattern = ::testing::TempDir() + "replicator_files_XXXXXX";
    directory_ = ::mkdtemp(pattern.data());
  }
  ~PosixFiles() override { std::filesystem::remove_all(directory_); }

  std::string Path(std::string_view name) const { return JoinPath(directory_, name); }
  void Write(const std::string& path, std::string_view text) const {
    const auto file = fs_.OpenForWriting(path);
    file->Append(text);
    file->Close();
  }

  FileSystem& fs_ = FileSystem::Default();
  std::string directory_;
};

TEST_F(PosixFiles, WritesReadsListsRenamesRemoves) {
  fs_.CreateDirectories(Path("a/b"));
  fs_.CreateDirectories(Path("a/b"));
  Write(Path("a/y"), "first");
  Write(Path("a/y"), "two");
  Write(Path("a/x"), "");
  EXPECT_EQ(fs_.ReadFile(Path("a/y")), "two");
  EXPECT_EQ(fs_.ReadFile(Path("a/x")), "");
  EXPECT_EQ(fs_.FileSize(Path("a/y")), 3u);
  EXPECT_THAT(fs_.List(Path("a")), ElementsAre("b", "x", "y"));
  fs_.Rename(Path("a/y"), Path("a/x"));
  fs_.SyncDirectory(Path("a"));
  EXPECT_EQ(fs_.ReadFile(Path("a/x")), "two");
  EXPECT_FALSE(fs_.Exists(Path("a/y")));
  EXPECT_FALSE(fs_.Exists(Path("a/x/below")));
  fs_.Remove(Path("a/x"));
  EXPECT_THAT(fs_.List(Path("a")), ElementsAre("b"));
}

TEST_F(PosixFiles, ReadsAPieceAndRefusesBeyondTheEnd) {
  Write(Path("f"), "0123456789");
  const auto file = fs_.OpenForReading(Path("f"));
  std::string piece(4, ' ');
  file->Read(6, std::as_writable_bytes(std::span(piece)));
  EXPECT_EQ(piece, "6789");
  const Error error = ErrorOf([&] { file->Read(7, std::as_writable_bytes(std::span(piece))); });
  EXPECT_EQ(error.code(), ErrorCode::kDataLoss);
  EXPECT_THAT(error.message(), HasSubstr("ends at byte 10, 1 bytes early"));
}

TEST_F(PosixFiles, NamesPathAndReason) {
  Error error = ErrorOf([&] { fs_.ReadFile(Path("absent")); });
  EXPECT_EQ(error.code(), ErrorCode::kNotFound);
  EXPECT_EQ(error.message(), "cannot read '" + Path("absent") + "': No such file or directory");
  EXPECT_EQ(ErrorOf([&] { Write(Path("no/such/f"), "x"); }).code(), ErrorCode::kNotFound);
  EXPECT_EQ(ErrorOf([&] { fs_.ReadFile(directory_); }).code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(ErrorOf([&] { fs_.List(Path("absent")); }).code(), ErrorCode::kNotFound);
  EXPECT_EQ(ErrorOf([&] { fs_.Remove(Path("absent")); }).code(), ErrorCode::kNotFound);
  EXPECT_EQ(ErrorOf([&] { fs_.Rename(Path("absent"), Path("b")); }).code(), ErrorCode::kNotFound);
  Write(Path("file"), "x");
  EXPECT_EQ(ErrorOf([&] { fs_.CreateDirectories(Path("file")); }).code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(ErrorOf([&] { fs_.CreateDirectories(Path("file/below")); }).code(), ErrorCode::kInvalidArgument);
}

TEST_F(PosixFiles, FullDisk) {
  const auto file = fs_.OpenForWriting("/dev/full");
  const Error error = ErrorOf([&] { file->Append("x"); });
  EXPECT_EQ(error.code(), ErrorCode::kResourceExhausted);
  EXPECT_EQ(error.message(), "cannot write '/dev/full': No space left on device");
}

TEST_F(PosixFiles, UnwritableDirectory) {
  std::filesystem::permissions(directory_, std::filesystem::perms(0555));
  ::setfsuid(65534);  // for this thread's files: root may write anywhere
  const Error error = ErrorOf([&] { AtomicWriteFile(fs_, Path("f"), [](WritableFile&) {}); });
  ::setfsuid(::geteuid());
  std::filesystem::permissions(directory_, std::filesystem::perms(0755));
  EXPECT_EQ(error.code(), ErrorCode::kPermissionDenied);
  EXPECT_THAT(error.message(), HasSubstr(Path("f")));
}

TEST_F(PosixFiles, LockExcludesAndNamesTheHolder) {
  auto lock = fs_.Lock(Path("lock"));
  const Error error = ErrorOf([&] { fs_.Lock(Path("lock")); });
  EXPECT_EQ(error.code(), ErrorCode::kFailedPrecondition);
  EXPECT_THAT(error.message(), HasSubstr("this process (" + std::to_string(::getpid()) + ") holds it"));
  const pid_t holder = ::getpid();
  EXPECT_EXIT(
      {
        const Error other = ErrorOf([&] { fs_.Lock(Path("lock")); });
        ::_exit(other.message().find(": process " + std::to_string(holder) + " holds it") != std::string::npos ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
  lock.reset();
  EXPECT_NO_THROW(fs_.Lock(Path("lock")));
}

TEST_F(PosixFiles, AtomicWriteLeavesOnlyTheFile) {
  for (const std::string text : {"old", "newer"}) {
    AtomicWriteFile(fs_, Path("f"), [&](WritableFile& file) { file.Append(text); });
    EXPECT_EQ(fs_.ReadFile(Path("f")), text);
  }
  EXPECT_THAT(fs_.List(directory_), ElementsAre("f"));
}

TEST_F(PosixFiles, AtomicWriteRethrowsWhatTheWriterThrows) {
  Write(Path("f"), "old");
  EXPECT_THROW(AtomicWriteFile(fs_, Path("f"), [](WritableFile&) { throw std::runtime_error("no"); }),
               std::runtime_error);
  EXPECT_EQ(fs_.ReadFile(Path("f")), "old");
  EXPECT_THAT(fs_.List(directory_), ElementsAre("f"));
}

void WriteAtomically(FileSystem& fs, std::string_view text) {
  AtomicWriteFile(fs, "dir/f", [&](WritableFile& file) {
    file.Append(text.substr(0, 2));
    file.Append(text.substr(2));
  });
}

TEST(AtomicWrite, OldOrNewWhicheverOperationFails) {
  FaultFileSystem counted;
  WriteAtomically(counted, "old content");
  const int operations = counted.operations();
  EXPECT_EQ(operations, 7);  // open, two appends, sync, close, rename, sync of the directory
  for (int index = 0; index < operations; ++index) {
    FaultFileSystem fs;
    WriteAtomically(fs, "old content");
    fs.FailOperation(index, ENOSPC);
    EXPECT_EQ(ErrorOf([&] { WriteAtomically(fs, "the new content"); }).code(), ErrorCode::kResourceExhausted) << index;
    EXPECT_EQ(fs.ReadFile("dir/f"), index < operations - 1 ? "old content" : "the new content") << index;
    EXPECT_THAT(fs.List("dir"), ElementsAre("f")) << index;
  }
}

TEST(AtomicWrite, OldOrNewAfterDeathOrLossOfPower) {
  for (const auto names : {FaultFileSystem::Names::kSyncedOnly, FaultFileSystem::Names::kAll}) {
    for (int index = 0; index <= 7; ++index) {
      FaultFileSystem fs;
      WriteAtomically(fs, "old content");
      fs.KillAtOperation(index);
      if (index < 7) {
        EXPECT_THROW(WriteAtomically(fs, "the new content"), Error) << index;
      } else {
        WriteAtomically(fs, "the new content");
      }
      fs.LosePower(names);
      const std::string content = fs.ReadFile("dir/f");
      EXPECT_TRUE(content == "old content" || content == "the new content") << index << " " << content;
      if (index == 7) {
        EXPECT_EQ(content, "the new content");
      }
    }
  }
}

// The double itself must be able to show a missing sync.
TEST(FaultFileSystem, ForgetsWhatWasNotSynced) {
  FaultFileSystem fs;
  fs.OpenForWriting("d/f")->Append("text");
  fs.LosePower(FaultFileSystem::Names::kAll);
  EXPECT_EQ(fs.ReadFile("d/f"), "");
  const auto file = fs.OpenForWriting("d/g");
  file->Append("text");
  file->Sync();
  fs.LosePower(FaultFileSystem::Names::kSyncedOnly);
  EXPECT_FALSE(fs.Exists("d/g"));
  fs.SetCapacity(3);
  EXPECT_EQ(ErrorOf([&] { fs.OpenForWriting("d/h")->Append("text"); }).code(), ErrorCode::kResourceExhausted);
  EXPECT_EQ(fs.ReadFile("d/h"), "tex");
}

TEST(Paths, JoinAndSplit) {
  EXPECT_EQ(JoinPath("a", "b"), "a/b");
  EXPECT_EQ(JoinPath("a/", "b"), "a/b");
  EXPECT_EQ(JoinPath("", "b"), "b");
  EXPECT_EQ(DirectoryOf("a/b"), "a");
  EXPECT_EQ(DirectoryOf("/b"), "/");
  EXPECT_EQ(DirectoryOf("b"), ".");
  EXPECT_EQ(BaseName("a/b"), "b");
  EXPECT_EQ(BaseName("b"), "b");
}

}  // namespace
}  // namespace replicator
