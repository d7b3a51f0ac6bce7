#include "bare_loop.h"
#include "replicator/replicator.h"
#include "runtime/engine.h"
#include "sections.h"

namespace replicator::bench {
namespace {

// In flight at once, on either side: within the window of launches.
constexpr int kSteps = 10;

Ratio Measure(const std::string& name, int replicas, int num_variables, int64_t elements, int pairs) {
  LocalReplicator repl({.num_replicas = replicas});
  const auto scope = repl.Context();
  std::vector<Variable> variables;
  for (int i = 0; i < num_variables; ++i) {
    variables.emplace_back(VariableOptions{.name = "v" + std::to_string(i),
                                           .shape = {DType::kF32, {elements}},
                                           .initializer = [](const Shape& shape) { return Zeros(shape); }});
  }
  const PerReplica step = repl.Run(
      [&] {
        for (const Variable& variable : variables) variable.AssignAdd(1.0);
      },
      {.nan_guard = false});
  Session session;
  repl.Init(session);
  BareLoop bare(WithoutRuntime(repl.engine()->program(0)));
  const auto ours = [&] {
    for (int i = 0; i < kSteps; ++i) session.Run(step);
    session.Wait();
  };
  Ratio what{.name = name + ", " + std::to_string(replicas) + (replicas == 1 ? " replica" : " replicas"),
             .against = "bare C API",
             .limit = 1.2,
             .allowed_us = 15};
  // Many short samples: a step takes microseconds.
  return Compare(
      what, 4 * pairs, kSteps, [&] { return SecondsOf(ours); }, [&] { return SecondsOf([&] { bare.Run(kSteps); }); });
}

}  // namespace

std::vector<Ratio> SessionRatios(const Options& options) {
  std::vector<Ratio> results;
  for (const int replicas : {1, 4}) {
    results.push_back(Measure("session.Run, 1 variable", replicas, 1, 1, options.pairs));
    Print(results.back());
    results.push_back(Measure("session.Run, 161 donated variables", replicas, 161, 1024, options.pairs));
    Print(results.back());
  }
  return results;
}

}  // namespace replicator::bench
