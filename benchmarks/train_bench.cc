#include <memory>

#include "peer_process.h"
#include "pjrt/plugin_search.h"
#include "platforms/platform.h"
#include "replicator/replicator.h"
#include "sections.h"

namespace replicator::bench {
namespace {

constexpr int64_t kBatch = 128;

// The networks that the peers in peers/ train too.
nn::Sequential Model(const std::string& name) {
  if (name == "mlp") {
    return nn::Sequential({nn::Flatten(), nn::Dense({.units = 512}), nn::Relu(), nn::Dense({.units = 512}), nn::Relu(),
                           nn::Dense({.units = 10})});
  }
  return nn::Sequential({nn::Conv2D({.filters = 32, .padding = Padding::Same()}), nn::Relu(),
                         nn::Conv2D({.filters = 64, .padding = Padding::Same()}), nn::Relu(), nn::MaxPool2D(),
                         nn::Flatten(), nn::Dense({.units = 128}), nn::Relu(), nn::Dense({.units = 10})});
}

class Trainer {
 public:
  explicit Trainer(const std::string& name) : repl_({.num_replicas = 1}) {
    const auto scope = repl_.Context();
    const nn::Sequential model = Model(name);
    const optim::Optimizer optimizer =
        repl_.WrapOptimizer(optim::Sgd({.learning_rate = 0.01}), optim::GradientReduction::kMean);
    Literal images{Shape{DType::kF32, {kBatch, 28, 28, 1}}}, labels{Shape{DType::kI32, {kBatch}}};
    uint32_t state = 1;
    for (float& pixel : images.mutable_data<float>()) {
      state = state * 1664525u + 1013904223u;
      pixel = static_cast<float>(state >> 8) / 16777216.0f;
    }
    for (int64_t i = 0; i < kBatch; ++i)
      labels.mutable_data<int32_t>()[static_cast<size_t>(i)] = static_cast<int32_t>(i % 10);
    const data::Dataset examples = data::Dataset::FromTensors({{"image", images}, {"label", labels}});
    step_ = repl_.Run(
        [=](const Batch& batch) {
          const Tensor loss = ReduceMean(nn::SoftmaxCrossEntropy(model(batch["image"]), batch["label"]));
          optimizer.Minimize(loss);
          return loss;
        },
        [=](const InputContext& ctx) {
          return examples.Repeat().Shard(ctx).Batch(ctx.PerReplicaBatchSize(kBatch)).Prefetch(2);
        });
    repl_.Init(session_);
    Run(2);
  }

  double Run(int steps) {
    return SecondsOf([&] {
      for (int i = 0; i < steps; ++i) session_.Run(step_);
      session_.Wait();
    });
  }

 private:
  LocalReplicator repl_;
  Session session_;
  PerReplica step_;
};

struct Peer {
  std::string name, script;
  double limit;
  bool same_plugin;
};
const Peer kPeers[] = {{"JAX on the same plugin", "jax_peer.py", 1.05, true},
                       {"jaxlib", "jax_peer.py", 1.1, false},
                       {"TensorFlow", "tensorflow_peer.py", 1.1, false},
                       {"PyTorch", "torch_peer.py", 1.1, false}};

std::unique_ptr<PeerProcess> Start(const Peer& peer, const std::string& model, const Options& options) {
  std::map<std::string, std::string> environment = {{"LD_PRELOAD", "libtcmalloc_minimal.so.4"},
                                                    {"TF_CPP_MIN_LOG_LEVEL", "3"}};
  environment["JAX_PLATFORMS"] = peer.same_plugin ? "replicator_cpu" : "cpu";
  if (peer.same_plugin) {
    const std::string plugin = platforms::LoadPlugin(platforms::FindPlatform("cpu"), "").path();
    environment["PJRT_NAMES_AND_LIBRARY_PATHS"] = "replicator_cpu:" + plugin;
  }
  std::unique_ptr<PeerProcess> process;
  for (const std::string& interpreter : options.interpreters) {
    if (interpreter.empty()) continue;
    process = std::make_unique<PeerProcess>(
        std::vector<std::string>{interpreter, std::string(REPLICATOR_PEERS) + "/" + peer.script, model}, environment);
    if (process->missing().empty()) break;
  }
  return process;
}

}  // namespace

std::vector<Ratio> TrainRatios(const Options& options) {
  std::vector<Ratio> results;
  for (const std::string model : {"cnn", "mlp"}) {
    Trainer ours(model);
    for (const Peer& peer : kPeers) {
      Ratio what{.name = "training step, " + model + ", batch 128", .against = peer.name, .limit = peer.limit};
      const std::unique_ptr<PeerProcess> process = Start(peer, model, options);
      if (process == nullptr || !process->missing().empty()) {
        what.missing = process == nullptr ? "no interpreter given" : process->missing();
      } else {
        const int steps = model == "cnn" ? 3 : 20;
        what =
            Compare(what, options.pairs, steps, [&] { return ours.Run(steps); }, [&] { return process->Run(steps); });
      }
      results.push_back(what);
      Print(results.back());
    }
  }
  return results;
}

}  // namespace replicator::bench
