// Minimises a test function by an evolution strategy whose population is spread over the replicas.
//
// Salimans et al., "Evolution strategies as a scalable alternative to reinforcement learning", arXiv 1703.03864,
// algorithm 2: every replica knows the noise of all, so that replicas tell one another nothing but the fitness of
// their candidates. Noise is mirrored (x + e and x - e), and fitness replaced by its centred rank (section 2.1). The
// width of the noise shrinks by a constant factor per generation.
#include <replicator/replicator.h>

#include <cmath>
#include <cstdio>

#include "common/program.h"
#include "evolution/functions.h"

namespace rp = replicator;

namespace {

struct Flags {
  std::string platform = "cpu";
  std::string plugin;
  int replicas = 4;
  std::string function = "rastrigin";
  int64_t dimensions = 8;
  int64_t population = 256;
  int64_t generations = 400;
  double learning_rate = 4;
  double width = 1;
  uint64_t seed = 1;
  std::string json;
  bool quiet = false;
};

constexpr char kExamples[] = R"(
Examples:
  evolution                                                 Rastrigin's function on four CPU replicas
  evolution --function rosenbrock --dimensions 4 --generations 2000
  evolution --replicas 8 --population 1024 --json summary.json
)";

void AddFlags(CLI::App& app, Flags& flags) {
  const CLI::Range positive(int64_t{1}, int64_t{1} << 30);
  app.footer(kExamples);
  app.option_defaults()->always_capture_default()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.add_option("--platform", flags.platform, "what to run on: cpu, cuda, rocm, tpu");
  app.add_option("--plugin", flags.plugin, "the platform's PJRT plugin, where it is not to be searched for");
  app.add_option("--replicas", flags.replicas, "one per device")->check(CLI::Range(1, 65536));
  app.add_option("--function", flags.function, "what to minimise")->check(CLI::IsMember(evolution::FunctionNames()));
  app.add_option("--dimensions", flags.dimensions, "of its argument")->check(CLI::Range(int64_t{2}, int64_t{1} << 20));
  app.add_option("--population", flags.population, "candidates per generation, over all replicas")->check(positive);
  app.add_option("--generations", flags.generations, "steps")->check(positive);
  app.add_option("--learning-rate", flags.learning_rate, "of the mean, in widths of the noise")
      ->check(CLI::PositiveNumber);
  app.add_option("--width", flags.width, "the noise's first standard deviation")->check(CLI::PositiveNumber);
  app.add_option("--seed", flags.seed, "of the noise");
  app.add_option("--json", flags.json, "where a summary goes")->check(examples::kWritableFile);
  app.add_flag("--quiet", flags.quiet, "show no progress");
  app.final_callback([&flags] {
    if (flags.population % (2 * flags.replicas) == 0) return;
    throw CLI::ValidationError("--population", std::to_string(flags.population) + " is not a multiple of " +
                                                   std::to_string(2 * flags.replicas) +
                                                   ": every replica has pairs of candidates");
  });
}

int Run(const Flags& flags) {
  constexpr double kLastWidth = 0.01;
  const evolution::Function& function = evolution::FunctionNamed(flags.function);
  const double shrink = std::pow(kLastWidth / flags.width, 1.0 / static_cast<double>(flags.generations));
  const int64_t share = flags.population / flags.replicas;

  rp::LocalReplicator repl(
      {.platform = flags.platform, .num_replicas = flags.replicas, .seed = flags.seed, .plugin_path = flags.plugin});
  auto scope = repl.Context();
  const rp::Variable mean({.name = "mean",
                           .shape = {rp::DType::kF64, {flags.dimensions}},
                           .initializer = rp::nn::init::Constant(function.start)});
  const rp::Variable width(
      {.name = "width", .shape = {rp::DType::kF64, {}}, .initializer = rp::nn::init::Constant(flags.width)});

  const auto generation = [&] {
    const rp::Tensor half = rp::RandomNormal({rp::DType::kF64, {flags.population / 2, flags.dimensions}}, 0, 1,
                                             {.typing = rp::Typing::kReplicated});
    const rp::Tensor noise = rp::Concatenate({half, -half}, 0);
    const rp::Tensor first = rp::ReplicaContext::Current().replica_id() * share;
    const rp::Tensor mine = rp::DynamicSlice(noise, {first, rp::ZerosLike(first)}, {share, flags.dimensions});
    const rp::Tensor fitness = rp::Reshape(rp::AllGather(function.of(mean + mine * width)), {flags.population});

    const rp::Tensor worse_than = rp::ExpandDims(fitness, 1) > rp::ExpandDims(fitness, 0);
    const rp::Tensor rank = rp::ReduceSum(rp::Convert(worse_than, rp::DType::kF64), {.axes = {{1}}});
    const rp::Tensor weight = rank / static_cast<double>(flags.population - 1) - 0.5;
    const rp::Tensor direction =
        rp::DotGeneral(weight, noise, {.lhs_contracting = {0}, .rhs_contracting = {0}}) / flags.population;
    mean.Assign(mean - direction * width * flags.learning_rate);
    width.Assign(width * shrink);
    const rp::Tensor at_mean = rp::Reshape(function.of(rp::ExpandDims(mean.Read(), 0)), {});
    return std::pair(at_mean, rp::ReduceMin(fitness));
  };
  const auto [at_mean, best] = repl.Run(generation);

  rp::MonitoredSession session({.stop_at_step = flags.generations,
                                .progress = flags.quiet ? rp::Progress::kQuiet : rp::Progress::kAuto,
                                .examples_per_step = flags.population});
  session.AddScalar("mean", at_mean);
  session.AddScalar("best", best);
  repl.Init(session);
  rp::Fetched last;
  while (!session.ShouldStop()) last = session.Run(at_mean);
  const auto value = last.Item<double>();
  const std::vector<double> solution = session.Read(mean).ToDoubles();
  const int64_t generations = session.step();
  repl.Shutdown(session);
  if (session.interrupted()) return examples::kInterrupted;

  std::printf("%s is %.6g at the mean, after %lld generations\n", flags.function.c_str(), value,
              static_cast<long long>(generations));
  if (!flags.json.empty()) {
    examples::WriteJson(flags.json, {{"function", flags.function},
                                     {"value", value},
                                     {"mean", solution},
                                     {"replicas", flags.replicas},
                                     {"generations", generations}});
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Minimises a test function by an evolution strategy spread over several replicas.", "evolution");
  Flags flags;
  AddFlags(app, flags);
  return examples::Main(app, argc, argv, [&] { return Run(flags); });
}
