// Saving, restoring and resuming.
#include "runtime/engine_state.h"

#include "replicator/runtime/session.h"
#include "runtime/testing.h"

namespace replicator {
namespace {

using namespace replicator::runtime_testing;  // NOLINT: helpers of this room's tests
using testing::ElementsAre;

const Shape kScalar{DType::kF32, {}};

// A run that trains on shuffled data with random draws: everything that must be resumed.
struct Training {
  explicit Training(int num_replicas, uint64_t seed = 5) {
    engine = Engine::Create({.num_replicas = num_replicas, .seed = seed});
    const InputFn input_fn = [](const InputContext& context) {
      std::vector<double> values(24);
      for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
      return data::Dataset::FromTensors({{"x", Literal::FromValues<double>({24}, values)}})
          .Shuffle(3)
          .Shard(context)
          .Batch(context.PerReplicaBatchSize(4));
    };
    input = MakeInput(*engine, input_fn);
    weight = Declare(*engine, {.name = "weight", .shape = {DType::kF64, {}}});
    count = Declare(*engine, {.name = "count", .shape = {DType::kI64, {}}});
    step = AddStep(engine,
                   [this](const Inputs& inputs) {
                     const Tensor x = inputs.at("x");
                     const Tensor noise = RandomUniform(x.shape());
                     weight.Assign(weight * 0.5 + AllSum(ReduceSum(x * noise)));
                     count.AssignAdd(1);
                     return std::vector<Tensor>{weight.Read()};
                   },
                   {.input = input});
    session.Attach(engine);
  }
  double Steps(int n) {
    double last = 0;
    for (int i = 0; i < n; ++i) {
      try {
        last = session.Run(step.results[0]).Item<double>();
      } catch (const OutOfRange&) {
        input.Initialize();
        --i;
      }
    }
    return last;
  }

  std::shared_ptr<Engine> engine;
  InputIterator input;
  Variable weight, count;
  BuiltStep step;
  Session session;
};

TEST(EngineState, AResumedRunIsTheUnbrokenOneBitForBit) {
  Training unbroken(2);
  const double expected = unbroken.Steps(15);  // within the third sweep
  for (int stop : {1, 4, 6, 7, 14}) {
    EngineState state;
    {
      Training first(2);
      first.Steps(stop);
      state = first.engine->Save();
    }
    Training second(2);
    second.Steps(3);  // which restoring undoes
    second.engine->Restore(state);
    EXPECT_EQ(second.engine->executions(second.step.index), stop);
    EXPECT_EQ(second.Steps(15 - stop), expected) << stop;
    EXPECT_EQ(second.engine->Save().metadata, unbroken.engine->Save().metadata) << stop;
  }
}

TEST(EngineState, ResumesOnAnotherNumberOfReplicas) {
  Training unbroken(2);
  const double expected = unbroken.Steps(10);
  Training first(1);
  first.Steps(5);
  Training second(4);
  second.engine->Restore(first.engine->Save());
  EXPECT_NEAR(second.Steps(5), expected, 1e-12 * std::abs(expected));
  EXPECT_EQ(second.session.ReadReplica(second.count, 3).Item<int64_t>(), 10);
}

TEST(EngineState, NamesItsContents) {
  Training training(2);
  training.Steps(7);
  const EngineState state = training.engine->Save();
  EXPECT_THAT(state.metadata,
              ElementsAre(testing::Pair("executions.0", "7"), testing::Pair("input.0", "epoch 1 index 4 delivered 0"),
                          testing::Pair("seed", "5")));
  EXPECT_EQ(state.tensors.size(), 2u);
  EXPECT_EQ(state.tensors.at("count"), Literal::Scalar<int64_t>(7));
}

TEST(EngineState, RefusesWhatDoesNotFitAndChangesNothing) {
  Training training(2);
  const double before = training.Steps(3);
  const EngineState good = training.engine->Save();
  const auto refuse = [&](const std::function<void(EngineState&)>& spoil, ErrorCode code, const std::string& text) {
    EngineState bad = good;
    bad.tensors["count"] = Literal::Scalar<int64_t>(99);
    bad.metadata["executions.0"] = "98";
    spoil(bad);
    try {
      training.engine->Restore(bad);
      ADD_FAILURE() << "no error; wanted " << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code) << error.what();
      EXPECT_THAT(error.what(), testing::HasSubstr(text));
    }
    EXPECT_EQ(training.engine->Save().tensors, good.tensors);
    EXPECT_EQ(training.engine->Save().metadata, good.metadata);
  };
  refuse([](EngineState& s) { s.tensors.erase("weight"); }, ErrorCode::kNotFound, "lacks the variables 'weight'");
  refuse([](EngineState& s) { s.tensors["weight"] = Literal::Scalar(1.0f); }, ErrorCode::kInvalidArgument,
         "'weight' as f32[], but the variable is f64[]");
  refuse([](EngineState& s) { s.metadata["executions.0"] = "many"; }, ErrorCode::kInvalidArgument, "'many'");
  refuse([](EngineState& s) { s.metadata["executions.0"] = "-1"; }, ErrorCode::kInvalidArgument, "'-1'");
  refuse([](EngineState& s) { s.metadata["input.0"] = "somewhere"; }, ErrorCode::kInvalidArgument, "somewhere");
  refuse([](EngineState& s) { s.metadata["input.0"] = "epoch 0 index 3 delivered 0"; }, ErrorCode::kInvalidArgument,
         "multiple of the global batch");

