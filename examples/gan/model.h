// The two networks of a generative adversarial network, and the two steps that train them.
#pragma once

#include <replicator/replicator.h>

#include <string>
#include <vector>

namespace gan {

inline constexpr int64_t kSide = 28, kPixels = kSide * kSide;

// Noise [N, latent] to images [N, 784] in (-1, 1).
class Generator : public replicator::nn::Module {
 public:
  Generator() : Module("generator") {}
  replicator::Tensor operator()(const replicator::Operand& noise) const;

 private:
  replicator::nn::Dense hidden1_ = Add("hidden1", replicator::nn::Dense({.units = 256}));
  replicator::nn::Dense hidden2_ = Add("hidden2", replicator::nn::Dense({.units = 256}));
  replicator::nn::Dense pixels_ = Add("pixels", replicator::nn::Dense({.units = kPixels}));
};

// Images [N, 784] to logits [N, 1]: positive for those it takes to be real.
class Discriminator : public replicator::nn::Module {
 public:
  Discriminator() : Module("discriminator") {}
  replicator::Tensor operator()(const replicator::Operand& images) const;

 private:
  replicator::nn::Dense hidden1_ = Add("hidden1", replicator::nn::Dense({.units = 256}));
  replicator::nn::Dropout dropout1_ = Add("dropout1", replicator::nn::Dropout({.rate = 0.3}));
  replicator::nn::Dense hidden2_ = Add("hidden2", replicator::nn::Dense({.units = 128}));
  replicator::nn::Dropout dropout2_ = Add("dropout2", replicator::nn::Dropout({.rate = 0.3}));
  replicator::nn::Dense logit_ = Add("logit", replicator::nn::Dense({.units = 1}));
};

// u8 [N, 28, 28, 1], as in the data set, to [N, 784] in [-1, 1]; and back, to u8 [N, 784].
replicator::Tensor ToUnit(const replicator::Tensor& images);
replicator::Tensor ToGrey(const replicator::Tensor& images);

struct GanOptions {
  int64_t latent = 64;
  int64_t batch = 32;  // generated images of one replica, in each step
  double discriminator_rate = 4e-4, generator_rate = 2e-4;
};

// Goodfellow et al., "Generative adversarial nets", NeurIPS 2014, with the generator's loss that does not saturate
// (section 3), and a learning rate for each network (Heusel et al., "GANs trained by a two time-scale update rule
// converge to a local Nash equilibrium", NeurIPS 2017). Each step updates one of the networks and leaves the other as
// it is.
class Gan {
 public:
  // Builds both steps; `real` gives the component "image".
  Gan(replicator::Replicator& replicator, const replicator::InputIterator& real, const GanOptions& options);

  const replicator::PerReplica& discriminator_loss() const { return discriminator_loss_; }
  const replicator::PerReplica& generator_loss() const { return generator_loss_; }
  const replicator::optim::Optimizer& generator_optimizer() const { return generator_optimizer_; }

  // `count` new images, in the graph being built.
  replicator::Tensor Generate(int64_t count) const;

 private:
  std::vector<replicator::Variable> Under(const std::string& path) const;

  replicator::Replicator& replicator_;
  const GanOptions options_;
  Generator generator_;
  Discriminator discriminator_;
  replicator::optim::Optimizer discriminator_optimizer_, generator_optimizer_;
  replicator::PerReplica discriminator_loss_, generator_loss_;
};

}  // namespace gan
