// Files written here and read by the safetensors package and by TensorBoard, and the other way round.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/testing/fault_file_system.h"
#include "replicator/io/checkpoint.h"
#include "replicator/io/event_writer.h"

namespace replicator::io {
namespace {

using Json = nlohmann::json;

// Python prints numbers that JSON lacks: quotes their first four letters.
std::string WithoutSpecials(std::string text) {
  for (const std::string special : {"-Infinity", "Infinity", "NaN"}) {
    for (size_t at = text.find(special); at != std::string::npos; at = text.find(special, at)) {
      text.replace(at, special.size(), "\"" + special.substr(0, 4) + "\"");
      at += 6;
    }
  }
  return text;
}

// Runs one of this folder's scripts with one argument and returns what it prints.
std::string RunScript(const std::string& script, const std::string& argument) {
  const std::string source = REPLICATOR_SOURCE_DIR;
  const std::string command =
      "'" + source + "/build/venv/bin/python' '" + source + "/tests/reference/" + script + "' '" + argument + "'";
  FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) {
    ADD_FAILURE() << "cannot run " << command;
    return "null";
  }
  std::string output;
  std::array<char, 4096> buffer{};
  while (const size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe)) output.append(buffer.data(), count);
  EXPECT_EQ(::pclose(pipe), 0) << command;
  return output;
}

class Reference : public ::testing::Test {
 protected:
  Reference() {
    std::string pattern = ::testing::TempDir() + "replicator_reference_XXXXXX";
    directory_ = ::mkdtemp(pattern.data());
  }
  ~Reference() override { std::filesystem::remove_all(directory_); }

  std::string directory_;
};

TEST_F(Reference, SafetensorsPackageReadsOurCheckpoint) {
  const std::map<DType, std::string> names = {
      {DType::kBool, "BOOL"}, {DType::kI8, "I8"},   {DType::kI16, "I16"}, {DType::kI32, "I32"}, {DType::kI64, "I64"},
      {DType::kU8, "U8"},     {DType::kU16, "U16"}, {DType::kU32, "U32"}, {DType::kU64, "U64"}, {DType::kF16, "F16"},
      {DType::kBF16, "BF16"}, {DType::kF32, "F32"}, {DType::kF64, "F64"}};
  Checkpoint checkpoint;
  for (const auto& [dtype, name] : names) {
    checkpoint.tensors[name] = Literal::FromValues<double>({3, 1}, {0, 1, 100}).ConvertTo(dtype);
  }
  checkpoint.tensors["empty"] = Literal(Shape{DType::kF32, {0, 4}});
  checkpoint.tensors["scalar"] = Literal::Scalar<int64_t>(-7);
  checkpoint.tensors["model/naïve \"name\""] = Literal::FromValues<float>({2}, {0.1f, -1e30f});
  checkpoint.metadata["position"] = "{\"epoch\": 3}";
  const std::string path = CheckpointManager(directory_).Save(7, checkpoint);

  const Json read = Json::parse(RunScript("read_checkpoint.py", path));
  EXPECT_EQ(read["metadata"]["position"], "{\"epoch\": 3}");
  EXPECT_EQ(read["metadata"]["format"], "replicator-checkpoint");
  EXPECT_EQ(read["tensors"].size(), checkpoint.tensors.size());
  for (const auto& [name, literal] : checkpoint.tensors) {
    const Json& tensor = read["tensors"][name];
    EXPECT_EQ(tensor["dtype"], names.at(literal.dtype())) << name;
    EXPECT_EQ(tensor["shape"].get<Dims>(), literal.dims()) << name;
    EXPECT_EQ(tensor["values"].get<std::vector<double>>(), literal.ToDoubles()) << name;
  }
}

TEST_F(Reference, WeReadTheSafetensorsPackagesFile) {
  const std::string path = directory_ + "/theirs.safetensors";
  RunScript("write_safetensors.py", path);
  NamedTensors expected;
  expected.tensors["float32"] = Literal::FromValues<float>({2, 3}, {0, 0.25f, 0.5f, 0.75f, 1, 1.25f});
  expected.tensors["float16"] = Literal::FromValues<float>({3}, {0.5f, -2, 65504}).ConvertTo(DType::kF16);
  expected.tensors["float64"] = Literal::Scalar<double>(1e300);
  expected.tensors["int64"] =
      Literal::FromValues<int64_t>({2}, {std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()});
  expected.tensors["uint8"] = Literal::FromValues<uint8_t>({5}, {0, 1, 2, 3, 4});
  expected.tensors["bool"] = Literal::FromValues<bool>({2, 1}, {true, false});
  expected.tensors["empty"] = Literal(Shape{DType::kI32, {0, 7}});
  expected.metadata = {{"format", "np"}, {"naïve", "ü"}};
  EXPECT_EQ(ReadSafetensors(path), expected);
}