  EngineState partial = good;
  partial.tensors.erase("weight");
  partial.tensors["count"] = Literal::Scalar<int64_t>(40);
  training.engine->Restore(partial, /*allow_missing=*/true);
  EXPECT_EQ(training.session.Read(training.weight).Item<double>(), before);
  EXPECT_EQ(training.session.Read(training.count).Item<int64_t>(), 40);
}

TEST(EngineState, WhatIsBuiltAfterRestoringTakesItsPartThen) {
  Training first(2);
  first.Steps(4);
  const Variable metric = Declare(*first.engine, {.name = "metric", .shape = kScalar});
  const StepFn add = [](const Variable& v) -> StepFn {
    return [v](const Inputs&) {
      v.AssignAdd(1);
      return std::vector<Tensor>{v.Read()};
    };
  }(metric);
  const BuiltStep step = AddStep(first.engine, add);
  for (int i = 0; i < 3; ++i) first.session.Run(step.results[0]);

  Training second(2);
  second.engine->Restore(first.engine->Save());
  const Variable again = Declare(*second.engine, {.name = "metric", .shape = kScalar});
  const BuiltStep later = AddStep(second.engine, [&](const Inputs&) {
    again.AssignAdd(1);
    return std::vector<Tensor>{again.Read()};
  });
  EXPECT_EQ(second.engine->executions(later.index), 3);
  EXPECT_EQ(second.session.Run(later.results[0]).Item<float>(), 4.0f);
}

// Three per-replica variables, to which each step adds replica + 1.
struct PerReplicaValues {
  explicit PerReplicaValues(int num_replicas) {
    engine = Engine::Create({.num_replicas = num_replicas});
    for (Aggregation a : {Aggregation::kSum, Aggregation::kMean, Aggregation::kOnlyFirstReplica}) {
      variables.push_back(Declare(
          *engine,
          {.name = "v" + std::to_string(variables.size()), .shape = kScalar, .trainable = false, .aggregation = a}));
    }
    step = AddStep(engine, [this](const Inputs&) {
      const Tensor own = Convert(ReplicaContext::Current().replica_id(), DType::kF32) + 1.0;
      for (const Variable& variable : variables) variable.AssignAdd(own);
      return std::vector<Tensor>();
    });
    session.Attach(engine);
  }
  std::vector<float> Replicas(int variable) {
    std::vector<float> values;
    for (int r = 0; r < engine->num_replicas(); ++r) {
      values.push_back(session.ReadReplica(variables[static_cast<size_t>(variable)], r).Item<float>());
    }
    return values;
  }
  std::vector<float> Aggregates() {
    std::vector<float> values;
    for (const Variable& variable : variables) values.push_back(session.Read(variable).Item<float>());
    return values;
  }

  std::shared_ptr<Engine> engine;
  std::vector<Variable> variables;
  BuiltStep step;
  Session session;
};

TEST(EngineState, PerReplicaVariablesKeepExactValuesForTheSameNumberOfReplicas) {
  PerReplicaValues two(2);
  two.session.Run(two.step.results[0]);
  EXPECT_THAT(two.Aggregates(), ElementsAre(3, 1.5, 1));
  const EngineState state = two.engine->Save();
  EXPECT_EQ(state.tensors.at("v1"), Literal::Scalar(1.5f));
  EXPECT_EQ(state.tensors.at("v1@0"), Literal::Scalar(1.0f));
  EXPECT_EQ(state.tensors.at("v1@1"), Literal::Scalar(2.0f));

  PerReplicaValues same(2);
  same.engine->Restore(state);
  for (int v = 0; v < 3; ++v) EXPECT_THAT(same.Replicas(v), ElementsAre(1, 2));

  for (int replicas : {1, 3}) {
    PerReplicaValues other(replicas);
    other.engine->Restore(state);
    EXPECT_THAT(other.Aggregates(), ElementsAre(3, 1.5, 1)) << replicas;
  }
  PerReplicaValues three(3);
  three.engine->Restore(state);
  EXPECT_THAT(three.Replicas(0), ElementsAre(3, 0, 0));
  EXPECT_THAT(three.Replicas(1), ElementsAre(1.5, 1.5, 1.5));
  EXPECT_THAT(three.Replicas(2), ElementsAre(1, 1, 1));
}

TEST(EngineState, NamesThatCollideAreRefused) {
  const auto engine = Engine::Create({});
  Declare(*engine, {.name = "v", .shape = kScalar, .aggregation = Aggregation::kSum});
  Declare(*engine, {.name = "v@0", .shape = kScalar});
  EXPECT_ERROR(engine->Save(), kInvalidArgument, "'v@0'");
}

TEST(EngineState, TrainingGoesOnWhileItIsSaved) {
  Training training(2);
  training.Steps(1);
  std::jthread trainer([&] { training.Steps(60); });
  for (int i = 0; i < 10; ++i) {
    const EngineState state = training.engine->Save();
    // All of one moment: a run resumed from it arrives where one that was never broken does.
    EXPECT_EQ(state.metadata.at("executions.0"), std::to_string(state.tensors.at("count").Item<int64_t>()));
  }
}

}  // namespace
}  // namespace replicator
