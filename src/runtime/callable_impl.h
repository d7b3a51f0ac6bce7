// What a Callable shares: its compiled program, and how its parameters are bound.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "pjrt/executable.h"
#include "replicate/program.h"
#include "replicator/runtime/callable.h"
#include "runtime/engine.h"

namespace replicator {

// Thread-safe.
class Callable::Impl {
 public:
  // `program` has no updates; its inputs are named by InputName.
  Impl(std::shared_ptr<Engine> engine, Program program, std::vector<Shape> inputs, const CallableOptions& options);

  bool replicated() const { return replicated_; }
  const std::vector<Shape>& inputs() const { return inputs_; }
  const std::vector<Shape>& outputs() const { return outputs_; }
  std::string name() const { return "the callable built at " + ToString(program_.where); }

  // [replica][result]; `inputs` is [replica][input], with one replica where it is not replicated.
  std::vector<std::vector<Literal>> Call(const std::vector<std::vector<Literal>>& inputs, const CallOptions& options);

  // Of the i-th input, as the program knows it.
  static std::string InputName(size_t i) { return "input " + std::to_string(i); }

 private:
  // Which of its kind a parameter is: variables_ and inputs_; there is one key.
  struct Binding {
    ProgramParameter::Kind kind;
    size_t index;
  };

  void Check(const std::vector<std::vector<Literal>>& inputs) const;
  std::vector<std::vector<Literal>> Run(const std::vector<std::vector<Literal>>& inputs, const CallOptions& options);
  uint64_t Key(const CallOptions& options);

  const std::shared_ptr<Engine> engine_;
  const Program program_;
  const std::vector<Shape> inputs_;
  const bool replicated_;
  std::vector<Shape> outputs_;
  std::vector<int> replicas_;  // whose values are read
  std::vector<std::shared_ptr<const VariableDef>> variables_;
  std::vector<Binding> bindings_;  // as program_.parameters
  CompiledCallable compiled_;
  std::atomic<uint64_t> calls_{0};
};

}  // namespace replicator
