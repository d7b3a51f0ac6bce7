#include "pjrt/signature.h"

#include <gtest/gtest.h>

#include "pjrt/pointer_set.h"
#include "pjrt/proto_writer.h"

namespace replicator::pjrt {
namespace {

ProtoWriter ShapeMessage(int type, std::initializer_list<int> dims) {
  ProtoWriter list;
  for (int extent : dims) list.Packed(extent);
  return ProtoWriter().Int(2, type).Bytes(3, list.bytes());
}

// Parameters f32[3,300] and bf16[]; the first is aliased, the second is a donor.
std::string Module() {
  const ProtoWriter shape = ProtoWriter().Message(1, ShapeMessage(11, {3, 300})).Message(1, ShapeMessage(16, {}));
  return ProtoWriter()
      .Bytes(1, "name")
      .Message(4, shape)
      .Double(99, 0.5)
      .Message(8, ProtoWriter().Message(1, ProtoWriter().Bytes(1, "\x01").Int(2, 0)))
      .Message(18, ProtoWriter().Message(1, ProtoWriter().Int(1, 1)))
      .bytes();
}

TEST(Signature, Parses) {
  const auto signature = ParseSignature("hlo", Module());
  ASSERT_TRUE(signature.has_value());
  EXPECT_EQ(signature->parameters, (std::vector<Shape>{{DType::kF32, {3, 300}}, {DType::kBF16, {}}}));
  EXPECT_EQ(signature->donated, (std::vector<char>{1, 1}));
  EXPECT_TRUE(ParseSignature("hlo_with_config", ProtoWriter().Bytes(1, Module()).bytes()).has_value());
}

TEST(Signature, NoneForWhatItCannotRead) {
  EXPECT_FALSE(ParseSignature("vhlo", Module()).has_value());
  EXPECT_FALSE(ParseSignature("hlo", "").has_value());
  EXPECT_FALSE(ParseSignature("hlo", std::string(20, '\xff')).has_value());
  const auto with_parameter = [](const ProtoWriter& parameter) {
    return ProtoWriter().Message(4, ProtoWriter().Message(1, parameter)).bytes();
  };
  EXPECT_TRUE(ParseSignature("hlo", with_parameter(ShapeMessage(11, {2}))).has_value());
  EXPECT_FALSE(ParseSignature("hlo", with_parameter(ShapeMessage(13, {}))).has_value());  // a tuple
  EXPECT_FALSE(ParseSignature("hlo", with_parameter(ProtoWriter().Bytes(3, "\x02"))).has_value());
  const std::string outside = with_parameter(ShapeMessage(11, {2})) +
                              ProtoWriter().Message(18, ProtoWriter().Message(1, ProtoWriter().Int(1, 1))).bytes();
  EXPECT_FALSE(ParseSignature("hlo", outside).has_value());
}

TEST(Signature, TruncatedProgramsDoNotCrash) {
  const std::string module = Module();
  for (size_t size = 0; size < module.size(); ++size) {
    const auto signature = ParseSignature("hlo", module.substr(0, size));
    if (signature.has_value()) {  // cut between two fields
      EXPECT_EQ(signature->parameters.size(), 2u);
    }
  }
}

TEST(PointerSetTest, KnowsItsMembers) {
  std::vector<int64_t> values(300);
  PointerSet set;
  for (int round = 0; round < 2; ++round) {
    set.Clear(150);
    for (size_t i = 0; i < 300; i += 2) EXPECT_TRUE(set.Insert(&values[i]));
    for (size_t i = 0; i < 300; ++i) EXPECT_EQ(set.Contains(&values[i]), i % 2 == 0);
    for (size_t i = 0; i < 300; i += 2) EXPECT_FALSE(set.Insert(&values[i]));
  }
}

}  // namespace
}  // namespace replicator::pjrt
