#include "fashion_mnist/flags.h"

#include <functional>
#include <map>

#include "common/program.h"

namespace fashion_mnist {
namespace {

namespace rp = replicator;

struct Rule {
  double learning_rate;
  std::function<rp::optim::Optimizer(const rp::optim::LearningRate&)> make;
};

const std::map<std::string, Rule>& Rules() {
  static const std::map<std::string, Rule> rules = {
      {"sgd", {0.1, [](const auto& rate) { return rp::optim::Sgd({.learning_rate = rate}); }}},
      {"momentum", {0.02, [](const auto& rate) { return rp::optim::Momentum({.learning_rate = rate}); }}},
      {"adam", {1e-3, [](const auto& rate) { return rp::optim::Adam({.learning_rate = rate}); }}},
  };
  return rules;
}

constexpr char kExamples[] = R"(
Examples:
  fashion_mnist                                            four epochs on four CPU replicas
  fashion_mnist --platform cuda --replicas 8 --global-batch 1024 --learning-rate 5e-3
  fashion_mnist --checkpoint-dir run1 --logdir run1/logs   keep checkpoints, and scalars for TensorBoard
  fashion_mnist --checkpoint-dir run1 --resume             go on where that run was interrupted
)";

}  // namespace

void AddFlags(CLI::App& app, Flags& flags) {
  const CLI::Range positive(int64_t{1}, int64_t{1} << 40);
  const CLI::Range not_negative(int64_t{0}, int64_t{1} << 40);
  app.footer(kExamples);
  app.option_defaults()->always_capture_default()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.add_option("--platform", flags.platform, "what to run on: cpu, cuda, rocm, tpu");
  app.add_option("--plugin", flags.plugin, "the platform's PJRT plugin, where it is not to be searched for");
  app.add_option("--replicas", flags.replicas, "one per device")->check(CLI::Range(1, 65536));
  app.add_option("--global-batch", flags.global_batch, "examples per step, over all replicas")->check(positive);
  app.add_option("--epochs", flags.epochs, "sweeps over the training examples")->check(positive);
  app.add_option("--steps", flags.steps, "steps, instead of epochs")->check(positive)->capture_default_str();
  std::vector<std::string> optimizers;
  for (const auto& [name, rule] : Rules()) optimizers.push_back(name);
  app.add_option("--optimizer", flags.optimizer, "how parameters are updated")->check(CLI::IsMember(optimizers));
  app.add_option("--learning-rate", flags.learning_rate, "the first one [0.1 for sgd, 0.02 momentum, 0.001 adam]")
      ->check(CLI::PositiveNumber)
      ->default_str("");
  app.add_option("--dtype", flags.dtype, "of the parameters")->check(CLI::IsMember({"f32", "f64", "bf16", "f16"}));
  app.add_option("--seed", flags.seed, "of initial values, dropout and the order of examples");
  app.add_option("--data-dir", flags.data_dir, "where the four files of Fashion-MNIST are");
  app.add_option("--train-examples", flags.train_examples, "use only so many; 0: all")->check(not_negative);
  app.add_option("--test-examples", flags.test_examples, "use only so many; 0: all")->check(not_negative);
  app.add_option("--logdir", flags.logdir, "where scalars for TensorBoard go");
  app.add_option("--checkpoint-dir", flags.checkpoint_dir, "where checkpoints go");
  app.add_flag("--resume", flags.resume, "continue from the newest checkpoint, if there is one");
  app.add_option("--save-every", flags.save_every_steps, "steps between checkpoints; 0: every ten minutes")
      ->check(not_negative);
  app.add_option("--json", flags.json, "where a summary goes")->check(examples::kWritableFile);
  app.add_flag("--quiet", flags.quiet, "show no progress");
  app.final_callback([&flags] {
    try {
      rp::InputContext{.num_replicas_in_sync = flags.replicas, .num_replicas_in_pipeline = flags.replicas}
          .PerReplicaBatchSize(flags.global_batch);
    } catch (const rp::Error& error) {
      throw CLI::ValidationError("--global-batch", error.message());
    }
    if (flags.resume && flags.checkpoint_dir.empty()) {
      throw CLI::ValidationError("--resume", "needs --checkpoint-dir, to know from where");
    }
  });
}

rp::optim::Optimizer MakeOptimizer(const Flags& flags, int64_t steps) {
  const Rule& rule = Rules().at(flags.optimizer);
  const double first = flags.learning_rate > 0 ? flags.learning_rate : rule.learning_rate;
  return rule.make(rp::optim::CosineDecay({.initial_value = first, .decay_steps = steps}));
}

}  // namespace fashion_mnist
