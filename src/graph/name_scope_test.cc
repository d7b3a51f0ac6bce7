#include <gtest/gtest.h>

#include "graph/build_context.h"

namespace replicator {
namespace {

TEST(NameScope, NestsAndRestores) {
  EXPECT_EQ(NameScope::Current(), "");
  {
    NameScope outer("a");
    NameScope inner("b");
    EXPECT_EQ(NameScope::Current(), "a/b");
    {
      NameScope absolute = NameScope::Absolute("model/dense");
      EXPECT_EQ(NameScope::Current(), "model/dense");
      NameScope nested("c");
      EXPECT_EQ(NameScope::Current(), "model/dense/c");
    }
    EXPECT_EQ(NameScope::Current(), "a/b");
  }
  EXPECT_EQ(NameScope::Current(), "");
}

TEST(BuildContext, OneOwnerPerScope) {
  BuildContext context({});
  const auto first = std::make_shared<int>(1);
  const SourceLocation first_line = SourceLocation::current();
  context.ClaimScope("dropout", first, first_line);
  context.ClaimScope("dropout", first, SourceLocation::current());
  context.ClaimScope("dropout_2", std::make_shared<int>(2), SourceLocation::current());
  const SourceLocation second_line = SourceLocation::current();
  try {
    context.ClaimScope("dropout", std::make_shared<int>(3), second_line);
    FAIL() << "a second owner was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kAlreadyExists);
    EXPECT_NE(error.message().find(".name"), std::string::npos);
    ASSERT_EQ(error.where().size(), 2u);
    EXPECT_EQ(error.where()[0].line(), second_line.line());
    EXPECT_EQ(error.where()[1].line(), first_line.line());
  }
  BuildContext next({});
  next.ClaimScope("dropout", std::make_shared<int>(4), second_line);
}

}  // namespace
}  // namespace replicator
