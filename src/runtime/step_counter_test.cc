#include "runtime/step_counter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "replicator/base/error.h"
#include "runtime/testing_fakes.h"

namespace replicator {
namespace {

using ::testing::HasSubstr;

void Execute(FakeEngine& engine, StepCounter& counter, int step) {
  const std::vector<int> steps = {step};
  counter.BeforeRun(engine, steps);
  engine.Run({engine.FetchOf(step)});
}

TEST(StepCounter, CountsTheFirstTrainingStepThatIsRun) {
  const auto engine = std::make_shared<FakeEngine>();
  const int evaluate = engine->Add(Mode::kEval, false);
  const int first = engine->Add(Mode::kTrain, false);
  const int second = engine->Add(Mode::kTrain, true);
  StepCounter counter{Variable()};
  counter.Begin(*engine, nullptr);
  Execute(*engine, counter, evaluate);
  EXPECT_EQ(counter.value(*engine), 0);
  EXPECT_FALSE(counter.counted_step().has_value());
  Execute(*engine, counter, second);
  Execute(*engine, counter, first);
  Execute(*engine, counter, second);
  EXPECT_EQ(counter.value(*engine), 2);
  EXPECT_EQ(counter.counted_step(), second);

  EngineState state;
  counter.SaveTo(*engine, state);
  StepCounter resumed{Variable()};
  resumed.Begin(*engine, &state);
  EXPECT_EQ(resumed.value(*engine), 2);
  Execute(*engine, resumed, first);
  EXPECT_EQ(resumed.value(*engine), 2) << "the same step is counted after a resume, whichever is run first";
  Execute(*engine, resumed, second);
  EXPECT_EQ(resumed.value(*engine), 3);
}

TEST(StepCounter, CountsTheStepsThatUpdateAVariable) {
  const auto engine = std::make_shared<FakeEngine>();
  const int other = engine->Add(Mode::kTrain, false);
  const int a = engine->Add(Mode::kTrain, true);
  const int b = engine->Add(Mode::kTrain, true);
  engine->WriteVariable(*engine->iterations, Literal::Scalar<int64_t>(40));
  StepCounter counter{Variable(engine->iterations)};
  counter.Begin(*engine, nullptr);
  EXPECT_EQ(counter.value(*engine), 40);
  for (const int step : {other, a, b, a}) Execute(*engine, counter, step);
  EXPECT_EQ(counter.value(*engine), 43);

  // A step that did not increment it: the next save puts the count right.
  engine->WriteVariable(*engine->iterations, Literal::Scalar<int64_t>(42));
  EngineState state = engine->Save();
  counter.SaveTo(*engine, state);
  EXPECT_EQ(counter.value(*engine), 42);
  EXPECT_EQ(state.metadata.at("session.step"), "42");
  Execute(*engine, counter, b);
  EXPECT_EQ(counter.value(*engine), 43);
}

TEST(StepCounter, RefusesWhatCannotCount) {
  const auto engine = std::make_shared<FakeEngine>();
  try {
    StepCounter counter{Variable(engine->weight)};
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.message(), HasSubstr("'w', f32[]; it must be an integer scalar"));
  }
  EngineState state;
  state.metadata["session.step"] = "many";
  StepCounter counter{Variable()};
  EXPECT_THROW(counter.Begin(*engine, &state), Error);
}

}  // namespace
}  // namespace replicator
