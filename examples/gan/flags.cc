#include "gan/flags.h"

#include "common/program.h"

namespace gan {
namespace {

namespace rp = replicator;

constexpr char kExamples[] = R"(
Examples:
  gan                                                  two CPU replicas, a few minutes
  gan --steps 20000 --sheet clothes.pgm                longer, and a sheet of 100 generated images to look at
  gan --discriminator-steps 2 --generator-rate 4e-4    two steps of the discriminator for each of the generator
  gan --checkpoint-dir run1 --resume                   go on where that run was interrupted
)";

}  // namespace

void AddFlags(CLI::App& app, Flags& flags) {
  const CLI::Range positive(int64_t{1}, int64_t{1} << 40);
  app.footer(kExamples);
  app.option_defaults()->always_capture_default()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.add_option("--platform", flags.platform, "what to run on: cpu, cuda, rocm, tpu");
  app.add_option("--plugin", flags.plugin, "the platform's PJRT plugin, where it is not to be searched for");
  app.add_option("--replicas", flags.replicas, "one per device")->check(CLI::Range(1, 65536));
  app.add_option("--global-batch", flags.global_batch, "real images per step, over all replicas")->check(positive);
  app.add_option("--steps", flags.steps, "of the generator")->check(positive);
  app.add_option("--discriminator-steps", flags.discriminator_steps, "for each step of the generator")->check(positive);
  app.add_option("--latent", flags.latent, "numbers from which an image is made")->check(positive);
  app.add_option("--discriminator-rate", flags.discriminator_rate, "the discriminator's learning rate")
      ->check(CLI::PositiveNumber);
  app.add_option("--generator-rate", flags.generator_rate, "the generator's learning rate")->check(CLI::PositiveNumber);
  app.add_option("--seed", flags.seed, "of initial values, noise and the order of images");
  app.add_option("--data-dir", flags.data_dir, "where the four files of Fashion-MNIST are");
  app.add_option("--samples", flags.samples, "images generated in the end, to be compared with as many real ones")
      ->check(CLI::Range(int64_t{100}, int64_t{10'000}));
  app.add_option("--sheet", flags.sheet, "where a sheet of 100 of them goes, as PGM")->check(examples::kWritableFile);
  app.add_option("--logdir", flags.logdir, "where scalars for TensorBoard go");
  app.add_option("--checkpoint-dir", flags.checkpoint_dir, "where checkpoints go");
  app.add_flag("--resume", flags.resume, "continue from the newest checkpoint, if there is one");
  app.add_option("--json", flags.json, "where a summary goes")->check(examples::kWritableFile);
  app.add_flag("--quiet", flags.quiet, "show no progress");
  app.final_callback([&flags] {
    try {
      rp::InputContext::ForPipeline(0, 1, flags.replicas).PerReplicaBatchSize(flags.global_batch);
    } catch (const rp::Error& error) {
      throw CLI::ValidationError("--global-batch", error.message());
    }
    if (flags.resume && flags.checkpoint_dir.empty()) {
      throw CLI::ValidationError("--resume", "needs --checkpoint-dir, to know from where");
    }
  });
}

}  // namespace gan
