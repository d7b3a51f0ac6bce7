#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "gan/model.h"
#include "gan/samples.h"

namespace gan {
namespace {

namespace rp = replicator;

// Images that look like nothing.
rp::data::Dataset Images(int64_t count) {
  rp::Literal images({rp::DType::kU8, {count, kSide, kSide, 1}});
  auto pixels = images.mutable_data<uint8_t>();
  for (size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<uint8_t>(i * i / 97 + i / 784);
  return rp::data::Dataset::FromTensors({{"image", images}});
}

class GanTest : public testing::Test {
 protected:
  void Open(int replicas, int64_t batch) {
    repl_ = std::make_unique<rp::LocalReplicator>(rp::LocalReplicatorOptions{.num_replicas = replicas, .seed = 3});
    const auto scope = repl_->Context();
    const auto images = repl_->MakeInputIterator([&](const rp::InputContext& ctx) {
      return Images(24).Repeat().Shard(ctx).Batch(ctx.PerReplicaBatchSize(batch * replicas));
    });
    gan_ = std::make_unique<Gan>(*repl_, images, GanOptions{.latent = 8, .batch = batch});
    session_ = std::make_unique<rp::Session>();
    repl_->Init(*session_);
  }
  std::map<std::string, rp::Literal> Values() {
    std::map<std::string, rp::Literal> values;
    for (const rp::Variable& variable : repl_->Variables()) values.emplace(variable.name(), session_->Read(variable));
    return values;
  }
  // Every variable of the network `trained` and of its optimizer has changed; all others are the same, bit for bit.
  void ExpectOnly(const std::string& trained, const std::map<std::string, rp::Literal>& before) {
    int changed = 0;
    for (const auto& [name, value] : Values()) {
      const bool own = name.starts_with(trained + "/") || name.starts_with("adam_" + trained + "/");
      EXPECT_EQ(value != before.at(name), own) << name;
      changed += own ? 1 : 0;
    }
    EXPECT_EQ(changed, 6 + 2 * 6 + 1) << "kernels and biases, two slots for each, and the number of updates";
  }

  std::unique_ptr<rp::LocalReplicator> repl_;
  std::unique_ptr<Gan> gan_;
  std::unique_ptr<rp::Session> session_;
};

TEST_F(GanTest, EachStepUpdatesItsOwnNetworkAndNoOther) {
  Open(2, 3);
  const auto start = Values();
  for (int i = 0; i < 3; ++i) session_->Run(gan_->discriminator_loss());
  ExpectOnly("discriminator", start);
  const auto between = Values();
  for (int i = 0; i < 2; ++i) session_->Run(gan_->generator_loss());
  ExpectOnly("generator", between);
  EXPECT_EQ(Values().at("adam_discriminator/iterations").Item<int64_t>(), 3);
  EXPECT_EQ(Values().at("adam_generator/iterations").Item<int64_t>(), 2);
}

TEST_F(GanTest, SeesTheSameNoiseAndImagesForAnyNumberOfReplicas) {
  std::vector<std::vector<double>> losses;
  for (const int replicas : {1, 4}) {
    Open(replicas, 8 / replicas);
    auto& mine = losses.emplace_back();
    for (int i = 0; i < 3; ++i) {
      mine.push_back(session_->Run(rp::ReduceMean(gan_->discriminator_loss())).Item<double>());
      mine.push_back(session_->Run(rp::ReduceMean(gan_->generator_loss())).Item<double>());
    }
  }
  for (size_t i = 0; i < losses[0].size(); ++i) EXPECT_NEAR(losses[1][i], losses[0][i], 1e-4) << i;
  EXPECT_NEAR(losses[0][0], 2 * std::log(2.0), 0.5) << "two losses of someone who does not know yet";
}

TEST_F(GanTest, GreyIsTheInverseOfUnit) {
  Open(1, 2);
  const rp::Callable f =
      session_->MakeCallable([](const rp::Tensor& x) { return ToGrey(ToUnit(x)); }, {{rp::DType::kU8, {1, 256}}});
  std::vector<uint8_t> all(256);
  for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<uint8_t>(i);
  const auto values = rp::Literal::FromValues<uint8_t>({1, 256}, all);
  EXPECT_EQ(f({values})[0], values);
}

TEST(Samples, StatisticsAndDistance) {
  rp::Literal black({rp::DType::kU8, {2, kPixels}}), mixed({rp::DType::kU8, {2, kPixels}});
  for (size_t i = 0; i < kPixels; ++i) mixed.mutable_data<uint8_t>()[i] = 8;
  const PixelStatistics a = StatisticsOf({black}), b = StatisticsOf({mixed}), both = StatisticsOf({black, mixed});
  EXPECT_THAT(b.mean, testing::Each(4.0));
  EXPECT_THAT(b.deviation, testing::Each(4.0));
  EXPECT_THAT(both.mean, testing::Each(2.0));
  EXPECT_THAT(both.deviation, testing::Each(testing::DoubleNear(std::sqrt(12.0), 1e-12)));
  EXPECT_DOUBLE_EQ(Distance(a, b), std::sqrt(32.0));
  EXPECT_EQ(Distance(b, b), 0);
}

TEST(Samples, ASheetHasTheImagesInRows) {
  rp::Literal images({rp::DType::kU8, {6, kPixels}});
  auto pixels = images.mutable_data<uint8_t>();
  for (size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<uint8_t>(i / kPixels * 10 + i % kPixels / kSide);
  const std::string path = testing::TempDir() + "/sheet.pgm";
  WriteSheet(path, images, 3);
  std::ostringstream content;
  content << std::ifstream(path, std::ios::binary).rdbuf();
  const std::string sheet = content.str(), header = "P5\n84 56\n255\n";
  ASSERT_EQ(sheet.size(), header.size() + 84 * 56);
  EXPECT_EQ(sheet.substr(0, header.size()), header);
  const auto at = [&](size_t row, size_t column) { return int{sheet[header.size() + row * 84 + column]}; };
  EXPECT_EQ(at(0, 0), 0);
  EXPECT_EQ(at(5, 30), 15);
  EXPECT_EQ(at(28 + 7, 83), 57);
  std::filesystem::remove(path);
  EXPECT_THROW(WriteSheet("/no/such/directory/sheet.pgm", images, 3), rp::Error);
}

}  // namespace
}  // namespace gan
