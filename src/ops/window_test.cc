#include "ops/window.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace replicator {
namespace {

using ::testing::HasSubstr;

WindowAxis Padded(Padding::Kind kind, WindowAxis axis, std::pair<int64_t, int64_t> given = {}) {
  std::tie(axis.low, axis.high) = ResolvePadding(kind, given, axis);
  return axis;
}

// The rules as they are usually written: VALID gives ceil((in - reach + 1) / stride), SAME gives ceil(in / stride) with
// at most one element more at the end than at the start, and no more padding than is needed.
TEST(Window, PaddingFollowsTheClosedForms) {
  for (int64_t extent = 1; extent <= 13; ++extent) {
    for (int64_t window = 1; window <= 5; ++window) {
      for (int64_t stride = 1; stride <= 4; ++stride) {
        for (int64_t dilation = 1; dilation <= 3; ++dilation) {
          const WindowAxis axis{.extent = extent, .window = window, .stride = stride, .dilation = dilation};
          const int64_t reach = dilation * (window - 1) + 1;
          SCOPED_TRACE(testing::Message() << extent << " " << window << " " << stride << " " << dilation);

          const WindowAxis same = Padded(Padding::Kind::kSame, axis);
          const int64_t expected = extent % stride == 0 ? extent / stride : extent / stride + 1;
          EXPECT_EQ(same.count(), expected);
          EXPECT_GE(same.low, 0);
          EXPECT_TRUE(same.high == same.low || same.high == same.low + 1);
          const int64_t total = same.low + same.high;
          EXPECT_EQ(total, std::max<int64_t>(
                               0, extent % stride == 0 ? reach - stride : reach - extent % stride));  // TensorFlow's

          const WindowAxis valid = Padded(Padding::Kind::kValid, axis);
          EXPECT_EQ(valid.low, 0);
          EXPECT_EQ(valid.high, 0);
          if (reach <= extent) {
            EXPECT_EQ(valid.count(), (extent - reach + 1 + stride - 1) / stride);
          }
        }
      }
    }
  }
}

TEST(Window, ExplicitPaddingIsTakenAsItIs) {
  const WindowAxis axis = Padded(Padding::Kind::kExplicit, {.extent = 5, .window = 3, .stride = 2}, {2, 1});
  EXPECT_EQ(axis.low, 2);
  EXPECT_EQ(axis.high, 1);
  EXPECT_EQ(axis.count(), 3);
}

TEST(Window, KnowsWhereItsElementsLie) {
  const WindowAxis axis{.extent = 4, .window = 3, .stride = 2, .dilation = 2, .low = 1, .high = 2};
  EXPECT_EQ(axis.count(), 2);          // padded: . 0 1 2 3 . .
  EXPECT_EQ(axis.position(0, 0), -1);  // window 0: ., 1, 3
  EXPECT_EQ(axis.position(1, 2), 5);   // window 1: 1, 3, .
  EXPECT_FALSE(axis.inside(0, 0));
  EXPECT_TRUE(axis.inside(0, 2));
  EXPECT_FALSE(axis.inside(1, 2));
}

TEST(Window, TilesOnlyWhenItCoversExactlyOnce) {
  EXPECT_TRUE((WindowAxis{.extent = 6, .window = 2, .stride = 2}.tiles()));
  EXPECT_TRUE((WindowAxis{.extent = 5, .window = 5, .stride = 5}.tiles()));
  EXPECT_FALSE((WindowAxis{.extent = 7, .window = 2, .stride = 2}.tiles()));
  EXPECT_FALSE((WindowAxis{.extent = 6, .window = 2, .stride = 3}.tiles()));
  EXPECT_FALSE((WindowAxis{.extent = 6, .window = 3, .stride = 2}.tiles()));
  EXPECT_FALSE((WindowAxis{.extent = 4, .window = 2, .stride = 2, .low = 1, .high = 1}.tiles()));
}

std::string RuleBrokenBy(const WindowAxis& axis) {
  try {
    RequireWindow(axis, "height");
  } catch (const RuleViolation& violation) {
    return violation.rule;
  }
  return "";
}

TEST(Window, RefusesWhatCannotSlide) {
  EXPECT_EQ(RuleBrokenBy({.extent = 3, .window = 3}), "");
  EXPECT_THAT(RuleBrokenBy({.extent = 3, .window = 0}), HasSubstr("height: the window is 0"));
  EXPECT_THAT(RuleBrokenBy({.extent = 3, .stride = 0}), HasSubstr("the stride is 0"));
  EXPECT_THAT(RuleBrokenBy({.extent = 3, .stride = -2}), HasSubstr("the stride is -2"));
  EXPECT_THAT(RuleBrokenBy({.extent = 3, .dilation = 0}), HasSubstr("the dilation is 0"));
  EXPECT_THAT(RuleBrokenBy({.extent = 3, .low = -1}), HasSubstr("the low padding is -1"));
  EXPECT_THAT(RuleBrokenBy({.extent = 3, .stride = int64_t{1} << 62}), HasSubstr("the stride is"));
  EXPECT_EQ(
      RuleBrokenBy({.extent = 6, .window = 4, .dilation = 3, .low = 1, .high = 2}),
      "height: a window of 4 with dilation 3 reaches over 10 elements, more than the 9 there are (extent 6, padding "
      "1 and 2); pad more, or use a smaller window");
}

TEST(Window, SamePaddingOfAnAxisThatWillBeRefusedIsHarmless) {
  const std::pair<int64_t, int64_t> none = {0, 0};
  EXPECT_EQ(ResolvePadding(Padding::Kind::kSame, {}, {.extent = 5, .window = 3, .stride = 0}), none);
  EXPECT_EQ(ResolvePadding(Padding::Kind::kSame, {}, {.extent = 5, .window = int64_t{1} << 60}), none);
}

}  // namespace
}  // namespace replicator
