#include "runtime/scalar_recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/testing/fault_file_system.h"
#include "replicator/base/error.h"

namespace replicator {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;

TEST(ScalarRecorder, ReadsLateAndInOrder) {
  ScalarRecorder recorder;
  std::vector<int> read;
  for (int step = 1; step <= 5; ++step) {
    recorder.Enqueue("loss", step, [&read, step] {
      read.push_back(step);
      return step * 0.5;
    });
  }
  recorder.ReadUntil(3);
  EXPECT_THAT(read, ElementsAre(1, 2, 3));
  ASSERT_EQ(recorder.newest().size(), 1u);
  EXPECT_EQ(recorder.newest()[0].value, 1.5);
  EXPECT_EQ(recorder.newest()[0].step, 3);
  recorder.Record("accuracy", 3, 0.9);
  recorder.ReadUntil(5);
  EXPECT_THAT(recorder.newest(), ElementsAre(Field(&NamedScalar::name, "loss"), Field(&NamedScalar::name, "accuracy")));
}

TEST(ScalarRecorder, AValueThatFailedIsGone) {
  ScalarRecorder recorder;
  recorder.Enqueue("loss", 1, []() -> double { throw Error(ErrorCode::kAborted, "NaN"); });
  recorder.Enqueue("loss", 2, [] { return 2.0; });
  EXPECT_THROW(recorder.ReadUntil(2), Error);
  recorder.ReadUntil(2);
  EXPECT_EQ(recorder.newest().at(0).value, 2.0);
}

TEST(ScalarRecorder, WritesToTheEventFile) {
  FaultFileSystem disk;
  ScalarRecorder recorder;
  recorder.SetWriter(std::make_unique<io::EventWriter>("logs", io::EventWriterOptions{.file_system = &disk}));
  recorder.Record("loss", 12, 0.25);
  recorder.Flush();
  const auto names = disk.List("logs");
  ASSERT_EQ(names.size(), 1u);
  EXPECT_THAT(disk.content("logs/" + names[0]), ::testing::HasSubstr("loss"));
}

}  // namespace
}  // namespace replicator
