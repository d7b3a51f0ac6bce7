// Actors and a learner: threads that step a small control task by a policy whose variables a replicated step is
// training meanwhile, from the trajectories that they push into its input.
#include <replicator/replicator.h>

#include <chrono>
#include <cstdio>

#include "actor_learner/actors.h"
#include "actor_learner/agent.h"
#include "common/program.h"

namespace rp = replicator;

namespace {

struct Flags {
  std::string platform = "cpu";
  std::string plugin;
  int replicas = 2;
  actor_learner::ActorOptions acting = {};
  int64_t global_batch = 32;
  int64_t updates = 4000;
  double learning_rate = 2e-3;
  double target = 475;
  std::string logdir;
  std::string json;
  bool quiet = false;
};

constexpr char kExamples[] = R"(
Examples:
  actor_learner                                      four actors and a learner on two CPU replicas
  actor_learner --episode-steps 200 --target 195     the easier form of the task
  actor_learner --actors 16 --environments 32 --replicas 4 --global-batch 256 --json summary.json
)";

void AddFlags(CLI::App& app, Flags& flags) {
  const CLI::Range positive(int64_t{1}, int64_t{1} << 30);
  const CLI::Range threads(int64_t{1}, int64_t{1} << 10);
  app.footer(kExamples);
  app.option_defaults()->always_capture_default()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.add_option("--platform", flags.platform, "what to run on: cpu, cuda, rocm, tpu");
  app.add_option("--plugin", flags.plugin, "the platform's PJRT plugin, where it is not to be searched for");
  app.add_option("--replicas", flags.replicas, "of the learner, one per device")->check(CLI::Range(1, 65536));
  app.add_option("--actors", flags.acting.actors, "threads that act")->check(threads);
  app.add_option("--environments", flags.acting.environments, "of each actor")->check(threads);
  app.add_option("--trajectory", flags.acting.trajectory, "steps that are learned from at once")->check(threads);
  app.add_option("--episode-steps", flags.acting.episode_steps, "after which an episode ends")->check(positive);
  app.add_option("--discount", flags.acting.discount, "of a reward, per step")->check(CLI::Range(0.0, 1.0));
  app.add_option("--global-batch", flags.global_batch, "trajectories per update, over all replicas")->check(positive);
  app.add_option("--updates", flags.updates, "after which to give up")->check(positive);
  app.add_option("--learning-rate", flags.learning_rate, "the first one; it falls to 0")->check(CLI::PositiveNumber);
  app.add_option("--target", flags.target, "mean return of 100 episodes, at which to stop")->check(CLI::PositiveNumber);
  app.add_option("--seed", flags.acting.seed, "of initial values, environments and actions");
  app.add_option("--logdir", flags.logdir, "where scalars for TensorBoard go");
  app.add_option("--json", flags.json, "where a summary goes")->check(examples::kWritableFile);
  app.add_flag("--quiet", flags.quiet, "show no progress");
  app.final_callback([&flags] {
    try {
      rp::InputContext::ForPipeline(0, 1, flags.replicas).PerReplicaBatchSize(flags.global_batch);
    } catch (const rp::Error& error) {
      throw CLI::ValidationError("--global-batch", error.message());
    }
  });
}

double Now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

int Run(const Flags& flags) {
  constexpr int64_t kEvaluated = 100;
  const actor_learner::ActorOptions& acting = flags.acting;
  rp::LocalReplicator repl(
      {.platform = flags.platform, .num_replicas = flags.replicas, .seed = acting.seed, .plugin_path = flags.plugin});
  const auto scope = repl.Context();

  // The learner: a replicated step whose input is the queue.
  const rp::data::Queue queue(actor_learner::TrajectorySpec(acting.trajectory),
                              {.capacity = std::max(flags.global_batch, acting.environments)});
  const actor_learner::Agent agent(actor_learner::CartPole::kActions);
  const auto optimizer = repl.WrapOptimizer(
      rp::optim::Adam({.learning_rate =
                           rp::optim::CosineDecay({.initial_value = flags.learning_rate, .decay_steps = flags.updates}),
                       .clip_norm = 1}),
      rp::optim::GradientReduction::kMean);
  const rp::Fetch loss = rp::ReduceMean(repl.Run(
      [&](const rp::Batch& batch) {
        const rp::Tensor value = actor_learner::Loss(agent, batch, {});
        optimizer.Minimize(value);
        return value;
      },
      rp::InputFromQueue(queue, {.global_batch_size = flags.global_batch, .timeout_seconds = 60})));

  rp::MonitoredSession session({.logdir = flags.logdir,
                                .stop_at_step = flags.updates,
                                .step_counter = optimizer.iterations(),
                                .progress = flags.quiet ? rp::Progress::kQuiet : rp::Progress::kAuto,
                                .examples_per_step = flags.global_batch * acting.trajectory});
  session.AddScalar("loss", loss);
  repl.Init(session);

  // The actors: threads with a callable on the same variables.
  const rp::Callable policy =
      session.MakeCallable([&](const rp::Tensor& x) { return agent.Act(x); },
                           {{rp::DType::kF32, {acting.environments, actor_learner::kObservation}}});
  const rp::Callable greedy = session.MakeCallable([&](const rp::Tensor& x) { return agent.ActGreedily(x); },
                                                   {{rp::DType::kF32, {kEvaluated, actor_learner::kObservation}}});
  actor_learner::Returns returns;
  const double start = Now();
  {
    const actor_learner::Actors actors(policy, queue, returns, acting);
    constexpr int64_t kScalarEvery = 10;
    while (!session.ShouldStop() && returns.Mean() < flags.target) {
      session.Run(loss);
      if (session.step() % kScalarEvery == 0) session.WriteScalar("return", returns.Mean());
    }
  }
  session.Wait();
  const double seconds = Now() - start;
  const int64_t updates = session.step();
  const bool reached = returns.Mean() >= flags.target;
  const bool interrupted = session.interrupted();
  const double evaluated =
      interrupted ? 0 : actor_learner::Evaluate(greedy, kEvaluated, acting.episode_steps, acting.seed);
  repl.Shutdown(session);
  if (interrupted) return examples::kInterrupted;

  const auto frames = static_cast<double>(updates * flags.global_batch * acting.trajectory);
  std::printf("mean return %.1f of the last %zu episodes%s, after %lld updates and %lld episodes; greedily %.1f\n",
              returns.Mean(), actor_learner::Returns::kWindow, reached ? "" : ", short of the target",
              static_cast<long long>(updates), static_cast<long long>(returns.episodes()), evaluated);
  if (!flags.json.empty()) {
    examples::WriteJson(flags.json, {{"reached", reached},
                                     {"target", flags.target},
                                     {"mean_return", returns.Mean()},
                                     {"greedy_return", evaluated},
                                     {"episodes", returns.episodes()},
                                     {"updates", updates},
                                     {"replicas", flags.replicas},
                                     {"actors", acting.actors},
                                     {"seconds", seconds},
                                     {"steps_per_second", frames / seconds}});
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Trains a policy by actors in threads and a replicated learner.", "actor_learner");
  Flags flags;
  AddFlags(app, flags);
  return examples::Main(app, argc, argv, [&] { return Run(flags); });
}
