#include "replicator/data/idx.h"

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

#include "data/testing.h"
#include "data/testing_idx.h"

namespace replicator::data {
namespace {

Literal Parse(const std::string& bytes) { return ParseIdx(std::as_bytes(std::span(bytes)), "some.idx"); }

TEST(Idx, ReadsEveryType) {
  EXPECT_EQ(Parse(IdxBytes(0x08, {3}, {"\x00\x7f\xff", 3})), Literal::FromValues<uint8_t>({3}, {0, 127, 255}));
  EXPECT_EQ(Parse(IdxBytes(0x09, {3}, {"\x00\x7f\xff", 3})), Literal::FromValues<int8_t>({3}, {0, 127, -1}));
  EXPECT_EQ(Parse(IdxBytes(0x0b, {2, 1}, {"\x01\x02\xff\xfe", 4})), Literal::FromValues<int16_t>({2, 1}, {258, -2}));
  EXPECT_EQ(Parse(IdxBytes(0x0c, {1}, {"\x01\x02\x03\x04", 4})), Literal::FromValues<int32_t>({1}, {16909060}));
  // IEEE 754 by hand: 0xc0490fdb is -3.14159274; 0x3ff8000000000000 is 1.5.
  EXPECT_EQ(Parse(IdxBytes(0x0d, {1}, "\xc0\x49\x0f\xdb")), Literal::FromValues<float>({1}, {-3.14159274f}));
  EXPECT_EQ(Parse(IdxBytes(0x0e, {1}, {"\x3f\xf8\0\0\0\0\0\0", 8})), Literal::FromValues<double>({1}, {1.5}));
}

TEST(Idx, ReadsOddShapes) {
  EXPECT_EQ(Parse(IdxBytes(0x08, {0, 28, 28}, "")).dims(), (Dims{0, 28, 28}));
  EXPECT_EQ(Parse(IdxBytes(0x0c, {7, 0}, "")).dims(), (Dims{7, 0}));
  EXPECT_EQ(Parse(IdxBytes(0x08, std::vector<uint32_t>(255, 1), "x")).shape().rank(), 255);
}

TEST(Idx, ReadsGzipAlsoInSeveralMembers) {
  std::string payload(100000, 'a');
  for (size_t i = 0; i < payload.size(); ++i) payload[i] = static_cast<char>(i * i % 251);
  const std::string plain = IdxBytes(0x0c, {250, 100}, payload);
  EXPECT_EQ(Parse(Gzip(plain)), Parse(plain));
  EXPECT_EQ(Parse(Gzip(plain.substr(0, 3)) + Gzip("") + Gzip(plain.substr(3, 5000)) + Gzip(plain.substr(5003))),
            Parse(plain));
  EXPECT_EQ(Parse(Gzip(IdxBytes(0x08, {1000, 1000}, std::string(1000000, '\0')))).num_elements(), 1000000);
}

TEST(Idx, RefusesWhatIsNotIdx) {
  EXPECT_ERROR(Parse(""), kDataLoss, "some.idx: the data end early, 4 bytes are missing");
  EXPECT_ERROR(Parse("PNG."), kDataLoss, "not an IDX file: it begins with 50 4e 47 2e");
  EXPECT_ERROR(Parse({"\0\1\x08\1\0\0\0\0", 8}), kDataLoss, "not an IDX file");
  EXPECT_ERROR(Parse({"\0\0\x0a\1\0\0\0\0", 8}), kDataLoss, "begins with 00 00 0a 01");
  EXPECT_ERROR(Parse({"\0\0\x08\0x", 5}), kDataLoss, "a rank of at least 1");
}

TEST(Idx, RefusesWrongLengths) {
  EXPECT_ERROR(Parse(IdxBytes(0x0c, {2}, "1234567")), kDataLoss,
               "announces i32[2], which is more than the file can hold");
  EXPECT_ERROR(Parse(IdxBytes(0x0c, {2}, "123456789")), kDataLoss, "1 bytes follow the last element");
  EXPECT_ERROR(Parse(IdxBytes(0x08, {0}, "x")), kDataLoss, "1 bytes follow");
  EXPECT_ERROR(Parse(Gzip(IdxBytes(0x0c, {2}, "1234567"))), kDataLoss, "1 bytes are missing");
  EXPECT_ERROR(Parse(Gzip(IdxBytes(0x0c, {2}, "123456789"))), kDataLoss, "follow the last element");
  EXPECT_ERROR(Parse(Gzip(IdxBytes(0x08, {2}, "ab")) + "rest"), kDataLoss,
               "4 bytes follow the end of the compressed data");
}

TEST(Idx, NeverAllocatesWhatAFileCannotHold) {
  const std::vector<uint32_t> huge(8, 0xffffffff);
  EXPECT_ERROR(Parse(IdxBytes(0x08, {0xffffffff, 0xff}, "x")), kDataLoss, "more than the file can hold");
  EXPECT_ERROR(Parse(IdxBytes(0x08, huge, "x")), kDataLoss, "more than the file can hold");
  EXPECT_ERROR(Parse(Gzip(IdxBytes(0x0e, {0xffffffff, 0xff}, "x"))), kDataLoss, "more than the file can hold");
  std::vector<uint32_t> huge_and_zero = huge;
  huge_and_zero.push_back(0);
  EXPECT_ERROR(Parse(IdxBytes(0x08, huge_and_zero, "")), kDataLoss, "more than the file can hold");
}

TEST(Idx, RefusesEveryTruncation) {
  const std::string plain = IdxBytes(0x0b, {3, 4}, std::string(24, 'z'));
  const std::string zipped = Gzip(plain);
  for (size_t size = 0; size < plain.size(); ++size) EXPECT_THROW(Parse(plain.substr(0, size)), Error) << size;
  for (size_t size = 0; size < zipped.size(); ++size) {
    EXPECT_ERROR(Parse(zipped.substr(0, size)), kDataLoss, "some.idx: ");
  }
}

TEST(Idx, ChecksGzipsSums) {
  const std::string plain = IdxBytes(0x08, {64}, std::string(64, 'q'));
  const std::string zipped = Gzip(plain);
  std::string bad = zipped;
  bad[bad.size() - 6] ^= 1;  // in the CRC
  EXPECT_ERROR(Parse(bad), kDataLoss, "incorrect data check");
  bad = zipped;
  bad[bad.size() - 2] ^= 1;  // in the length
  EXPECT_ERROR(Parse(bad), kDataLoss, "incorrect length check");
  // Damage behind gzip's header is noticed, or was to bits without meaning (those that fill up deflate's last byte).
  int harmless = 0;
  for (size_t i = 10; i < zipped.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      bad = zipped;
      bad[i] = static_cast<char>(bad[i] ^ (1 << bit));
      try {
        EXPECT_EQ(Parse(bad), Parse(plain)) << "byte " << i << " bit " << bit;
        ++harmless;
      } catch (const Error&) {
      }
    }
  }
  EXPECT_LE(harmless, 7);
}

TEST(Idx, SurvivesNoise) {
  std::mt19937 random(1);
  const std::string good = Gzip(IdxBytes(0x0d, {10, 10}, std::string(400, 'r')));
  for (int round = 0; round < 20000; ++round) {
    std::string bytes = round % 2 == 0 ? good : IdxBytes(0x0c, {2, 2}, std::string(16, 'p'));
    for (unsigned i = 0; i <= random() % 4; ++i) bytes[random() % bytes.size()] = static_cast<char>(random());
    try {
      Parse(bytes);
    } catch (const Error&) {
    }
  }
}

TEST(Idx, ReadsFiles) {
  const std::filesystem::path directory =
      std::filesystem::temp_directory_path() / ("replicator_idx_test_" + std::to_string(getpid()));
  std::filesystem::create_directory(directory);
  const std::string path = directory / "labels.gz";
  std::ofstream(path, std::ios::binary) << Gzip(IdxBytes(0x08, {3, 2, 2}, "abcdefghijkl"));
  EXPECT_EQ(ReadIdx(path),
            Literal::FromValues<uint8_t>({3, 2, 2}, {'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'}));
  EXPECT_EQ(ReadIdx(path, DType::kU8, 3), ReadIdx(path));
  EXPECT_ERROR(ReadIdx(path, DType::kU8, 1), kInvalidArgument,
               path + ": holds u8[3,2,2], but u8 of rank 1 was expected");
  EXPECT_ERROR(ReadIdx(path, DType::kF32, 3), kInvalidArgument, "f32 of rank 3");
  EXPECT_ERROR(ReadIdx(directory / "missing"), kNotFound, "missing");
  EXPECT_ERROR(ReadIdx(directory), kInvalidArgument, directory.string());
  std::filesystem::remove_all(directory);
}

}  // namespace
}  // namespace replicator::data
