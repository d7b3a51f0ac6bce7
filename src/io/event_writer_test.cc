#include "replicator/io/event_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <thread>
#include <vector>

#include "base/testing/fault_file_system.h"
#include "io/crc32c.h"
#include "io/event_record.h"
#include "replicator/base/error.h"

namespace replicator::io {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string Hex(const std::string& bytes) {
  std::string text;
  for (const char c : bytes) {
    for (const int nibble : {(c >> 4) & 15, c & 15}) text += "0123456789abcdef"[nibble];
  }
  return text;
}

template <typename T>
T Take(std::string_view& bytes) {
  T value{};
  if (bytes.size() < sizeof value) {
    ADD_FAILURE() << "the file ends inside a record";
    return value;
  }
  std::memcpy(&value, bytes.data(), sizeof value);
  bytes.remove_prefix(sizeof value);
  return value;
}

// The messages of a TFRecord file whose checksums are right, read independently of the writer.
std::vector<std::string> Records(std::string_view file) {
  const auto unmask = [](uint32_t masked) { return std::rotl(masked - 0xa282ead8u, 15); };
  std::vector<std::string> records;
  while (!file.empty()) {
    const std::string_view length_bytes = file.substr(0, 8);
    const auto length = Take<uint64_t>(file);
    EXPECT_EQ(unmask(Take<uint32_t>(file)), Crc32c(length_bytes));
    records.emplace_back(file.substr(0, length));
    file.remove_prefix(std::min<size_t>(length, file.size()));
    EXPECT_EQ(unmask(Take<uint32_t>(file)), Crc32c(records.back()));
  }
  return records;
}

// Encoded by hand from the messages' definitions.
TEST(EventRecord, WireFormat) {
  EXPECT_EQ(Hex(VersionEvent(1.0)),
            "09000000000000f03f"
            "1a0d" +
                Hex("brain.Event:2"));
  EXPECT_EQ(Hex(ScalarEvent(2.0, 300, "loss", 0.5f)),
            "090000000000000040"
            "10ac02"
            "2a0d"
            "0a0b"
            "0a04" +
                Hex("loss") + "150000003f");
  EXPECT_EQ(Hex(ScalarEvent(0.0, -1, "", INFINITY)),
            "090000000000000000"
            "10ffffffffffffffffff01"
            "2a09"
            "0a07"
            "0a00"
            "150000807f");
}

// The doubles by hand after IEEE 754: 0.5 is 3fe0.., 1.5 3ff8.., 2.5 4004.., 3 4008.., 5 4014.., 2 4000.., 1 3ff0...
TEST(EventRecord, HistogramWireFormat) {
  const Histogram histogram{.min = 0.5,
                            .max = 2.5,
                            .num = 3,
                            .sum = 5,
                            .sum_squares = 9,
                            .bucket_limits = {1.5, 2.5},
                            .bucket_counts = {1, 2}};
  EXPECT_EQ(Hex(HistogramEvent(2.0, 4, "age", histogram)),
            "090000000000000040"
            "1004"
            "2a5a"
            "0a58"
            "0a03" +
                Hex("age") +
                "2a51"
                "09000000000000e03f"
                "110000000000000440"
                "190000000000000840"
                "210000000000001440"
                "290000000000002240"
                "3210000000000000f83f0000000000000440"
                "3a10000000000000f03f0000000000000040");
}

// The checksum of the data, masked by hand from its known value.
TEST(EventRecord, Framing) {
  const std::string record = FrameRecord("123456789");
  ASSERT_EQ(record.size(), 8u + 4u + 9u + 4u);
  EXPECT_EQ(record.substr(0, 8), std::string("\x09\0\0\0\0\0\0\0", 8));
  const uint32_t crc = 0xe3069283;
  const uint32_t masked = ((crc >> 15) | (crc << 17)) + 0xa282ead8;
  uint32_t stored;
  std::memcpy(&stored, record.data() + 21, 4);
  EXPECT_EQ(stored, masked);
}

TEST(EventWriter, WritesTheVersionThenEachScalar) {
  FaultFileSystem fs;
  EventWriter writer("logs", {.file_system = &fs});
  EXPECT_THAT(writer.path(), StartsWith("logs/events.out.tfevents."));
  writer.AddScalar("loss", 0.25f, 7);
  writer.AddScalar("loss", NAN, 8);
  EXPECT_EQ(Records(fs.content(writer.path())).size(), 1u);  // not written yet
  writer.Flush();
  const auto records = Records(fs.content(writer.path()));
  ASSERT_EQ(records.size(), 3u);
  EXPECT_THAT(records[0], HasSubstr("brain.Event:2"));
  double wall_time;
  std::memcpy(&wall_time, records[1].data() + 1, sizeof wall_time);
  const auto now = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  EXPECT_NEAR(wall_time, now, 60);
  EXPECT_EQ(records[1], ScalarEvent(wall_time, 7, "loss", 0.25f));
}

TEST(EventWriter, WritesHistogramsAndRefusesBrokenOnes) {
  FaultFileSystem fs;
  EventWriter writer("logs", {.file_system = &fs});
  const Histogram histogram = HistogramOfCounts({{3, 1}});
  writer.AddHistogram("age", histogram, 7);
  Histogram broken = histogram;
  broken.bucket_counts.clear();
  try {
    writer.AddHistogram("age", broken, 8);
    ADD_FAILURE() << "no Error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    EXPECT_THAT(error.message(), HasSubstr("'age': histogram: 1 bucket limits and 0 bucket counts"));
    ASSERT_EQ(error.where().size(), 1u);
    EXPECT_THAT(error.where()[0].file_name(), HasSubstr("event_writer_test.cc"));
  }
  writer.Flush();
  const auto records = Records(fs.content(writer.path()));
  ASSERT_EQ(records.size(), 2u);
  double wall_time;
  std::memcpy(&wall_time, records[1].data() + 1, sizeof wall_time);
  EXPECT_EQ(records[1], HistogramEvent(wall_time, 7, "age", histogram));
}

TEST(EventWriter, WritesByItselfWhenOldLargeOrDestroyed) {
  FaultFileSystem fs;
  std::string path;
  {
    EventWriter eager("logs", {.flush_seconds = 0, .file_system = &fs});
    eager.AddScalar("a", 1, 1);
    EXPECT_EQ(Records(fs.content(eager.path())).size(), 2u);
    EventWriter lazy("logs", {.flush_seconds = 1e9, .file_system = &fs});
    EXPECT_NE(lazy.path(), eager.path());
    for (int step = 0; step < 3000; ++step) lazy.AddScalar("a", 1, step);
    EXPECT_GT(Records(fs.content(lazy.path())).size(), 1000u);
    path = lazy.path();
  }
  EXPECT_EQ(Records(fs.content(path)).size(), 3001u);
}

TEST(EventWriter, ThreadsLoseNothing) {
  FaultFileSystem fs;
  EventWriter writer("logs", {.flush_seconds = 0, .file_system = &fs});
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int step = 0; step < 250; ++step) writer.AddScalar("thread" + std::to_string(t), 1, step);
      writer.Flush();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(Records(fs.content(writer.path())).size(), 1001u);
}