TEST_F(Reference, TensorBoardReadsOurEvents) {
  {
    EventWriter writer(directory_);
    for (int step = 0; step < 300; ++step) {
      writer.AddScalar("loss", 1.0f / static_cast<float>(step + 1), step * 10LL);
      writer.AddScalar("eval/naïve", static_cast<float>(step), step);
    }
    writer.AddScalar("special", std::nanf(""), int64_t{1} << 40);
    writer.AddScalar("special", INFINITY, (int64_t{1} << 40) + 1);
  }
  const Json read = Json::parse(WithoutSpecials(RunScript("read_events.py", directory_)))["scalars"];
  ASSERT_EQ(read.size(), 3u);
  ASSERT_EQ(read["loss"].size(), 300u);
  ASSERT_EQ(read["eval/naïve"].size(), 300u);
  for (int step = 0; step < 300; ++step) {
    EXPECT_EQ(read["loss"][static_cast<size_t>(step)][0], step * 10);
    EXPECT_EQ(read["loss"][static_cast<size_t>(step)][1].get<double>(), 1.0f / static_cast<float>(step + 1));
    EXPECT_EQ(read["eval/naïve"][static_cast<size_t>(step)][1], step);
  }
  EXPECT_EQ(read["special"][0][0], int64_t{1} << 40);
  EXPECT_EQ(read["special"][0][1], "NaN");
  EXPECT_EQ(read["special"][1][1], "Infi");
}

TEST_F(Reference, TensorBoardReadsOurHistograms) {
  const Histogram full{.min = -1e30,
                       .max = 3.25,
                       .num = 7,
                       .sum = 0.1,
                       .sum_squares = 1e-300,
                       .bucket_limits = {-1e20, 0, 0.1, 4},
                       .bucket_counts = {1, 0, 2.5, 3.5}};
  {
    EventWriter writer(directory_);
    writer.AddHistogram("full/naïve", full, 3);
    writer.AddHistogram("staleness", HistogramOfCounts({{0, 4}, {1, 2}, {5, 3}}), 10);
    writer.AddHistogram("staleness", HistogramOfCounts({{-2, 9}}), 20);
    writer.AddHistogram("staleness", HistogramOfCounts({}), 30);
  }
  const Json read = Json::parse(RunScript("read_events.py", directory_))["histograms"];
  ASSERT_EQ(read.size(), 2u);
  const Json& event = read["full/naïve"][0];
  EXPECT_EQ(event["step"], 3);
  EXPECT_EQ(event["min"].get<double>(), full.min);
  EXPECT_EQ(event["max"].get<double>(), full.max);
  EXPECT_EQ(event["num"].get<double>(), full.num);
  EXPECT_EQ(event["sum"].get<double>(), full.sum);
  EXPECT_EQ(event["sum_squares"].get<double>(), full.sum_squares);
  EXPECT_EQ(event["bucket_limits"].get<std::vector<double>>(), full.bucket_limits);
  EXPECT_EQ(event["bucket_counts"].get<std::vector<double>>(), full.bucket_counts);

  // What TensorBoard draws: a bar of width 1 around each integer, nothing in the gap.
  using Bars = std::vector<std::array<double, 3>>;  // from, to, count
  const Json& staleness = read["staleness"];
  ASSERT_EQ(staleness.size(), 3u);
  EXPECT_EQ(staleness[0]["step"], 10);
  EXPECT_EQ(staleness[0]["sum"], 17);
  EXPECT_EQ(staleness[0]["sum_squares"], 77);
  EXPECT_EQ(staleness[0]["drawn"].get<Bars>(), (Bars{{-0.5, 0.5, 4}, {0.5, 1.5, 2}, {1.5, 4.5, 0}, {4.5, 5.5, 3}}));
  EXPECT_EQ(staleness[1]["drawn"].get<Bars>(), (Bars{{-2.5, -1.5, 9}}));
  EXPECT_EQ(staleness[2]["num"], 0);
  EXPECT_EQ(staleness[2]["drawn"].get<Bars>(), Bars{});
}

// The file in which a write failed ends inside a record; the events are all there, since the writer went on in another.
TEST_F(Reference, TensorBoardReadsOnAfterAFullDisk) {
  FaultFileSystem fs;
  {
    EventWriter writer("logs", {.file_system = &fs});
    writer.AddScalar("loss", 1, 1);
    writer.Flush();
    writer.AddScalar("loss", 2, 2);
    fs.FailOperation(0, ENOSPC);
    EXPECT_THROW(writer.Flush(), Error);
    writer.AddScalar("loss", 3, 3);
  }
  const auto names = fs.List("logs");
  ASSERT_EQ(names.size(), 2u);
  for (const std::string& name : names) {
    const auto file = FileSystem::Default().OpenForWriting(JoinPath(directory_, name));
    file->Append(fs.content(JoinPath("logs", name)));
    file->Close();
  }
  const Json read = Json::parse(RunScript("read_events.py", directory_))["scalars"];
  ASSERT_EQ(read["loss"].size(), 3u);
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(read["loss"][i][1], i + 1);
}

}  // namespace
}  // namespace replicator::io
