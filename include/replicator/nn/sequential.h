// Layers one after another.
#pragma once

#include <functional>
#include <memory>
#include <type_traits>
#include <vector>

#include "replicator/nn/module.h"

namespace replicator::nn {

// Anything that can be called with an Operand and returns a Tensor: a module, an operation (replicator::Relu), a
// lambda.
class Layer {
 public:
  template <typename F,
            typename = std::enable_if_t<!std::is_base_of_v<Layer, std::decay_t<F>> &&
                                        std::is_invocable_r_v<Tensor, const std::decay_t<F>&, const Operand&>>>
  Layer(F&& function)  // NOLINT: implicit by design
      : call_([function](const Operand& x) -> Tensor { return function(x); }) {
    if constexpr (std::is_base_of_v<Module, std::decay_t<F>>) {
      module_ = std::make_shared<std::decay_t<F>>(function);
    }
  }

  Tensor operator()(const Operand& x) const { return call_(x); }
  const Module* module() const { return module_.get(); }  // null for a function

 private:
  std::function<Tensor(const Operand&)> call_;
  std::shared_ptr<const Module> module_;
};

struct SequentialOptions {
  std::string name = {};
};

// Calls the layers in order, each with the result of the one before; without layers it returns its input. Modules
// among them become its parts, under their own .name or else their place in the list: "0", "1", ... Constructing it
// throws as Module::Add does.
class Sequential : public Module {
 public:
  explicit Sequential(std::vector<Layer> layers, SequentialOptions options = {});
  Tensor operator()(const Operand& x) const;

 private:
  std::vector<Layer> layers_;
};

}  // namespace replicator::nn
