// Random step functions, with and without differences between the replicas, collectives, branches and loops, against a
// host interpreter of all replicas. REPLICATOR_SOAK=1 runs ten times as many; REPLICATOR_SEED=n begins at another seed.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <optional>
#include <random>

#include "build.h"
#include "interpret.h"

namespace replicator::testing {
namespace {

constexpr int kSteps = 2, kReplicaCounts[] = {1, 2, 3, 4};

Literal Inputs(const RandomProgram& program) {
  std::mt19937_64 random(program.seed + 1);
  std::uniform_real_distribution<double> draw(-2, 2);
  Literal rows{Shape{DType::kF64, {int64_t{kSteps} * program.num_replicas * 2, 3}}};
  for (double& value : rows.mutable_data<double>()) value = draw(random);
  return rows;
}

// Replica r's batch in a step: two rows.
HostValue BatchOf(const Literal& rows, int step, int num_replicas) {
  HostValue batch;
  const double* next = rows.data<double>().data() + static_cast<ptrdiff_t>(step) * num_replicas * 6;
  for (int r = 0; r < num_replicas; ++r, next += 6) batch.push_back({{2, 3}, std::vector<double>(next, next + 6)});
  return batch;
}

bool Near(const HostTensor& expected, const Literal& found) {
  const std::vector<double> values = found.ToDoubles();
  if (found.dims() != expected.dims || values.size() != expected.data.size()) return false;
  for (size_t i = 0; i < values.size(); ++i) {
    if (!(std::fabs(values[i] - expected.data[i]) <= 1e-9 * std::max(1.0, std::fabs(expected.data[i])))) return false;
  }
  return true;
}

struct Ran {
  std::vector<std::vector<std::vector<Literal>>> outputs;  // [step][output][replica]
  std::vector<Literal> variable;                           // after each step
};

Ran RunProgram(const RandomProgram& program) {
  LocalReplicator repl({.num_replicas = program.num_replicas});
  const auto context = repl.Context();
  const Variable variable(
      {.name = "v", .shape = {DType::kF64, {3}}, .initializer = [](const Shape& shape) { return Full(shape, 0.75); }});
  const std::vector<PerReplica> results =
      repl.Run([&](const Batch& batch) { return BuildStep(program, batch["x"], variable); },
               [&](const InputContext& ctx) {
                 return data::Dataset::FromTensors({{"x", Inputs(program)}})
                     .Shard(ctx)
                     .Batch(ctx.PerReplicaBatchSize(int64_t{2} * program.num_replicas));
               });
  Session session;
  repl.Init(session);
  Ran ran;
  for (int step = 0; step < kSteps; ++step) {
    const std::vector<Fetched> fetched = session.Run(std::vector<Fetch>(results.begin(), results.end()));
    auto& outputs = ran.outputs.emplace_back();
    for (const Fetched& each : fetched) outputs.push_back(each.GetAll());
    ran.variable.push_back(session.Read(variable));
  }
  return ran;
}

// Why they differ; nothing if they agree.
std::optional<std::string> Compare(const RandomProgram& program, const Ran& ran, Fault fault = Fault::kNone) {
  const Literal rows = Inputs(program);
  HostTensor variable{{3}, {0.75, 0.75, 0.75}};
  for (int step = 0; step < kSteps; ++step) {
    const HostResults expected = Interpret(program, BatchOf(rows, step, program.num_replicas), variable, fault);
    for (size_t i = 0; i < program.outputs.size(); ++i) {
      for (size_t r = 0; r < static_cast<size_t>(program.num_replicas); ++r) {
        if (Near(expected.outputs[i][r], ran.outputs[static_cast<size_t>(step)][i][r])) continue;
        return "step " + std::to_string(step) + ", output " + std::to_string(i) + ", replica " + std::to_string(r);
      }
    }
    if (!Near(expected.variable, ran.variable[static_cast<size_t>(step)]))
      return "step " + std::to_string(step) + ", the variable";
    variable = expected.variable;
  }
  return std::nullopt;
}

uint64_t FirstSeed() {
  const char* const seed = std::getenv("REPLICATOR_SEED");
  return seed == nullptr ? 1000 : std::strtoull(seed, nullptr, 10);
}

class Property : public ::testing::TestWithParam<int> {};

TEST_P(Property, RandomProgramsEqualTheHost) {
  const uint64_t count = std::getenv("REPLICATOR_SOAK") != nullptr ? 500 : 50;
  const uint64_t first = FirstSeed();
  std::cout << count << " programs from seed " << first << "\n";
  for (uint64_t seed = first; seed < first + count; ++seed) {
    const RandomProgram program = Generate(seed, GetParam());
    try {
      const auto difference = Compare(program, RunProgram(program));
      EXPECT_FALSE(difference.has_value()) << *difference << " differs in\n" << ToString(program);
    } catch (const Error& error) {
      ADD_FAILURE() << error.what() << "\nin " << ToString(program);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Replicas, Property, ::testing::ValuesIn(kReplicaCounts), ::testing::PrintToStringParamName());

// Each is noticed by some of twelve programs.
TEST(Property, PlantedFaultsAreNoticed) {
  std::map<Fault, int> noticed;
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    const RandomProgram program = Generate(seed, 3);
    const Ran ran = RunProgram(program);
    EXPECT_FALSE(Compare(program, ran).has_value()) << ToString(program);
    for (Fault fault : {Fault::kMeanForSum, Fault::kNeighbourForPermute, Fault::kFirstBlockForAll,
                        Fault::kOneIterationLess, Fault::kCarryIsInit}) {
      noticed[fault] += Compare(program, ran, fault).has_value() ? 1 : 0;
    }
  }
  for (const auto& [fault, times] : noticed) EXPECT_GT(times, 0) << static_cast<int>(fault);
}

}  // namespace
}  // namespace replicator::testing
