// Runs steps with variables on CPU replicas, without a session: for tests of layers and optimizers.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "graph/build_context.h"
#include "replicate/program.h"
#include "support/backend.h"

namespace replicator::testing {

using Inputs = std::map<std::string, Tensor>;
using Feeds = std::map<std::string, Literal>;
using StepFn = std::function<std::vector<Tensor>(const Inputs&)>;

class StepRunner {
 public:
  explicit StepRunner(int num_replicas = 1, std::string backend = "c1")
      : num_replicas_(num_replicas), backend_(std::move(backend)) {}

  // Builds `step` for all replicas; it may be executed often.
  Program Build(const StepFn& step, const std::map<std::string, Shape>& inputs, Mode mode = Mode::kTrain);
  // Executes it once, with one set of feeds per replica. Variables without a value are initialised first.
  PerReplica Execute(const Program& program, const std::vector<Feeds>& feeds = {}, uint32_t step_number = 0);
  // Both.
  PerReplica Run(const StepFn& step, const std::vector<Feeds>& feeds = {}, Mode mode = Mode::kTrain);
  // With one replica.
  std::vector<Literal> RunOne(const StepFn& step, const Feeds& feeds = {}, Mode mode = Mode::kTrain) {
    return Run(step, {feeds}, mode)[0];
  }

  void Set(const std::string& variable, const Literal& value) { values_[variable].assign(Replicas(), value); }
  const Literal& Get(const std::string& variable, int replica = 0) const {
    return values_.at(variable).at(static_cast<size_t>(replica));
  }
  std::vector<std::string> VariableNames() const;
  VariableTable& variables() { return variables_; }

 private:
  size_t Replicas() const { return static_cast<size_t>(num_replicas_); }
  Literal Initial(const VariableDef& def);

  int num_replicas_;
  std::string backend_;
  VariableTable variables_;
  std::map<std::string, std::vector<Literal>> values_;  // by replica
};

// `value` cut along its leading axis, one piece per replica.
std::vector<Feeds> Split(const Feeds& global, int num_replicas);

}  // namespace replicator::testing