TEST(EventWriter, FailureSurfacesAtFlushAndNothingIsLost) {
  FaultFileSystem fs;
  EventWriter writer("logs", {.flush_seconds = 0, .file_system = &fs});
  writer.AddScalar("a", 1, 0);
  const std::string first = writer.path();
  fs.FailAll("append", ENOSPC);
  EXPECT_NO_THROW(writer.AddScalar("a", 2, 1));
  EXPECT_NO_THROW(writer.AddScalar("a", 3, 2));
  for (int attempt = 0; attempt < 2; ++attempt) {
    try {
      writer.Flush();
      ADD_FAILURE() << "no Error";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kResourceExhausted);
      EXPECT_THAT(error.message(), HasSubstr("logs/events.out.tfevents."));
    }
  }
  fs.FailAll("append", 0);
  EXPECT_NO_THROW(writer.Flush());
  EXPECT_NE(writer.path(), first);
  EXPECT_EQ(Records(fs.content(writer.path())).size(), 3u);  // version, and both events
}

TEST(EventWriter, ForgetsWithABoundAndSaysSo) {
  FaultFileSystem fs;
  EventWriter writer("logs", {.flush_seconds = 0, .file_system = &fs});
  fs.FailAll("append", EIO);
  const std::string tag(1 << 20, 't');
  for (int step = 0; step < 10; ++step) writer.AddScalar(tag, 1, step);
  fs.FailAll("append", 0);
  try {
    writer.Flush();
    ADD_FAILURE() << "no Error";
  } catch (const Error& error) {
    EXPECT_THAT(error.message(), HasSubstr("7 events"));
  }
  EXPECT_EQ(Records(fs.content(writer.path())).size(), 4u);
  EXPECT_NO_THROW(writer.Flush());
}

TEST(EventWriter, DestructorNeverThrows) {
  FaultFileSystem fs;
  {
    EventWriter writer("logs", {.file_system = &fs});
    writer.AddScalar("a", 1, 0);
    fs.FailAll("append", ENOSPC);
  }
  EXPECT_THROW(EventWriter("logs", {.file_system = &fs}), Error);
}

}  // namespace
}  // namespace replicator::io
