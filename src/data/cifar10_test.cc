#include "replicator/data/cifar10.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>

#include "base/testing/fault_file_system.h"
#include "data/testing.h"

namespace replicator::data {
namespace {

// A record after the description of the format: the red plane is all `red`, the green one holds each pixel's row and
// the blue one its column.
std::string Record(int label, int red) {
  std::string bytes(1, static_cast<char>(label));
  bytes += std::string(1024, static_cast<char>(red));
  for (int row = 0; row < 32; ++row) bytes += std::string(32, static_cast<char>(row));
  for (int row = 0; row < 32; ++row) {
    for (int column = 0; column < 32; ++column) bytes += static_cast<char>(column);
  }
  return bytes;
}

void ExpectImage(std::span<const uint8_t> image, int red) {
  ASSERT_EQ(image.size(), 3072u);
  for (size_t row = 0; row < 32; ++row) {
    for (size_t column = 0; column < 32; ++column) {
      const auto pixel = image.subspan((row * 32 + column) * 3, 3);
      ASSERT_EQ(pixel[0], red);
      ASSERT_EQ(pixel[1], row);
      ASSERT_EQ(pixel[2], column);
    }
  }
}

Components Parse(const std::string& bytes) { return ParseCifar10(std::as_bytes(std::span(bytes)), "some.bin"); }

TEST(Cifar10Parse, PutsTheColoursOfAPixelTogether) {
  const Components parsed = Parse(Record(7, 255) + Record(0, 128) + Record(9, 0));
  EXPECT_EQ(parsed.at("label"), Literal::FromValues<int32_t>({3}, {7, 0, 9}));
  EXPECT_EQ(parsed.at("image").shape(), (Shape{DType::kU8, {3, 32, 32, 3}}));
  const auto pixels = parsed.at("image").data<uint8_t>();
  ExpectImage(pixels.subspan(0, 3072), 255);
  ExpectImage(pixels.subspan(3072, 3072), 128);
  ExpectImage(pixels.subspan(6144, 3072), 0);
}

TEST(Cifar10Parse, RefusesWhatIsNotWholeRecords) {
  EXPECT_ERROR(Parse(""), kDataLoss, "some.bin: holds 0 bytes");
  EXPECT_ERROR(Parse("x"), kDataLoss, "some.bin: holds 1 bytes");
  EXPECT_ERROR(Parse(Record(1, 1).substr(0, 3072)), kDataLoss, "whole records of 3073 bytes");
  EXPECT_ERROR(Parse(Record(1, 1) + '\0'), kDataLoss, "holds 3074 bytes");
}

TEST(Cifar10Parse, NamesTheRecordOfALabelThatCannotBe) {
  EXPECT_ERROR(Parse(Record(1, 1) + Record(9, 1) + Record(10, 1)), kDataLoss,
               "some.bin: record 2 has the label 10, but there are classes 0 to 9");
  EXPECT_ERROR(Parse(Record(-1, 1)), kDataLoss, "record 0 has the label 255");
}

class Cifar10Files : public testing::Test {
 protected:
  Cifar10Files()
      : directory_(std::filesystem::temp_directory_path() / ("replicator_cifar10_test_" + std::to_string(getpid()))) {
    std::filesystem::create_directory(directory_);
  }
  ~Cifar10Files() override { std::filesystem::remove_all(directory_); }

  void Write(const std::string& name, const std::string& bytes) {
    std::ofstream(directory_ / name, std::ios::binary) << bytes;
  }

