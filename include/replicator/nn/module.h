// What every layer and model is: a named, shared handle on variables.
//
//   class Cnn : public nn::Module {
//    public:
//     Tensor operator()(const Operand& x) const {
//       Scope scope(*this, x.where());
//       return logits_(hidden_(nn::Flatten()(pool_(Relu(conv_(x))))));
//     }
//
//    private:
//     nn::Conv2D conv_ = Add("conv", nn::Conv2D({.filters = 32}));
//     nn::MaxPool2D pool_ = Add("pool", nn::MaxPool2D());
//     nn::Dense hidden_ = Add("hidden", nn::Dense({.units = 128}));
//     nn::Dense logits_ = Add("logits", nn::Dense({.units = 10}));
//   };
#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include "replicator/graph/variable.h"

namespace replicator::nn {

struct ParameterOptions {
  bool trainable = true;
  Aggregation aggregation = Aggregation::kNone;
};

// Copies of a module are the same module: they share variables, which is what capturing one by value (`[=]`) means. One
// module serves many steps (training, evaluation) and all replicas; its first call, in replica 0, infers shapes and
// declares the variables.
//
// A module's path names its variables and is part of the key of its random draws. It is the path of its parent (see
// Add) and its own name; a module without parent has the name that it was given or else that of its type in snake case:
// "cnn/conv". The path is fixed by the first call. Two modules of one path in one step, or two variables of one name in
// a replicator, are an error that names both lines; a name never gets a silent suffix.
//
// Not thread-safe, as building a step is single-threaded.
class Module {
 public:
  virtual ~Module() = default;

  // Fixes and returns the path.
  const std::string& path() const;
  // The name that it was given; empty if none.
  const std::string& given_name() const;

 protected:
  // Names consist of letters, digits, '_', '-' and '.'; an empty one means: not named. Throws Error(kInvalidArgument).
  explicit Module(std::string name = {});
  Module(const Module&) = default;
  Module& operator=(const Module&) = default;

  // Makes `child` a part of this module under `name` and returns it. Throws Error: kAlreadyExists if a part has that
  // name, kInvalidArgument if the child has another name or another parent or has been called before.
  template <typename M>
  M Add(std::string name, M child) {
    static_assert(std::is_base_of_v<Module, M>, "a part of a module is a module");
    Adopt(std::move(name), child);
    return child;
  }
  void Adopt(std::string name, const Module& child);

  // The variable "<path>/<name>", declared at the first call. Throws GraphError, with the lines of both calls, if it
  // was declared with another dtype or shape: then the module's input has changed.
  Variable Parameter(const std::string& name, const Shape& shape, const Initializer& initializer,
                     const ParameterOptions& options = {}, SourceLocation where = SourceLocation::current()) const;

  // Begins a call: while it lives, the module's path is the name scope, and errors name `where`, which should be the
  // caller's line, as the user's line. Throws Error(kAlreadyExists) if another module of this path was called in this
  // step.
  class Scope {
   public:
    Scope(const Module& module, SourceLocation where);

   private:
    CallSite site_;
    NameScope scope_;
  };
  // The same for a module that has neither variables nor random draws, so that two of one path do no harm.
  class StatelessScope {
   public:
    StatelessScope(const Module& module, SourceLocation where)
        : site_(where), scope_(NameScope::Absolute(module.path())) {}

   private:
    CallSite site_;
    NameScope scope_;
  };

 private:
  struct State;

  // The dynamic type names the module; known in full only after construction, and good enough during it.
  void NoteType() const;
  static const std::string& Resolve(State& state);

  std::shared_ptr<State> state_;
};

// "Conv2D" -> "conv2d", "BatchNorm" -> "batch_norm", "HTTPServer" -> "http_server"; namespaces and template arguments
// are left out.
std::string SnakeCaseTypeName(const std::type_info& type);

}  // namespace replicator::nn
