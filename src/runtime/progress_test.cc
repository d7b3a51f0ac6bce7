#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/progress_hook.h"
#include "runtime/progress_line.h"
#include "runtime/testing_fakes.h"

namespace replicator {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class FakeContext final : public HookContext {
 public:
  int64_t step() const override { return now; }
  Session& session() override { return session_; }
  const std::vector<NamedScalar>& scalars() const override { return values; }
  void RequestStop() override {}
  void Warn(std::string_view) override {}
  int64_t now = 0;
  std::vector<NamedScalar> values;

 private:
  Session session_;
};

TEST(ProgressLine, Durations) {
  EXPECT_EQ(FormatDuration(0), "0:00");
  EXPECT_EQ(FormatDuration(59.6), "1:00");
  EXPECT_EQ(FormatDuration(754), "12:34");
  EXPECT_EQ(FormatDuration(3723), "1:02:03");
  EXPECT_EQ(FormatDuration(-1), "0:00");
}

TEST(ProgressLine, LeavesOutWhatIsNotKnown) {
  EXPECT_EQ(FormatLine({.step = 7}), "step 7");
  EXPECT_EQ(FormatLine({.step = 7, .steps_per_second = 2.5}), "step 7  2.5 steps/s");
  EXPECT_EQ(FormatLine({.step = 250,
                        .last_step = 1000,
                        .steps_per_second = 10,
                        .examples_per_step = 512,
                        .scalars = {{"loss", 0.43124, 248}}}),
            "step 250/1000 (25%)  loss 0.4312  5120 examples/s  ETA 1:15");
  EXPECT_EQ(FormatLine({.step = 0, .last_step = 0}), "step 0/0 (100%)");
}

TEST(ProgressLine, ABarFitsItsTerminal) {
  const ProgressState state = {.step = 500,
                               .last_step = 1000,
                               .steps_per_second = 10,
                               .scalars = {{"loss", 0.5, 1}, {"a_long_name_of_a_scalar", 0.25, 1}}};
  EXPECT_THAT(FormatBar(state, 200), HasSubstr("[############............]  loss 0.5  a_long_name_of_a_scalar 0.25"));
  EXPECT_THAT(FormatBar(state, 93), HasSubstr("[####....]  loss 0.5  a_long_name_of_a_scalar 0.25"));
  EXPECT_THAT(FormatBar(state, 90), HasSubstr("[############............]  loss 0.5  10 steps/s  ETA 0:50"));
  EXPECT_EQ(FormatBar(state, 46), "step 500/1000 (50%)  10 steps/s  ETA 0:50");
  for (int width = 0; width < 200; ++width) EXPECT_LE(FormatBar(state, width).size(), static_cast<size_t>(width));
}

TEST(ProgressHook, PrintsLinesNowAndThenWhereThereIsNoTerminal) {
  FakeClock clock;
  FakeOutput output;
  FakeContext context;
  ProgressHook hook({.bar = false, .last_step = 100, .examples_per_step = [] { return 8; }}, clock, output);
  hook.Begin(context);
  clock.now += 5;  // the first step compiles
  for (context.now = 1; context.now <= 40; ++context.now) {
    hook.AfterRun(context, {});
    clock.now += 0.5;
  }
  EXPECT_EQ(output.text, "step 11/100 (11%)  16 examples/s  ETA 0:45\nstep 31/100 (31%)  16 examples/s  ETA 0:35\n");
  output.text.clear();
  --context.now;
  hook.End(context);
  EXPECT_THAT(output.text, StartsWith("step 40/100 (40%)"));
}

TEST(ProgressHook, DrawsABarInPlaceAndMakesRoomForWarnings) {
  FakeClock clock;
  FakeOutput output;
  FakeContext context;
  ProgressHook hook({.bar = true, .examples_per_step = [] { return 0; }}, clock, output);
  hook.Begin(context);
  for (int i = 0; i < 4; ++i) {
    ++context.now;
    clock.now += 0.1;
    hook.AfterRun(context, {});
  }
  EXPECT_EQ(output.text, "\rstep 2  10 steps/s\rstep 4  10 steps/s");
  output.text.clear();
  hook.Clear();
  EXPECT_EQ(output.text, "\r" + std::string(18, ' ') + "\r");
  hook.End(context);
  EXPECT_THAT(output.text, ::testing::EndsWith("step 4  10 steps/s\n"));
}

TEST(ProgressHook, SaysNothingWhereNothingWasRun) {
  FakeClock clock;
  FakeOutput output;
  FakeContext context;
  ProgressHook hook({.bar = true, .examples_per_step = [] { return 0; }}, clock, output);
  hook.Begin(context);
  hook.End(context);
  EXPECT_EQ(output.text, "");
}

}  // namespace
}  // namespace replicator
