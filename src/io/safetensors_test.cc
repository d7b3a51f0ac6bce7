#include "replicator/io/safetensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/testing/fault_file_system.h"
#include "replicator/base/error.h"

namespace replicator::io {
namespace {

using ::testing::HasSubstr;

// A file's bytes from its header's text and its data.
std::string FileOf(const std::string& header, const std::string& data) {
  std::string file(8, '\0');
  file[0] = static_cast<char>(header.size() & 0xff);
  file[1] = static_cast<char>(header.size() >> 8);
  return file + header + data;
}

NamedTensors Parse(const std::string& file) {
  return ParseSafetensors(std::as_bytes(std::span(file)), "x.safetensors");
}

// Expects Parse to refuse `file` with this code and a message that names the file and contains `words`.
void ExpectRefused(const std::string& file, const std::string& words, ErrorCode code = ErrorCode::kDataLoss) {
  try {
    Parse(file);
    ADD_FAILURE() << "accepted, but expected: " << words;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.message();
    EXPECT_THAT(error.message(), HasSubstr("'x.safetensors'"));
    EXPECT_THAT(error.message(), HasSubstr(words));
  }
}

NamedTensors EveryType() {
  NamedTensors content;
  for (const DType dtype : kAllDTypes) {
    const Literal values = Literal::FromValues<double>({2, 3}, {0, 1, 2, 3, 4, 5}).ConvertTo(dtype);
    content.tensors.emplace("t/" + std::string(ToString(dtype)), values);
  }
  content.tensors.emplace("scalar", Literal::Scalar<int64_t>(-7));
  content.tensors.emplace("empty", Literal(Shape{DType::kF32, {0, 4}}));
  content.tensors.emplace("odd", Literal::FromValues<uint8_t>({3}, {1, 2, 255}));
  content.tensors.emplace("special", Literal::FromValues<float>({3}, {std::nanf(""), -0.0f, INFINITY}));
  content.tensors.emplace("naïve \"name\"\n", Literal::Scalar<bool>(true));
  content.metadata = {{"a key", "a \"value\"\n"}, {"empty", ""}};
  return content;
}

TEST(Safetensors, RoundTripsEveryTypeAndOddShapes) {
  FaultFileSystem fs;
  const NamedTensors content = EveryType();
  WriteSafetensors("d/f", content, &fs);
  EXPECT_EQ(ReadSafetensors("d/f", &fs), content);
  WriteSafetensors("d/f", {}, &fs);
  EXPECT_EQ(ReadSafetensors("d/f", &fs), NamedTensors{});
}

// Computed by hand from the format's specification.
TEST(Safetensors, WritesTheFormat) {
  FaultFileSystem fs;
  NamedTensors content;
  content.tensors.emplace("b", Literal::FromValues<uint8_t>({3}, {1, 2, 3}));
  content.tensors.emplace("w", Literal::FromValues<float>({1, 1}, {1.0f}));
  content.metadata["k"] = "v";
  WriteSafetensors("d/f", content, &fs);
  std::string header = R"({"__metadata__":{"k":"v"},"b":{"data_offsets":[4,7],"dtype":"U8","shape":[3]},)"
                       R"("w":{"data_offsets":[0,4],"dtype":"F32","shape":[1,1]}})";
  header.resize((header.size() + 7) / 8 * 8, ' ');
  EXPECT_EQ(fs.content("d/f"), FileOf(header, std::string("\0\0\x80\x3f\1\2\3", 7)));
}

TEST(Safetensors, AcceptsAnyOrderOfKeysAndTensors) {
  const NamedTensors content = Parse(FileOf(R"({"b":{"shape":[1],"dtype":"I8","data_offsets":[2,3]},
    "a":{"dtype":"U16","data_offsets":[0,2],"shape":[]}}    )",
                                            "\1\2\3"));
  EXPECT_EQ(content.tensors.at("a"), Literal::Scalar<uint16_t>(0x0201));
  EXPECT_EQ(content.tensors.at("b"), Literal::FromValues<int8_t>({1}, {3}));
}

TEST(Safetensors, RefusesABrokenHeader) {
  ExpectRefused("", "only 0 bytes");
  ExpectRefused("1234567", "only 7 bytes");
  ExpectRefused(std::string("\x10\0\0\0\0\0\0\0{}", 10), "header length of 16");
  ExpectRefused(std::string(8, '\xff') + "{}", "header length of 18446744073709551615");
  ExpectRefused(FileOf("", ""), "does not begin with '{'");
  ExpectRefused(FileOf("[]", ""), "does not begin with '{'");
  ExpectRefused(FileOf(" {}", ""), "does not begin with '{'");
  ExpectRefused(FileOf("{", ""), "not JSON");
  ExpectRefused(FileOf("{}x", ""), "not JSON");
  ExpectRefused(FileOf(std::string("{}\0", 3), ""), "not JSON");
  ExpectRefused(FileOf("{\"\xff\":1}", ""), "not JSON");
  ExpectRefused(FileOf(R"({"a":[[[[[[[[1]]]]]]]]})", ""), "nested too deeply");
  ExpectRefused(FileOf(R"({"__metadata__":3})", ""), "__metadata__ is not an object");
  ExpectRefused(FileOf(R"({"__metadata__":{"k":3}})", ""), "metadata 'k' is not a string");
}

