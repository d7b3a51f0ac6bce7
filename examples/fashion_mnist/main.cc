// Trains a convolutional network on Fashion-MNIST over several replicas, and evaluates it on every test image.
#include <replicator/replicator.h>

#include <chrono>
#include <cstdio>

#include "common/program.h"
#include "fashion_mnist/flags.h"
#include "fashion_mnist/model.h"

namespace rp = replicator;

namespace {

using fashion_mnist::Flags;

double Now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

rp::data::Dataset Read(const Flags& flags, rp::data::Split split, int64_t examples) {
  const rp::data::Dataset dataset = rp::data::FashionMnist(flags.data_dir, split);
  return examples > 0 ? dataset.Take(examples) : dataset;
}

int Run(const Flags& flags) {
  rp::LocalReplicator repl(
      {.platform = flags.platform, .num_replicas = flags.replicas, .seed = flags.seed, .plugin_path = flags.plugin});
  const auto train_data = Read(flags, rp::data::Split::kTrain, flags.train_examples);
  const auto test_data = Read(flags, rp::data::Split::kTest, flags.test_examples);
  const int64_t steps = flags.steps > 0 ? flags.steps : (flags.epochs * *train_data.Size()) / flags.global_batch;

  auto scope = repl.Context();
  const fashion_mnist::Cnn model(rp::DTypeFromString(flags.dtype));
  const auto optimizer =
      repl.WrapOptimizer(fashion_mnist::MakeOptimizer(flags, steps), rp::optim::GradientReduction::kMean);

  // Training: each replica's share of the global batch.
  const auto train_input = [&](const rp::InputContext& ctx) {
    return train_data.Shuffle(flags.seed)
        .Repeat()
        .Shard(ctx)
        .Batch(ctx.PerReplicaBatchSize(flags.global_batch))
        .Prefetch(2);
  };
  const auto train_step = [&](const rp::Batch& batch) {
    const rp::Tensor loss = rp::ReduceMean(rp::nn::SoftmaxCrossEntropy(model(batch["image"]), batch["label"]));
    optimizer.Minimize(loss);
    return loss;
  };
  const rp::Fetch loss = rp::ReduceMean(repl.Run(train_step, train_input));

  // Evaluation: the last batch is padded, and the padding is not counted.
  auto test_input = repl.MakeInputIterator([&](const rp::InputContext& ctx) {
    return test_data.Shard(ctx).Batch(ctx.PerReplicaBatchSize(flags.global_batch),
                                      {.remainder = rp::data::Remainder::kPadAndMask});
  });
  const auto test_step = [&](const rp::Batch& batch) {
    const rp::nn::Metric accuracy = rp::nn::Accuracy(model(batch["image"]), batch["label"], batch["mask"]);
    return std::pair(accuracy.sum, accuracy.weight);
  };
  const auto [correct, counted] = repl.Run(test_step, test_input, {.mode = rp::Mode::kEval});

  rp::MonitoredSession session({.checkpoint_dir = flags.checkpoint_dir,
                                .save_every_steps = flags.save_every_steps,
                                .resume = flags.resume,
                                .logdir = flags.logdir,
                                .stop_at_step = steps,
                                .step_counter = optimizer.iterations(),
                                .progress = flags.quiet ? rp::Progress::kQuiet : rp::Progress::kAuto});
  session.AddScalar("loss", loss);
  repl.Init(session);
  const int64_t first_step = session.step();
  const double start = Now();
  while (!session.ShouldStop()) session.Run(loss);
  session.Wait();
  const double train_seconds = Now() - start;
  const auto trained = static_cast<double>((session.step() - first_step) * flags.global_batch);

  if (session.interrupted()) {
    repl.Shutdown(session);
    return examples::kInterrupted;
  }

  const std::vector<rp::Fetch> sums = {rp::ReduceSum(correct), rp::ReduceSum(counted)};
  double total_correct = 0, total = 0;
  try {
    for (test_input.Initialize();;) {
      const auto batch = session.Run(sums);
      total_correct += batch[0].Item<double>();
      total += batch[1].Item<double>();
    }
  } catch (const rp::OutOfRange&) {
    // All test images have been seen.
  }
  const double accuracy = total_correct / total;
  session.WriteScalar("test_accuracy", accuracy);
  repl.Shutdown(session);

  std::printf("test accuracy %.4f on %.0f images, after %lld steps\n", accuracy, total,
              static_cast<long long>(session.step()));
  if (!flags.json.empty()) {
    examples::WriteJson(flags.json, {{"test_accuracy", accuracy},
                                     {"test_examples", static_cast<int64_t>(total)},
                                     {"replicas", flags.replicas},
                                     {"steps", session.step()},
                                     {"train_seconds", train_seconds},
                                     {"examples_per_second", trained / train_seconds},
                                     {"checkpoint", session.checkpoint_path()},
                                     {"logdir", flags.logdir}});
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Trains a convolutional network on Fashion-MNIST over several replicas.", "fashion_mnist");
  Flags flags;
  fashion_mnist::AddFlags(app, flags);
  return examples::Main(app, argc, argv, [&] { return Run(flags); });
}
