#include "gan/model.h"

namespace gan {
namespace {

namespace rp = replicator;

rp::Tensor LeakyRelu(const rp::Tensor& x) { return rp::Maximum(x, x * 0.2); }

// The mean loss of calling these images real (or not).
rp::Tensor Loss(const rp::Tensor& logits, bool real) {
  return rp::ReduceMean(rp::nn::BinaryCrossEntropy(logits, real ? rp::OnesLike(logits) : rp::ZerosLike(logits)));
}

rp::optim::Optimizer Adam(rp::Replicator& replicator, double rate, const std::string& name) {
  return replicator.WrapOptimizer(rp::optim::Adam({.learning_rate = rate, .beta1 = 0.5, .name = name}),
                                  rp::optim::GradientReduction::kMean);
}

}  // namespace

rp::Tensor Generator::operator()(const rp::Operand& noise) const {
  const Scope scope(*this, noise.where());
  return rp::Tanh(pixels_(rp::Relu(hidden2_(rp::Relu(hidden1_(noise))))));
}

rp::Tensor Discriminator::operator()(const rp::Operand& images) const {
  const Scope scope(*this, images.where());
  rp::Tensor x = dropout1_(LeakyRelu(hidden1_(images)));
  x = dropout2_(LeakyRelu(hidden2_(x)));
  return logit_(x);
}

rp::Tensor ToUnit(const rp::Tensor& images) {
  return rp::Convert(rp::Flatten(images), rp::DType::kF32) * (2.0 / 255) - 1.0;
}

rp::Tensor ToGrey(const rp::Tensor& images) {
  return rp::Convert(rp::Floor((images + 1.0) * (255.0 / 2) + 0.5), rp::DType::kU8);
}

Gan::Gan(rp::Replicator& replicator, const rp::InputIterator& real, const GanOptions& options)
    : replicator_(replicator),
      options_(options),
      discriminator_optimizer_(Adam(replicator, options.discriminator_rate, "adam_discriminator")),
      generator_optimizer_(Adam(replicator, options.generator_rate, "adam_generator")) {
  discriminator_loss_ = replicator.Run(
      [this](const rp::Batch& batch) {
        const rp::Tensor fake = rp::StopGradient(Generate(options_.batch));
        const rp::Tensor loss = Loss(discriminator_(ToUnit(batch["image"])), true) + Loss(discriminator_(fake), false);
        discriminator_optimizer_.Minimize(loss, {.var_list = Under("discriminator/")});
        return loss;
      },
      real);
  generator_loss_ = replicator.Run([this] {
    const rp::Tensor loss = Loss(discriminator_(Generate(options_.batch)), true);
    generator_optimizer_.Minimize(loss, {.var_list = Under("generator/")});
    return loss;
  });
}

rp::Tensor Gan::Generate(int64_t count) const {
  return generator_(rp::RandomNormal({rp::DType::kF32, {count, options_.latent}}));
}

std::vector<rp::Variable> Gan::Under(const std::string& path) const {
  std::vector<rp::Variable> variables;
  for (const rp::Variable& variable : replicator_.Variables()) {
    if (variable.name().starts_with(path)) variables.push_back(variable);
  }
  return variables;
}

}  // namespace gan
