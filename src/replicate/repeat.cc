#include "replicate/repeat.h"

#include "graph/region.h"
#include "ops/control_flow.h"
#include "replicate/segments.h"
#include "replicator/ops/shape.h"

namespace replicator {
namespace {

class Repeater {
 public:
  Repeater(const Program& program, int64_t steps)
      : program_(program), steps_(steps), build_({.num_replicas = program.num_replicas, .mode = program.mode}) {
    repeated_ = program;
    repeated_.executions = steps;
    repeated_.parameters.clear();
    repeated_.segments.clear();
    repeated_.transfers.clear();
    repeated_.results.clear();
  }

  Program Run() {
    const BuildContext::Scope scope(build_);
    AddParameters();
    const size_t num_outputs = program_.outputs.size(), num_updates = program_.updates.size();
    const ScanResults results = BuildScan(
        {.name = "the steps of RunSteps", .length = steps_}, carries_, rows_,
        [&](const ScanArguments& a) { return Step(a); }, program_.where);
    std::vector<Value> outputs;
    for (size_t i = 0; i < num_outputs; ++i) {
      outputs.push_back(results.ys[i].value());
      repeated_.outputs[i] = {results.ys[i].shape(), results.ys[i].typing()};
    }
    for (size_t i = 0; i < num_updates; ++i) outputs.push_back(results.carries[i].value());
    if (program_.has_guard) outputs.push_back(results.ys[num_outputs].value());
    build_.graph()->SetOutputs(std::move(outputs));
    build_.graph()->Freeze();
    repeated_.graph = build_.graph();
    CutIntoSegments(repeated_);
    return std::move(repeated_);
  }

 private:
  // What parameter i of the program is in an execution.
  struct Source {
    enum class Kind { kOutside, kCarry, kRow } kind = Kind::kOutside;
    size_t index = 0;
  };

  Tensor Parameter(const Node& node, const Shape& shape, const std::string& name, ProgramParameter described) {
    Attributes attributes = node.attributes;
    attributes.Set("dims", shape.dims);
    attributes.Set("name", name);
    repeated_.parameters.push_back(std::move(described));
    return AddOp(kParameter, {}, std::move(attributes), node.user);
  }

  void AddParameters() {
    carries_.resize(program_.updates.size());
    for (size_t i = 0; i < program_.parameters.size(); ++i) {
      const ProgramParameter& parameter = program_.parameters[i];
      const Node& node = program_.graph->node(program_.graph->parameters()[i]);
      const Shape& shape = node.results[0];
      Shape rows = shape;
      rows.dims.insert(rows.dims.begin(), steps_);
      switch (parameter.kind) {
        case ProgramParameter::Kind::kVariable: {
          const Tensor variable = Parameter(node, shape, parameter.name, parameter);
          if (parameter.update < 0) {
            sources_.push_back({Source::Kind::kOutside, outside_.size()});
            outside_.push_back(variable);
          } else {
            sources_.push_back({Source::Kind::kCarry, static_cast<size_t>(parameter.update) - program_.outputs.size()});
            carries_[sources_.back().index] = variable;
          }
          break;
        }
        case ProgramParameter::Kind::kInput: {
          std::vector<Tensor> batches;
          Dims row = rows.dims;
          row[0] = 1;
          for (int64_t step = 0; step < steps_; ++step) {
            ProgramParameter batch = parameter;
            batch.batch = step;
            const Tensor one = Parameter(node, shape, parameter.name + "#" + std::to_string(step), std::move(batch));
            batches.push_back(Reshape({one, program_.where}, row));
          }
          sources_.push_back({Source::Kind::kRow, rows_.size()});
          rows_.push_back(Concatenate(batches, 0, program_.where));
          break;
        }
        case ProgramParameter::Kind::kStepKey:
          sources_.push_back({Source::Kind::kRow, rows_.size()});
          rows_.push_back(Parameter(node, rows, parameter.name, parameter));
          break;
      }
    }
  }

  ScanResults Step(const ScanArguments& a) const {
    const std::shared_ptr<Graph>& body = BuildContext::Current(program_.where).graph();
    std::vector<Value> arguments;
    for (const Source& source : sources_) {
      switch (source.kind) {
        case Source::Kind::kOutside:
          arguments.push_back(*body->Resolve(outside_[source.index]));
          break;
        case Source::Kind::kCarry:
          arguments.push_back(a.carries[source.index].value());
          break;
        case Source::Kind::kRow:
          arguments.push_back(a.xs[source.index].value());
          break;
      }
    }
    const std::vector<Value> outputs = CopyGraph(*program_.graph, arguments, *body);
    ScanResults results;
    const size_t num_outputs = program_.outputs.size(), num_updates = program_.updates.size();
    for (size_t i = 0; i < outputs.size(); ++i) {
      const bool is_update = i >= num_outputs && i < num_outputs + num_updates;
      (is_update ? results.carries : results.ys).emplace_back(body, outputs[i]);
    }
    return results;
  }

  const Program& program_;
  const int64_t steps_;
  Program repeated_;
  BuildContext build_;
  std::vector<Source> sources_;  // by parameter of the program
  std::vector<Tensor> outside_, carries_, rows_;
};

}  // namespace

bool CanRepeat(const Program& program, int64_t steps) {
  return steps > 1 && program.outputs.size() + program.updates.size() > 0 && program.segments.size() == 1 &&
         program.segments[0].logical_device == 0;
}

Program RepeatProgram(const Program& program, int64_t steps) { return Repeater(program, steps).Run(); }

}  // namespace replicator