TEST(Safetensors, RefusesABrokenTensor) {
  const auto with = [](const std::string& tensor, const std::string& data = "1234") {
    return FileOf("{\"a\":" + tensor + "}", data);
  };
  EXPECT_EQ(Parse(with(R"({"dtype":"F32","shape":[1],"data_offsets":[0,4]})")).tensors.size(), 1u);
  ExpectRefused(with("3"), "tensor 'a' needs exactly");
  ExpectRefused(with(R"({"dtype":"F32","shape":[1]})"), "needs exactly");
  ExpectRefused(with(R"({"dtype":"F32","shape":[1],"data_offsets":[0,4],"more":1})"), "needs exactly");
  ExpectRefused(with(R"({"dtype":1,"shape":[1],"data_offsets":[0,4]})"), "dtype that is not a string");
  ExpectRefused(with(R"({"dtype":"f32","shape":[1],"data_offsets":[0,4]})"), "unknown dtype 'f32'");
  ExpectRefused(with(R"({"dtype":"F8_E4M3","shape":[4],"data_offsets":[0,4]})"), "F8_E4M3", ErrorCode::kUnimplemented);
  ExpectRefused(with(R"({"dtype":"F32","shape":1,"data_offsets":[0,4]})"), "shape that is not a list");
  ExpectRefused(with(R"({"dtype":"F32","shape":[-1],"data_offsets":[0,4]})"), "not a whole number");
  ExpectRefused(with(R"({"dtype":"F32","shape":[1.0],"data_offsets":[0,4]})"), "not a whole number");
  ExpectRefused(with(R"({"dtype":"F32","shape":[4294967296,4294967296,0],"data_offsets":[0,0]})"), "too large");
  ExpectRefused(with(R"({"dtype":"F64","shape":[2305843009213693952],"data_offsets":[0,0]})"), "too large");
  ExpectRefused(with(R"({"dtype":"F32","shape":[99999999999999999999],"data_offsets":[0,4]})"), "not a whole number");
  ExpectRefused(with(R"({"dtype":"F32","shape":[2],"data_offsets":[0,4]})"), "is f32[2], 8 bytes, but lies at [0, 4)");
  ExpectRefused(with(R"({"dtype":"F32","shape":[1],"data_offsets":[4,0]})"), "lies at [4, 0)");
  ExpectRefused(with(R"({"dtype":"F32","shape":[1],"data_offsets":[-4,0]})"), "not two whole numbers");
  ExpectRefused(with(R"({"dtype":"F32","shape":[1],"data_offsets":[0,4,8]})"), "not two whole numbers");
  ExpectRefused(with(R"({"dtype":"F32","shape":[2],"data_offsets":[0,8]})"),
                "there are 4 bytes of data: the file is truncated");
  ExpectRefused(with(R"({"dtype":"F32","shape":[1],"data_offsets":[0,4]})", "12345"), "1 bytes follow the last tensor");
  ExpectRefused(with(R"({"dtype":"U8","shape":[3],"data_offsets":[1,4]})"), "begins at 1, but the start is at 0");
  ExpectRefused(with(R"({"dtype":"BOOL","shape":[4],"data_offsets":[0,4]})"), "holds the BOOL 49");
  ExpectRefused(with(R"({"dtype":"F32","shape":[1],"shape":[1],"data_offsets":[0,4]})"), "'shape' twice");
}

TEST(Safetensors, RefusesOverlapHoleAndTwice) {
  const auto two = [](const std::string& a, const std::string& b, const std::string& second = "b") {
    const std::string head = R"(:{"dtype":"U8","shape":[2],"data_offsets":)";
    return FileOf("{\"a\"" + head + a + "},\"" + second + "\"" + head + b + "}}", "1234");
  };
  EXPECT_EQ(Parse(two("[0,2]", "[2,4]")).tensors.size(), 2u);
  ExpectRefused(two("[0,2]", "[1,3]"), "tensor 'b' begins at 1, but the end of tensor 'a' is at 2");
  ExpectRefused(two("[0,2]", "[0,2]"), "tensor 'b' begins at 0");
  ExpectRefused(two("[2,4]", "[0,2]", "a"), "'a' twice");
  ExpectRefused(
      FileOf(
          R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"b":{"dtype":"U8","shape":[1],"data_offsets":[2,3]}})",
          "123"),
      "tensor 'b' begins at 2, but the end of tensor 'a' is at 1");
}

// Whatever prefix of a file is left, and whichever byte of its header is another one, reading ends in an Error or a
// value.
TEST(Safetensors, EveryTruncationIsRefused) {
  FaultFileSystem fs;
  WriteSafetensors("d/f", EveryType(), &fs);
  const std::string file = fs.content("d/f");
  for (size_t size = 0; size < file.size(); ++size) EXPECT_THROW(Parse(file.substr(0, size)), Error) << size;
}

TEST(Safetensors, WriterRefusesWhatTheFormatCannotHold) {
  FaultFileSystem fs;
  const auto refuse = [&](const NamedTensors& content) {
    try {
      WriteSafetensors("d/f", content, &fs);
      ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument) << error.message();
    }
    EXPECT_EQ(fs.operations(), 0);
  };
  refuse({.tensors = {{"__metadata__", Literal()}}, .metadata = {}});
  refuse({.tensors = {{"\xff", Literal()}}, .metadata = {}});
  refuse({.tensors = {}, .metadata = {{"k", "\xc3"}}});
}

}  // namespace
}  // namespace replicator::io
