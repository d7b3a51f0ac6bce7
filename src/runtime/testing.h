// For tests only: small steps and errors to expect.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "replicate/rewrite.h"
#include "replicator/base/error.h"
#include "replicator/graph/variable.h"
#include "replicator/ops/collectives.h"
#include "replicator/ops/elementwise.h"
#include "replicator/ops/random.h"
#include "replicator/ops/reduce.h"
#include "replicator/ops/shape.h"
#include "runtime/engine.h"
#include "runtime/fetch_node.h"
#include "runtime/input_iterator_impl.h"

// The statement throws an Error of this code whose what() contains `text`.
#define EXPECT_ERROR(statement, expected_code, text)                                 \
  try {                                                                              \
    static_cast<void>(statement);                                                    \
    ADD_FAILURE() << "no error from " #statement;                                    \
  } catch (const ::replicator::Error& error) {                                       \
    EXPECT_EQ(error.code(), ::replicator::ErrorCode::expected_code) << error.what(); \
    EXPECT_THAT(std::string(error.what()), ::testing::HasSubstr(text));              \
  }

namespace replicator::runtime_testing {

using Inputs = std::map<std::string, Tensor>;
using StepFn = std::function<std::vector<Tensor>(const Inputs&)>;

inline Tensor FromZero(const Shape& shape) { return Zeros(shape); }

inline Variable Declare(Engine& engine, VariableOptions options, SourceLocation where = SourceLocation::current()) {
  if (options.initializer == nullptr) options.initializer = FromZero;
  const ReplicatorContext context(&engine.variables(), where);
  return Variable(std::move(options), where);
}

struct BuiltStep {
  int index = 0;
  std::vector<PerReplica> results;  // of a step that returns nothing, the step itself
};

struct StepSettings {
  InputIterator input = {};
  bool nan_guard = false;
  Mode mode = Mode::kTrain;
};

// What Replicator::Run does.
inline BuiltStep AddStep(const std::shared_ptr<Engine>& engine, const StepFn& step_fn,
                         const StepSettings& settings = {}, SourceLocation where = SourceLocation::current()) {
  StepOptions options{
      .num_replicas = engine->num_replicas(), .mode = settings.mode, .nan_guard = settings.nan_guard, .where = where};
  if (settings.input.defined()) options.inputs = settings.input.Spec();
  const ReplicatorContext context(&engine->variables(), where);
  BuiltStep built;
  built.index =
      engine->AddStep(Rewrite(BuildReplicaSteps(step_fn, engine->variables(), options), options), settings.input);
  const int num_outputs = static_cast<int>(engine->program(built.index).outputs.size());
  for (int i = num_outputs == 0 ? -1 : 0; i < num_outputs; ++i) {
    built.results.push_back(MakePerReplica(engine, built.index, i));
  }
  return built;
}

inline InputIterator MakeInput(const Engine& engine, const InputFn& input_fn,
                               InputReplicationMode mode = InputReplicationMode::kPerWorker) {
  return InputIterator(
      std::make_shared<InputIterator::Impl>(input_fn, mode, engine.num_replicas(), SourceLocation::current()));
}

// "x": f32, 0, 1, ..., size - 1, dealt in global batches.
inline InputFn Counting(int64_t size, int64_t global_batch) {
  return [=](const InputContext& context) {
    std::vector<float> values(static_cast<size_t>(size));
    for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
    return data::Dataset::FromTensors({{"x", Literal::FromValues<float>({size}, values)}})
        .Shard(context)
        .Batch(context.PerReplicaBatchSize(global_batch));
  };
}

inline std::vector<double> Values(const Literal& literal) { return literal.ToDoubles(); }

}  // namespace replicator::runtime_testing
