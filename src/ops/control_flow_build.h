// One body while it is being built.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graph/build_context.h"
#include "ops/control_flow.h"

namespace replicator {

struct BuiltBody {
  std::shared_ptr<Graph> graph;
  size_t num_parameters = 0;  // besides captures
  std::vector<Value> outputs;
};

// Operations go into the body until Take, or until it is destroyed.
class BodyBuilder {
 public:
  // `name` stands in errors: "the body of the loop at a.cc:12".
  BodyBuilder(std::string name, SourceLocation where);

  const std::string& name() const { return name_; }
  Tensor Parameter(const Shape& shape, Typing typing);
  void SetIteration(const Tensor& iteration) { scope_->SetIteration(iteration); }
  // Adds to what the body returns. Throws GraphError for a tensor of a graph that does not enclose it.
  void Return(const std::vector<Tensor>& outputs);

  size_t num_outputs() const { return outputs_.size(); }
  Typing output_typing(size_t i) const { return graph_->typing(outputs_[i]); }
  const Shape& output_shape(size_t i) const { return graph_->shape(outputs_[i]); }
  SourceLocation output_location(size_t i) const { return graph_->node(outputs_[i].node).user; }

  BuiltBody Take();

 private:
  const std::string name_;
  const SourceLocation where_;
  std::optional<BuildContext::RegionScope> scope_;
  const std::shared_ptr<Graph> graph_;
  size_t num_parameters_ = 0;
  std::vector<Value> outputs_;
};

// Appends a node of `op` whose regions are the bodies; what they capture follows `operands`. Checks that collectives in
// them are under replicated control.
std::vector<Tensor> AddWithRegions(const OpDef& op, std::vector<Tensor> operands, std::span<const BuiltBody> bodies,
                                   Attributes attributes, bool keep_collectives, SourceLocation where);

}  // namespace replicator
