#include "replicator/runtime/callable.h"

#include <array>
#include <utility>

#include "base/hash.h"
#include "pjrt/client.h"
#include "replicator/base/error.h"
#include "runtime/callable_impl.h"
#include "runtime/variable_snapshot.h"

namespace replicator {
namespace {

const Shape kKeyShape{DType::kU32, {2}};

Callable::Impl& Defined(const std::shared_ptr<Callable::Impl>& impl) {
  if (impl != nullptr) return *impl;
  throw Error(ErrorCode::kFailedPrecondition, "this Callable is undefined; Session::MakeCallable returns defined ones");
}

}  // namespace

std::vector<Literal> Callable::operator()(const std::vector<Literal>& inputs, const CallOptions& options) const {
  Impl& impl = Defined(impl_);
  if (impl.replicated()) {
    throw Error(ErrorCode::kInvalidArgument,
                impl.name() + " is replicated: it takes one list of inputs for each replica; use CallReplicas");
  }
  return std::move(impl.Call({inputs}, options)[0]);
}

std::vector<std::vector<Literal>> Callable::CallReplicas(const std::vector<std::vector<Literal>>& inputs,
                                                         const CallOptions& options) const {
  Impl& impl = Defined(impl_);
  if (!impl.replicated()) {
    throw Error(ErrorCode::kInvalidArgument, impl.name() + " is not replicated: call it with one list of inputs");
  }
  return impl.Call(inputs, options);
}

const std::vector<Shape>& Callable::inputs() const { return Defined(impl_).inputs(); }
const std::vector<Shape>& Callable::outputs() const { return Defined(impl_).outputs(); }

Callable::Impl::Impl(std::shared_ptr<Engine> engine, Program program, std::vector<Shape> inputs,
                     const CallableOptions& options)
    : engine_(std::move(engine)),
      program_(std::move(program)),
      inputs_(std::move(inputs)),
      replicated_(options.replicated) {
  for (const ProgramOutput& output : program_.outputs) outputs_.push_back(output.shape);
  if (!replicated_) replicas_.push_back(options.replica);
  for (int r = 0; replicated_ && r < engine_->num_replicas(); ++r) replicas_.push_back(r);
  for (const ProgramParameter& parameter : program_.parameters) {
    Binding& binding = bindings_.emplace_back(Binding{parameter.kind, 0});
    switch (parameter.kind) {
      case ProgramParameter::Kind::kVariable:
        binding.index = variables_.size();
        variables_.push_back(parameter.variable);
        break;
      case ProgramParameter::Kind::kInput:
        while (InputName(binding.index) != parameter.name) ++binding.index;
        break;
      case ProgramParameter::Kind::kStepKey:
        break;
    }
  }
  compiled_ = engine_->AddCallable(program_, options.replica);
}

void Callable::Impl::Check(const std::vector<std::vector<Literal>>& inputs) const {
  const auto refuse = [&](const std::string& what) {
    throw Error(ErrorCode::kInvalidArgument, name() + " " + what, {program_.where});
  };
  if (inputs.size() != replicas_.size()) {
    refuse("runs on " + std::to_string(replicas_.size()) + " replicas, but was given inputs for " +
           std::to_string(inputs.size()));
  }
  for (size_t r = 0; r < inputs.size(); ++r) {
    if (inputs[r].size() != inputs_.size()) {
      refuse("takes " + std::to_string(inputs_.size()) + " inputs, but was given " + std::to_string(inputs[r].size()));
    }
    for (size_t i = 0; i < inputs_.size(); ++i) {
      if (inputs[r][i].shape() == inputs_[i]) continue;
      refuse("takes " + ToString(inputs_[i]) + " as its input " + std::to_string(i) + ", but was given " +
             ToString(inputs[r][i].shape()) + (replicated_ ? " for replica " + std::to_string(r) : std::string()));
    }
  }
}

std::vector<std::vector<Literal>> Callable::Impl::Call(const std::vector<std::vector<Literal>>& inputs,
                                                       const CallOptions& options) {
  Check(inputs);
  try {
    return Run(inputs, options);
  } catch (const Error& error) {
    std::vector<SourceLocation> where = {program_.where};
    where.insert(where.end(), error.where().begin(), error.where().end());
    throw Error(error.code(), "a call of " + name() + " failed: " + error.message(), std::move(where));
  }
}

// Distinct for each (seed, callable, key or number of the call), and from those of steps.
uint64_t Callable::Impl::Key(const CallOptions& options) {
  const uint64_t callable = HashCombine(HashCombine(HashString("callable"), engine_->options().seed),
                                        static_cast<uint64_t>(compiled_.number));
  if (options.random_key.has_value()) return HashCombine(HashString("key", callable), *options.random_key);
  return HashCombine(HashString("call", callable), calls_++);
}

std::vector<std::vector<Literal>> Callable::Impl::Run(const std::vector<std::vector<Literal>>& inputs,
                                                      const CallOptions& options) {
  pjrt::Executable& executable = *compiled_.executable;
  pjrt::Client& client = *executable.client();
  const uint64_t key = Key(options);
  const std::array<uint32_t, 2> key_words = {static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32)};

  // What is put now, by replica and parameter; those that are variables stay empty.
  std::vector<std::vector<pjrt::Buffer>> put(replicas_.size());
  for (size_t r = 0; r < put.size(); ++r) {
    const pjrt::Device& device = *executable.devices()[r];
    for (const Binding& binding : bindings_) {
      pjrt::Buffer& buffer = put[r].emplace_back();
      if (binding.kind == ProgramParameter::Kind::kInput) buffer = client.Put(inputs[r][binding.index], device);
      if (binding.kind == ProgramParameter::Kind::kStepKey)
        buffer = client.PutCopy(kKeyShape, key_words.data(), device);
    }
  }

  VariableSnapshot snapshot = engine_->TakeSnapshot(variables_, replicas_);
  std::vector<std::vector<pjrt::Buffer*>> arguments(replicas_.size());
  for (size_t r = 0; r < arguments.size(); ++r) {
    for (size_t p = 0; p < bindings_.size(); ++p) {
      const bool is_variable = bindings_[p].kind == ProgramParameter::Kind::kVariable;
      arguments[r].push_back(is_variable ? &snapshot.values[r][bindings_[p].index] : &put[r][p]);
    }
  }
  pjrt::Launch launch = executable.Execute(arguments);
  launch.Await();

  std::vector<std::vector<Literal>> results(replicas_.size());
  for (size_t r = 0; r < results.size(); ++r) {
    for (size_t i = 0; i < outputs_.size(); ++i) {
      const bool known = r > 0 && program_.outputs[i].typing == Typing::kReplicated;
      results[r].push_back(known ? results[0][i] : pjrt::TakeLiteral(std::move(launch.outputs[r][i])));
    }
  }
  return results;
}

}  // namespace replicator
