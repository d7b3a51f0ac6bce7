#include "replicator/data/fashion_mnist.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "data/testing.h"
#include "data/testing_idx.h"

namespace replicator::data {
namespace {

struct Statistics {
  int64_t examples = 0;
  double pixel_mean = 0;
  std::array<int64_t, 10> per_class{};
};

Statistics Measure(const Dataset& dataset) {
  Statistics statistics;
  uint64_t sum = 0;
  Iterator iterator = dataset.Batch(1000).MakeIterator();
  while (auto batch = iterator.Next()) {
    const auto pixels = (*batch)["image"].data<uint8_t>();
    sum = std::accumulate(pixels.begin(), pixels.end(), sum);
    for (int32_t label : (*batch)["label"].data<int32_t>()) ++statistics.per_class.at(static_cast<size_t>(label));
    statistics.examples += batch->valid_count;
  }
  statistics.pixel_mean = static_cast<double>(sum) / static_cast<double>(statistics.examples * 28 * 28);
  return statistics;
}

TEST(FashionMnist, IsTheRealOne) {
  const Dataset train = FashionMnist(kFashionMnistDirectory, Split::kTrain);
  EXPECT_EQ(train.Spec(), (ElementSpec{{"image", {DType::kU8, {28, 28, 1}}}, {"label", {DType::kI32, {}}}}));
  const Statistics of_train = Measure(train);
  EXPECT_EQ(of_train.examples, 60000);
  EXPECT_NEAR(of_train.pixel_mean, 72.94, 0.005);  // published: 0.2860 of 255
  for (int64_t count : of_train.per_class) EXPECT_EQ(count, 6000);
  const Statistics of_test = Measure(FashionMnist(kFashionMnistDirectory, Split::kTest));
  EXPECT_EQ(of_test.examples, 10000);
  for (int64_t count : of_test.per_class) EXPECT_EQ(count, 1000);

  // The order of the files: the first training labels are 9 (ankle boot), 0, 0, 3, 0 (published with the data).
  Iterator first = train.Take(5).Batch(5).MakeIterator();
  EXPECT_EQ((*first.Next())["label"], Literal::FromValues<int32_t>({5}, {9, 0, 0, 3, 0}));
}

class FashionMnistFiles : public testing::Test {
 protected:
  FashionMnistFiles()
      : directory_(std::filesystem::temp_directory_path() / ("replicator_fashion_test_" + std::to_string(getpid()))) {
    std::filesystem::create_directory(directory_);
  }
  ~FashionMnistFiles() override { std::filesystem::remove_all(directory_); }

  void Write(const std::string& name, const std::string& bytes) {
    std::ofstream(directory_ / ("t10k-" + name + "-ubyte.gz"), std::ios::binary) << Gzip(bytes);
  }
  void WriteImages(uint32_t count, uint32_t side = 28) {
    Write("images-idx3", IdxBytes(0x08, {count, side, side}, std::string(count * side * side, '\1')));
  }
  void WriteLabels(const std::string& labels) {
    Write("labels-idx1", IdxBytes(0x08, {static_cast<uint32_t>(labels.size())}, labels));
  }
  Dataset Read() { return FashionMnist(directory_, Split::kTest); }

  std::filesystem::path directory_;
};

TEST_F(FashionMnistFiles, AreRead) {
  WriteImages(3);
  WriteLabels({"\0\5\11", 3});
  EXPECT_EQ(Read().Size(), 3);
}

TEST_F(FashionMnistFiles, MissingNamesThePackage) {
  EXPECT_ERROR(Read(), kNotFound, "apt install dataset-fashion-mnist");
  EXPECT_ERROR(Read(), kNotFound, directory_.string());
}

TEST_F(FashionMnistFiles, OfOtherKindsAreRefused) {
  WriteImages(3);
  WriteLabels("\1\2");
  EXPECT_ERROR(Read(), kInvalidArgument, "holds 3 images, but");
  WriteLabels("\1\2\12");
  EXPECT_ERROR(Read(), kInvalidArgument, "label 2 is 10, but there are classes 0 to 9");
  WriteLabels("\1\2\3");
  WriteImages(3, 32);
  EXPECT_ERROR(Read(), kInvalidArgument, "holds u8[3,32,32], but images of 28 x 28");
  Write("images-idx3", IdxBytes(0x0c, {1, 1, 1}, "abcd"));
  EXPECT_ERROR(Read(), kInvalidArgument, "holds i32[1,1,1], but u8 of rank 3");
  Write("labels-idx1", IdxBytes(0x08, {1, 28, 28}, std::string(784, 'i')));  // images given as labels
  EXPECT_ERROR(Read(), kInvalidArgument, "holds u8[1,28,28], but u8 of rank 1");
  WriteLabels("\1");
  Write("images-idx3", "no images at all");
  EXPECT_ERROR(Read(), kDataLoss, "not an IDX file");
}

}  // namespace
}  // namespace replicator::data
