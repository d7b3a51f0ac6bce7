// Trains a generative adversarial network on Fashion-MNIST over several replicas: two steps over the same variables,
// with an optimizer each.
#include <replicator/replicator.h>

#include <cstdio>

#include "common/program.h"
#include "gan/flags.h"
#include "gan/model.h"
#include "gan/samples.h"

namespace rp = replicator;

namespace {

using gan::Flags;

constexpr int64_t kTile = 100;  // images that the callable makes at once

// The first images of the test split.
gan::PixelStatistics RealStatistics(const Flags& flags) {
  const auto images = rp::data::FashionMnist(flags.data_dir, rp::data::Split::kTest)
                          .Take(flags.samples)
                          .Batch(kTile, {.remainder = rp::data::Remainder::kDrop});
  std::vector<rp::Literal> batches;
  auto iterator = images.MakeIterator();
  while (const auto batch = iterator.Next()) batches.push_back((*batch)["image"]);
  return gan::StatisticsOf(batches);
}

// The same images for the same values of the generator's variables, whatever was sampled before.
std::vector<rp::Literal> Sample(const rp::Callable& generate, int64_t count) {
  std::vector<rp::Literal> batches;
  for (int64_t i = 0; i < count / kTile; ++i) {
    batches.push_back(generate({}, {.random_key = static_cast<uint64_t>(i)})[0]);
  }
  return batches;
}

int Run(const Flags& flags) {
  rp::LocalReplicator repl(
      {.platform = flags.platform, .num_replicas = flags.replicas, .seed = flags.seed, .plugin_path = flags.plugin});
  const gan::PixelStatistics real = RealStatistics(flags);
  const auto scope = repl.Context();
  const auto images = repl.MakeInputIterator([&](const rp::InputContext& ctx) {
    return rp::data::FashionMnist(flags.data_dir, rp::data::Split::kTrain)
        .Shuffle(flags.seed)
        .Repeat()
        .Shard(ctx)
        .Batch(ctx.PerReplicaBatchSize(flags.global_batch))
        .Prefetch(2);
  });
  const gan::Gan model(repl, images,
                       {.latent = flags.latent,
                        .batch = flags.global_batch / flags.replicas,
                        .discriminator_rate = flags.discriminator_rate,
                        .generator_rate = flags.generator_rate});
  const rp::Fetch discriminator_loss = rp::ReduceMean(model.discriminator_loss());
  const rp::Fetch generator_loss = rp::ReduceMean(model.generator_loss());

  rp::MonitoredSession session({.checkpoint_dir = flags.checkpoint_dir,
                                .resume = flags.resume,
                                .logdir = flags.logdir,
                                .stop_at_step = flags.steps,
                                .step_counter = model.generator_optimizer().iterations(),
                                .progress = flags.quiet ? rp::Progress::kQuiet : rp::Progress::kAuto,
                                .examples_per_step = flags.global_batch * flags.discriminator_steps});
  session.AddScalar("discriminator", discriminator_loss);
  session.AddScalar("generator", generator_loss);
  repl.Init(session);
  const rp::Callable generate = session.MakeCallable([&] { return gan::ToGrey(model.Generate(kTile)); }, {});
  const double before = gan::Distance(gan::StatisticsOf(Sample(generate, flags.samples)), real);

  while (!session.ShouldStop()) {
    for (int64_t i = 0; i < flags.discriminator_steps; ++i) session.Run(discriminator_loss);
    session.Run(generator_loss);
  }
  session.Wait();
  const int64_t steps = session.step();
  if (session.interrupted()) {
    repl.Shutdown(session);
    return examples::kInterrupted;
  }

  const std::vector<rp::Literal> samples = Sample(generate, flags.samples);
  const double after = gan::Distance(gan::StatisticsOf(samples), real);
  session.WriteScalar("distance", after);
  repl.Shutdown(session);
  std::printf("generated images are %.1f grey levels from real ones, after %lld steps; it was %.1f before them\n",
              after, static_cast<long long>(steps), before);
  if (!flags.sheet.empty()) {
    constexpr int64_t kColumns = 10;
    gan::WriteSheet(flags.sheet, samples.front(), kColumns);
  }
  if (!flags.json.empty()) {
    examples::WriteJson(flags.json, {{"distance", after},
                                     {"distance_at_start", before},
                                     {"steps", steps},
                                     {"replicas", flags.replicas},
                                     {"sheet", flags.sheet},
                                     {"checkpoint", session.checkpoint_path()}});
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Trains a generative adversarial network on Fashion-MNIST over several replicas.", "gan");
  Flags flags;
  gan::AddFlags(app, flags);
  return examples::Main(app, argc, argv, [&] { return Run(flags); });
}
