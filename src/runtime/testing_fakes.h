// Doubles for the tests of what watches a session.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "graph/build_context.h"
#include "replicator/base/error.h"
#include "replicator/runtime/session.h"
#include "runtime/engine.h"
#include "runtime/fetch_node.h"
#include "runtime/session_environment.h"
#include "runtime/variable_snapshot.h"

namespace replicator {

class FakeClock final : public Clock {
 public:
  double Now() override { return now; }
  double now = 1000;
};

class FakeInterrupts final : public InterruptSource {
 public:
  void Install() override { installed = true; }
  void Uninstall() override { installed = false; }
  bool Interrupted() const override { return interrupted; }
  bool installed = false;
  bool interrupted = false;
};

class FakeOutput final : public ProgressOutput {
 public:
  bool IsTerminal() const override { return terminal; }
  int Width() const override { return width; }
  void Write(std::string_view written) override { text += written; }
  bool terminal = false;
  int width = 100;
  std::string text;
};

// Its steps increment "adam/iterations" and write it into "w" as well.
class FakeEngine final : public Engine, public std::enable_shared_from_this<FakeEngine> {
 public:
  FakeEngine() {
    const auto number = [this](const std::string& name, DType dtype) {
      VariableOptions variable{.name = name, .shape = {dtype, {}}};
      variable.initializer = [](const Shape&) { return Tensor(); };
      values_[name] = Literal(variable.shape);
      return table_.Declare(std::move(variable), {});
    };
    iterations = number("adam/iterations", DType::kI64);
    weight = number("w", DType::kF32);
  }

  int Add(Mode mode, bool counts) {
    Program program{.num_replicas = 2, .mode = mode};
    if (counts) program.updates = {iterations, weight};
    programs_.push_back(std::move(program));
    executions_.push_back(0);
    return static_cast<int>(programs_.size()) - 1;
  }
  Fetch FetchOf(int step) {
    auto node = std::make_shared<FetchNode>();
    node->engine = weak_from_this();
    node->step = step;
    return Fetch(std::move(node));
  }
  // Session::Run of the fake.
  std::vector<Fetched> Run(const std::vector<Fetch>& fetches) {
    std::map<int, bool> steps;
    for (const Fetch& fetch : fetches) steps[fetch.node()->step] = true;
    if (error_at_run != nullptr) std::rethrow_exception(std::exchange(error_at_run, nullptr));
    for (const auto& [step, unused] : steps) {
      ++executions_[static_cast<size_t>(step)];
      if (program(step).updates.empty()) continue;
      const int64_t count = values_.at("adam/iterations").Item<int64_t>() + 1;
      values_["adam/iterations"] = Literal::Scalar<int64_t>(count);
      values_["w"] = Literal::Scalar(static_cast<float>(count));
    }
    return std::vector<Fetched>(fetches.size());
  }

  int num_replicas() const override { return 2; }
  const EngineOptions& options() const override { return options_; }
  VariableTable& variables() override { return table_; }
  int AddStep(Program, InputIterator) override { return -1; }
  const Program& program(int step) const override { return programs_.at(static_cast<size_t>(step)); }
  void Initialise() override {}
  std::map<int, std::shared_ptr<Step>> Execute(const std::vector<int>&) override { return {}; }
  void Wait() override {
    if (error_at_wait != nullptr) std::rethrow_exception(std::exchange(error_at_wait, nullptr));
  }
  int64_t executions(int step) const override { return executions_.at(static_cast<size_t>(step)); }
  Literal ReadVariable(const VariableDef& def, int) override { return values_.at(def.options.name); }
  std::vector<Literal> ReadReplicas(const VariableDef& def) override { return {2, values_.at(def.options.name)}; }
  Literal ReadAggregate(const VariableDef& def) override { return values_.at(def.options.name); }
  void WriteVariable(const VariableDef& def, const Literal& value) override { values_[def.options.name] = value; }
  CompiledCallable AddCallable(const Program&, int) override { return {}; }
  VariableSnapshot TakeSnapshot(std::span<const std::shared_ptr<const VariableDef>>, std::span<const int>) override {
    return {};
  }
  EngineState Save() override {
    Wait();
    return {.tensors = values_, .metadata = {{"executions", std::to_string(executions_.at(0))}}};
  }
  void Restore(const EngineState& state, bool) override {
    if (state.tensors.count("w") == 0) throw Error(ErrorCode::kNotFound, "the state lacks the variable 'w'");
    values_ = state.tensors;
    executions_.at(0) = std::stoll(state.metadata.at("executions"));
  }

  std::shared_ptr<const VariableDef> iterations;
  std::shared_ptr<const VariableDef> weight;
  std::exception_ptr error_at_run;   // thrown by the next Run
  std::exception_ptr error_at_wait;  // thrown by the next Wait or Save

 private:
  EngineOptions options_;
  VariableTable table_;
  std::vector<Program> programs_;
  std::vector<int64_t> executions_;
  std::map<std::string, Literal> values_;
};

}  // namespace replicator