  std::filesystem::path directory_;
};

TEST_F(Cifar10Files, AreReadInTheirOrder) {
  // 1 to 5 records in files 1 to 5; each image says by its red where it comes from.
  for (int file = 1; file <= 5; ++file) {
    std::string bytes;
    for (int record = 0; record < file; ++record) bytes += Record(file, 10 * file + record);
    Write("data_batch_" + std::to_string(file) + ".bin", bytes);
  }
  Write("test_batch.bin", Record(0, 200) + Record(8, 201));

  const Dataset train = Cifar10(directory_, Split::kTrain);
  EXPECT_EQ(train.Spec(), (ElementSpec{{"image", {DType::kU8, {32, 32, 3}}}, {"label", {DType::kI32, {}}}}));
  EXPECT_TRUE(train.IsIndexable());
  EXPECT_EQ(train.Size(), 15);
  Iterator iterator = train.MakeIterator();
  for (int file = 1; file <= 5; ++file) {
    for (int record = 0; record < file; ++record) {
      const auto element = iterator.Next();
      ASSERT_TRUE(element.has_value());
      EXPECT_EQ((*element)["label"].Item<int>(), file);
      ExpectImage((*element)["image"].data<uint8_t>(), 10 * file + record);
    }
  }
  Iterator test = Cifar10(directory_, Split::kTest).Batch(2).MakeIterator();
  EXPECT_EQ((*test.Next())["label"], Literal::FromValues<int32_t>({2}, {0, 8}));
}

TEST_F(Cifar10Files, MissingSaysWhereToGetThem) {
  EXPECT_ERROR(Cifar10(directory_, Split::kTest), kNotFound, "CIFAR-10 binary version");
  for (int file : {1, 2, 4, 5}) Write("data_batch_" + std::to_string(file) + ".bin", Record(1, 1));
  const std::string missing = directory_ / "data_batch_3.bin";
  const auto line = static_cast<unsigned>(__LINE__) + 2;
  try {
    Cifar10(directory_, Split::kTrain);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kNotFound);
    EXPECT_NE(error.message().find(missing + " does not exist"), std::string::npos) << error.message();
    ASSERT_EQ(error.where().size(), 1u);
    EXPECT_EQ(error.where()[0].line(), line);
  }
}

TEST_F(Cifar10Files, DamagedOnesAreNamed) {
  for (int file = 1; file <= 5; ++file) Write("data_batch_" + std::to_string(file) + ".bin", Record(1, 1));
  Write("data_batch_4.bin", Record(1, 1) + Record(77, 1));
  EXPECT_ERROR(Cifar10(directory_, Split::kTrain), kDataLoss, "data_batch_4.bin: record 1 has the label 77");
  Write("data_batch_4.bin", "");
  EXPECT_ERROR(Cifar10(directory_, Split::kTrain), kDataLoss, "data_batch_4.bin: holds 0 bytes");
  Write("data_batch_4.bin", Record(1, 1) + Record(1, 1).substr(1));
  EXPECT_ERROR(Cifar10(directory_, Split::kTrain), kDataLoss, "data_batch_4.bin: holds 6145 bytes");
  std::filesystem::create_directory(directory_ / "test_batch.bin");
  EXPECT_ERROR(Cifar10(directory_, Split::kTest), kInvalidArgument, "test_batch.bin");
}

// Images of which every byte is another function of its place than in Record.
Literal SomeImages(int64_t count) {
  Literal images(Shape{DType::kU8, {count, 32, 32, 3}});
  const auto pixels = images.mutable_data<uint8_t>();
  for (size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<uint8_t>(i * 7919 % 251);
  return images;
}

TEST(Cifar10Write, WritesTheFormat) {
  FaultFileSystem fs;
  const Components expected = Parse(Record(3, 9) + Record(4, 250));
  WriteCifar10("a/x.bin", expected.at("image"), expected.at("label"), &fs);
  EXPECT_EQ(fs.content("a/x.bin"), Record(3, 9) + Record(4, 250));
}

TEST_F(Cifar10Files, WrittenAreReadAgain) {
  const Literal images = SomeImages(3);
  const Literal labels = Literal::FromValues<int32_t>({3}, {9, 0, 5});
  WriteCifar10(directory_ / "test_batch.bin", images, labels);
  Iterator iterator = Cifar10(directory_, Split::kTest).Batch(3).MakeIterator();
  const auto batch = iterator.Next();
  EXPECT_EQ((*batch)["image"], images);
  EXPECT_EQ((*batch)["label"], labels);
}

TEST(Cifar10Write, AFailureLeavesTheOldFile) {
  const Literal labels = Literal::FromValues<int32_t>({2}, {1, 2});
  FaultFileSystem counted;
  WriteCifar10("x.bin", SomeImages(2), labels, &counted);
  for (int operation = 0; operation + 1 < counted.operations(); ++operation) {  // the last syncs the directory
    FaultFileSystem fs;
    fs.OpenForWriting("x.bin")->Append(std::string_view("old"));
    fs.FailOperation(operation, ENOSPC);
    EXPECT_ERROR(WriteCifar10("x.bin", SomeImages(2), labels, &fs), kResourceExhausted, "x.bin");
    EXPECT_EQ(fs.content("x.bin"), "old");
    EXPECT_EQ(fs.List(".").size(), 1u);
  }
}

TEST(Cifar10Write, RefusesWhatTheFormatCannotHold) {
  FaultFileSystem fs;
  const auto write = [&](const Literal& images, const Literal& labels) { WriteCifar10("x.bin", images, labels, &fs); };
  const Literal label = Literal::FromValues<int32_t>({1}, {1});
  EXPECT_ERROR(write(Literal(Shape{DType::kU8, {0, 32, 32, 3}}), Literal(Shape{DType::kI32, {0}})), kInvalidArgument,
               "the images are u8[0,32,32,3], but u8[n,32,32,3] with n > 0");
  EXPECT_ERROR(write(Literal(), label), kInvalidArgument, "the images are f32[]");
  EXPECT_ERROR(write(Literal(Shape{DType::kU8, {1, 3, 32, 32}}), label), kInvalidArgument, "u8[1,3,32,32]");
  EXPECT_ERROR(write(SomeImages(1).ConvertTo(DType::kF32), label), kInvalidArgument, "f32[1,32,32,3]");
  EXPECT_ERROR(write(SomeImages(2), label), kInvalidArgument, "the labels are i32[1], but i32[2] is needed");
  EXPECT_ERROR(write(SomeImages(1), label.ConvertTo(DType::kI64)), kInvalidArgument, "i64[1]");
  EXPECT_ERROR(write(SomeImages(2), Literal::FromValues<int32_t>({2}, {9, 10})), kInvalidArgument, "label 1 is 10");
  EXPECT_ERROR(write(SomeImages(1), Literal::FromValues<int32_t>({1}, {-1})), kInvalidArgument, "label 0 is -1");
  EXPECT_EQ(fs.operations(), 0);
}

}  // namespace
}  // namespace replicator::data
