#include "replicator/graph/logical_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "graph/build_context.h"

namespace replicator {
namespace {

using testing::HasSubstr;

const Shape kScalar{DType::kF32, {}};

class LogicalDeviceTest : public testing::Test {
 protected:
  Variable Declare(const std::string& name) const {
    return Variable({.name = name, .shape = kScalar, .initializer = [](const Shape&) { return Tensor(); }});
  }
  Tensor Input(const std::string& name) { return build_->Input(name, kScalar, SourceLocation::current()); }

  VariableTable variables_{3};
  ReplicatorContext context_{&variables_, SourceLocation::current()};
  std::optional<BuildContext> build_{BuildContext::Options{.variables = &variables_}};
};

TEST_F(LogicalDeviceTest, ScopesNestAndEnd) {
  const BuildContext::Scope step(*build_);
  EXPECT_EQ(LogicalDevice::Current(), 0);
  {
    const LogicalDevice outer(2);
    EXPECT_EQ(LogicalDevice::Current(), 2);
    {
      const LogicalDevice inner(1);
      EXPECT_EQ(LogicalDevice::Current(), 1);
    }
    EXPECT_EQ(LogicalDevice::Current(), 2);
    EXPECT_EQ(Input("x").logical_device(), 0);  // inputs land there from wherever
  }
  EXPECT_EQ(LogicalDevice::Current(), 0);
}

TEST_F(LogicalDeviceTest, VariablesFollowTheOperationsUnlessToldOtherwise) {
  EXPECT_EQ(Declare("outside").logical_device(), 0);
  const LogicalDeviceForVariables outside(1);
  EXPECT_EQ(Declare("placed").logical_device(), 1);
  const BuildContext::Scope step(*build_);
  const LogicalDevice operations(2);
  EXPECT_EQ(Declare("still_placed").logical_device(), 1);
  {
    const LogicalDeviceForVariables inner(0);
    EXPECT_EQ(Declare("inner").logical_device(), 0);
  }
  EXPECT_EQ(LogicalDeviceForVariables::Current(), 1);
}

TEST_F(LogicalDeviceTest, VariablesAreReadWhereTheyLive) {
  const BuildContext::Scope step(*build_);
  std::optional<LogicalDevice> scope(2);
  const Variable v = Declare("v");
  scope.reset();
  EXPECT_EQ(v.logical_device(), 2);
  EXPECT_EQ(v.Read().logical_device(), 2);
}

TEST_F(LogicalDeviceTest, RefusesAnIndexThatTheReplicatorDoesNotHave) {
  const BuildContext::Scope step(*build_);
  for (int index : {-1, 3, 1 << 30}) {
    try {
      const LogicalDevice scope(index);
      ADD_FAILURE() << index;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
      EXPECT_THAT(error.what(),
                  HasSubstr("LogicalDevice(" + std::to_string(index) + "): a replica has 3 logical devices"));
      ASSERT_FALSE(error.where().empty());
      EXPECT_THAT(error.where()[0].file_name(), HasSubstr("logical_device_test.cc"));
    }
    EXPECT_THROW(const LogicalDeviceForVariables scope(index), Error);
    EXPECT_EQ(LogicalDevice::Current(), 0);
  }
}

TEST_F(LogicalDeviceTest, OperationsArePlacedInsideAStepOnly) {
  try {
    const LogicalDevice scope(0);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kFailedPrecondition);
    EXPECT_THAT(error.what(), HasSubstr("use LogicalDeviceForVariables"));
  }
}

TEST_F(LogicalDeviceTest, ReplicasAgreeWhereAVariableLives) {
  {
    const BuildContext::Scope step(*build_);
    const LogicalDevice scope(1);
    Declare("v");
  }
  BuildContext second({.replica_index = 1, .num_replicas = 2, .variables = &variables_});
  const BuildContext::Scope step(second);
  {
    const LogicalDevice scope(1);
    EXPECT_EQ(Declare("v").logical_device(), 1);
  }
  try {
    Declare("v");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("replica 1 declares the variable 'v' on logical device 0"));
    EXPECT_THAT(error.what(), HasSubstr("replica 0 has it on logical device 1"));
    EXPECT_EQ(error.where().size(), 2u);
  }
}

TEST_F(LogicalDeviceTest, AVariableAndTheKeyAreWhereTheyAreFromWhereverTheyAreAskedFor) {
  const auto build = [&](int device) {
    BuildContext context({.variables = &variables_});
    const BuildContext::Scope step(context);
    const LogicalDevice scope(device);
    context.StepKey(SourceLocation::current());
    context.Read(variables_.Find("v"), SourceLocation::current());
    return context.graph();
  };
  {
    const LogicalDeviceForVariables scope(1);
    Declare("v");
  }
  EXPECT_TRUE(SameStructure(*build(0), *build(2)));
  EXPECT_THAT(ToString(*build(0)), HasSubstr("f32[] replicated on logical device 1\n"));
}

}  // namespace
}  // namespace replicator
