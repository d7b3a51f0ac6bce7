#include "replicator/nn/sequential.h"

namespace replicator::nn {

Sequential::Sequential(std::vector<Layer> layers, SequentialOptions options)
    : Module(std::move(options.name)), layers_(std::move(layers)) {
  for (size_t i = 0; i < layers_.size(); ++i) {
    const Module* module = layers_[i].module();
    if (module == nullptr) continue;
    Adopt(module->given_name().empty() ? std::to_string(i) : module->given_name(), *module);
  }
}

Tensor Sequential::operator()(const Operand& x) const {
  Scope scope(*this, x.where());
  Tensor y = x.tensor();
  for (const Layer& layer : layers_) y = layer(Operand(y, x.where()));
  return y;
}

}  // namespace replicator::nn
