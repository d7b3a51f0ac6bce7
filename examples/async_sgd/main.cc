// Trains one network on Fashion-MNIST under several policies of who waits for whom, with a slow worker among the sync
// groups, and draws what that does to loss, speed and staleness.
#include <replicator/io/chart.h>
#include <replicator/io/event_writer.h>
#include <replicator/io/histogram.h>
#include <replicator/replicator.h>

#include <chrono>
#include <cstdio>
#include <mutex>

#include "common/program.h"

namespace rp = replicator;

namespace {

struct Flags {
  std::vector<std::string> policies = {"synchronous", "asynchronous", "bounded", "backup"};
  int groups = 4, slow_worker = 0, staleness_bound = 2, backup = 1;
  int64_t batch = 32, steps = 800, test_examples = 2000;
  double delay_ms = 8, slow_factor = 10, learning_rate = 0.1, momentum = 0;
  bool staleness_aware = false;
  uint64_t seed = 1;
  std::string data_dir = rp::data::kFashionMnistDirectory, record_order, replay_order, svg_dir, json, logdir;
};

struct Curve {
  std::string policy;
  std::vector<double> seconds, steps, losses;
  rp::AsyncStatistics statistics;
  double accuracy = 0, train_seconds = 0;
};

rp::AsyncPolicy PolicyOf(const std::string& name, const Flags& flags) {
  const rp::AsyncPolicy policy = name == "synchronous" ? rp::AsyncPolicy::StaleSynchronous(0)
                                 : name == "bounded"   ? rp::AsyncPolicy::StaleSynchronous(flags.staleness_bound)
                                 : name == "backup"    ? rp::AsyncPolicy::BackupWorkers(flags.groups - flags.backup)
                                                       : rp::AsyncPolicy::Unbounded();
  return flags.staleness_aware ? policy.WithStalenessAwareLearningRate() : policy;
}

double Now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

Curve Train(const std::string& name, const Flags& flags) {
  const auto delay = [&](int group, int64_t) {
    return 1e-3 * flags.delay_ms * (group == flags.slow_worker ? flags.slow_factor : 1);
  };
  rp::MultiWorkerAsyncReplicator repl({.num_sync_groups = flags.groups,
                                       .seed = flags.seed,
                                       .policy = PolicyOf(name, flags),
                                       .max_steps = flags.steps,
                                       .record_order = flags.record_order,
                                       .replay_order = flags.replay_order,
                                       .simulated_delay = delay});
  const auto scope = repl.Context();
  const rp::nn::Sequential model(
      {rp::nn::Flatten(), rp::nn::Dense({.units = 128}), rp::nn::Relu(), rp::nn::Dense({.units = 10})});
  const auto optimizer =
      repl.WrapOptimizer(rp::optim::Momentum({.learning_rate = flags.learning_rate, .momentum = flags.momentum}),
                         rp::optim::GradientReduction::kMean);
  const auto logits = [&](const rp::Batch& batch) {
    return model(rp::Convert(batch["image"], rp::DType::kF32) * (1.0 / 255));
  };
  const auto train_input = [&](const rp::InputContext& ctx) {
    return rp::data::FashionMnist(flags.data_dir, rp::data::Split::kTrain)
        .Shuffle(flags.seed)
        .Repeat()
        .Shard(ctx)
        .Batch(flags.batch)
        .Prefetch(2);
  };
  const auto train_step = [&](const rp::Batch& batch) {
    const rp::Tensor loss = rp::ReduceMean(rp::nn::SoftmaxCrossEntropy(logits(batch), batch["label"]));
    optimizer.Minimize(loss);
    return loss;
  };
  const rp::PerReplica loss = repl.Run(train_step, train_input);
  // Whoever evaluates sees every image: the input is not sharded.
  const auto test_input = [&](const rp::InputContext&) {
    return rp::data::FashionMnist(flags.data_dir, rp::data::Split::kTest)
        .Take(flags.test_examples)
        .Batch(100, {.remainder = rp::data::Remainder::kPadAndMask});
  };
  const auto test_step = [&](const rp::Batch& batch) {
    const rp::nn::Metric accuracy = rp::nn::Accuracy(logits(batch), batch["label"], batch["mask"]);
    return std::pair(accuracy.sum, accuracy.weight);
  };
  const auto [correct, counted] = repl.Run(test_step, test_input, {.mode = rp::Mode::kEval});

  rp::Session session;
  repl.Init(session);
  Curve curve{.policy = name};
  std::mutex mutex;
  const double start = Now();
  const auto on_step = [&](int, const rp::Fetched& result) {
    const auto value = result.Item<double>();
    const std::lock_guard lock(mutex);
    curve.seconds.push_back(Now() - start);
    curve.steps.push_back(static_cast<double>(curve.steps.size() + 1));
    curve.losses.push_back(value);
  };
  curve.statistics = repl.RunGroups(session, loss, {.on_step = on_step});
  curve.train_seconds = Now() - start;
  double sum = 0, weight = 0;
  try {
    while (true) {
      const auto batch = session.Run({correct, counted});
      sum += batch[0].Item<double>();
      weight += batch[1].Item<double>();
    }
  } catch (const rp::OutOfRange&) {
    // All test images have been seen.
  }
  curve.accuracy = sum / weight;
  if (!flags.logdir.empty()) {
    rp::io::EventWriter writer(flags.logdir + "/" + name);
    for (size_t i = 0; i < curve.losses.size(); ++i)
      writer.AddScalar("loss", static_cast<float>(curve.losses[i]), static_cast<int64_t>(i + 1));
    writer.AddHistogram("staleness", rp::io::HistogramOfCounts(curve.statistics.staleness), flags.steps);
    for (size_t g = 0; g < curve.statistics.groups.size(); ++g) {
      const std::string group = "group" + std::to_string(g) + "/";
      const rp::GroupStatistics& of_group = curve.statistics.groups[g];
      writer.AddScalar(group + "steps_per_second", static_cast<float>(of_group.steps_per_second), flags.steps);
      writer.AddScalar(group + "dropped", static_cast<float>(of_group.dropped), flags.steps);
      writer.AddScalar(group + "wait_seconds", static_cast<float>(of_group.wait_seconds), flags.steps);
    }
    writer.Flush();
  }
  return curve;
}

// The mean of each value and the ones before it, so that a picture shows the course and not the noise.
std::vector<double> Smoothed(const std::vector<double>& values) {
  std::vector<double> smooth;
  double mean = 0, weight = 0;
  for (double value : values) {
    mean = 0.97 * mean + 0.03 * value;
    weight = 0.97 * weight + 0.03;
    smooth.push_back(mean / weight);
  }
  return smooth;
}

void Draw(const std::string& directory, const std::vector<Curve>& curves) {
  std::vector<rp::io::Series> by_time, by_step, staleness;
  for (const Curve& curve : curves) {
    by_time.push_back({curve.policy, curve.seconds, Smoothed(curve.losses)});
    by_step.push_back({curve.policy, curve.steps, Smoothed(curve.losses)});
    rp::io::Series& bars = staleness.emplace_back(rp::io::Series{curve.policy, {}, {}});
    for (const auto& [value, times] : curve.statistics.staleness) {
      bars.x.push_back(static_cast<double>(value));
      bars.y.push_back(static_cast<double>(times));
    }
  }
  const auto write = [&](const std::string& name, const std::string& svg) {
    rp::io::WriteChart(directory + "/" + name, svg);
  };
  write("loss_by_time.svg", rp::io::LineChart(by_time, {.title = "Loss over time, one of the groups slow",
                                                        .x_title = "seconds",
                                                        .y_title = "training loss"}));
  write("loss_by_step.svg", rp::io::LineChart(by_step, {.title = "Loss over gradients, one of the groups slow",
                                                        .x_title = "gradients computed",
                                                        .y_title = "training loss"}));
  write("staleness.svg", rp::io::BarChart(staleness, {.title = "Staleness of the gradients that were applied",
                                                      .x_title = "updates between read and application",
                                                      .y_title = "gradients"}));
}

int Run(const Flags& flags) {
  std::vector<Curve> curves;
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const std::string& policy : flags.policies) {
    const Curve& curve = curves.emplace_back(Train(policy, flags));
    std::printf("%s: test accuracy %.4f, %.1f s, %.1f gradients/s\n%s\n", policy.c_str(), curve.accuracy,
                curve.train_seconds, curve.statistics.steps_per_second(), rp::ToString(curve.statistics).c_str());
    std::fflush(stdout);
    json.push_back({{"policy", policy},
                    {"test_accuracy", curve.accuracy},
                    {"train_seconds", curve.train_seconds},
                    {"updates", curve.statistics.updates},
                    {"gradients_per_second", curve.statistics.steps_per_second()},
                    {"mean_staleness", curve.statistics.mean_staleness()},
                    {"max_staleness", curve.statistics.max_staleness()},
                    {"dropped", curve.statistics.dropped()}});
  }
  if (!flags.svg_dir.empty()) Draw(flags.svg_dir, curves);
  if (!flags.json.empty()) examples::WriteJson(flags.json, json);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Fashion-MNIST with groups that wait for one another or not.", "async_sgd");
  Flags flags;
  app.add_option("--policy", flags.policies, "Which to train with, one after another")
      ->check(CLI::IsMember({"synchronous", "asynchronous", "bounded", "backup"}))
      ->capture_default_str();
  app.add_option("--groups", flags.groups, "Sync groups of one replica")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  app.add_option("--steps", flags.steps, "Updates of the variables")->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--batch", flags.batch, "Examples of a group's step")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--staleness-bound", flags.staleness_bound, "Clocks by which a group may be ahead, for 'bounded'")
      ->check(CLI::Range(0, 1000))
      ->capture_default_str();
  app.add_option("--backup", flags.backup, "Groups that an update does not wait for, for 'backup'")
      ->check(CLI::Range(0, 63))
      ->capture_default_str();
  app.add_option("--slow-worker", flags.slow_worker, "The group that is slow; -1: none")->capture_default_str();
  app.add_option("--slow-factor", flags.slow_factor, "How many times its delay is longer")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--delay-ms", flags.delay_ms, "Simulated delay of each gradient")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--learning-rate", flags.learning_rate)->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--momentum", flags.momentum, "Asynchrony adds to it: what is right for one is too much for many")
      ->check(CLI::Range(0.0, 0.999))
      ->capture_default_str();
  app.add_flag("--staleness-aware", flags.staleness_aware, "Divide the learning rate by the staleness");
  app.add_option("--test-examples", flags.test_examples)->check(CLI::Range(1, 10'000))->capture_default_str();
  app.add_option("--seed", flags.seed)->capture_default_str();
  app.add_option("--data-dir", flags.data_dir)->capture_default_str();
  app.add_option("--record-order", flags.record_order, "Write the order of reads and updates (one policy)");
  app.add_option("--replay-order", flags.replay_order, "Force a recorded order (one policy)");
  app.add_option("--svg-dir", flags.svg_dir, "Draw loss and staleness into this folder")->check(CLI::ExistingDirectory);
  app.add_option("--logdir", flags.logdir, "TensorBoard's events");
  app.add_option("--json", flags.json, "Write a summary")->check(examples::kWritableFile);
  app.footer(
      "Examples:\n"
      "  async_sgd --svg-dir /tmp\n"
      "  async_sgd --policy asynchronous --record-order order.jsonl\n"
      "  async_sgd --policy asynchronous --replay-order order.jsonl --slow-worker -1\n");
  return examples::Main(app, argc, argv, [&] {
    if (flags.policies.size() > 1 && !(flags.record_order.empty() && flags.replay_order.empty())) {
      throw rp::Error(rp::ErrorCode::kInvalidArgument, "an order is of one run; name one --policy");
    }
    if (flags.backup >= flags.groups) {
      throw rp::Error(rp::ErrorCode::kInvalidArgument, "--backup must be less than --groups");
    }
    return Run(flags);
  });
}
