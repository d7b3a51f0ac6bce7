#include "replicator/ops/gradients.h"

#include <algorithm>
#include <deque>
#include <map>

#include "graph/build_context.h"
#include "graph/placement.h"
#include "ops/rematerialise.h"
#include "replicator/graph/graph_error.h"
#include "replicator/ops/elementwise.h"
#include "replicator/ops/shape.h"

namespace replicator {
namespace {

// For every node up to `y`'s, whether y depends on it.
std::vector<bool> AncestorsOf(const Tensor& y) {
  const Graph& graph = *y.graph();
  std::vector<bool> is_ancestor(static_cast<size_t>(y.value().node) + 1, false);
  is_ancestor.back() = true;
  for (int id = y.value().node; id >= 0; --id) {
    if (!is_ancestor[static_cast<size_t>(id)]) continue;
    for (Value operand : graph.node(id).operands) is_ancestor[static_cast<size_t>(operand.node)] = true;
  }
  return is_ancestor;
}

class ReversePass : public GradientContext {
 public:
  ReversePass(const Tensor& y, std::span<const Tensor> xs, SourceLocation where)
      : graph_(y.graph()), y_(y), where_(where), is_ancestor_(AncestorsOf(y)) {
    // Only nodes between an x and y are visited: those on which y depends and which depend on an x.
    on_path_.assign(is_ancestor_.size(), false);
    for (const Tensor& x : xs) {
      if (x.value().node <= y.value().node) on_path_[static_cast<size_t>(x.value().node)] = true;
    }
    for (int id = 0; id <= y.value().node; ++id) {
      for (Value operand : graph_->node(id).operands) {
        if (on_path_[static_cast<size_t>(operand.node)]) on_path_[static_cast<size_t>(id)] = true;
      }
    }
  }

  void Run(const Tensor& seed) {
    Accumulate(y_.value(), seed);
    for (node_ = y_.value().node; node_ >= 0; --node_) {
      while (!recomputations_.empty() && node_ < recomputations_.back().first()) recomputations_.pop_back();
      if (is_ancestor_[static_cast<size_t>(node_)] && on_path_[static_cast<size_t>(node_)]) Visit();
    }
  }

  // The gradient of `x`, or zeros.
  Tensor Of(Value x) const {
    auto found = cotangents_.find(x);
    return found != cotangents_.end() ? found->second : Zeros(graph_->shape(x), where_);
  }

  const Node& node() const override { return graph_->node(node_); }
  Tensor operand(int i) const override { return Primal(node().operands[static_cast<size_t>(i)]); }
  Tensor result(int i) const override { return Primal(Value{node_, i}); }
  Tensor cotangent(int i) const override { return Of(Value{node_, i}); }
  bool needs(int operand) const override {
    return on_path_[static_cast<size_t>(node().operands[static_cast<size_t>(operand)].node)];
  }

 private:
  void Visit() {
    const Node& current = node();
    const int operands = static_cast<int>(current.operands.size());
    bool reached = false, wanted = false;
    for (int i = 0; i < static_cast<int>(current.results.size()); ++i) reached |= cotangents_.contains(Value{node_, i});
    for (int i = 0; i < operands; ++i) wanted |= needs(i);
    const Gradient& gradient = current.op->gradient;
    if (!reached || !wanted || gradient.is_zero()) return;
    if (gradient.rule() == nullptr) {
      std::vector<Shape> shapes;
      for (Value value : current.operands) shapes.push_back(graph_->shape(value));
      std::vector<SourceLocation> lines = CallSite::Chain(where_);
      lines.push_back(current.user);
      throw GraphError(std::string(current.op->name), std::move(shapes),
                       "it has no gradient: " + std::string(gradient.reason()) + "; it was built at " +
                           ToString(current.user) + " (StopGradient excludes it)",
                       std::move(lines));
    }
    // What differentiates an operation runs where the operation does.
    const PlacementScope placement(current.logical_device);
    EnterRecomputations(current.rematerialised.get());
    const std::vector<Tensor> gradients = gradient.rule()(*this);
    for (int i = 0; i < operands; ++i) {
      if (needs(i) && gradients[static_cast<size_t>(i)].defined()) {
        Accumulate(graph_->node(node_).operands[static_cast<size_t>(i)], gradients[static_cast<size_t>(i)]);
      }
    }
  }

  // What a gradient rule reads: inside a rematerialised call, the recomputed value. A collective's rule may compare
  // its operand with what other replicas have made of it, so there even the last bit must be the first computation's.
  Tensor Primal(Value value) const {
    if (recomputations_.empty()) return {graph_, value};
    Recomputation& recomputation = recomputations_.back();
    return {graph_, node().op->is_collective ? recomputation.Original(value) : recomputation.Of(value)};
  }

  // Begins to recompute the calls in which the node being visited was built, from the outermost on.
  void EnterRecomputations(const RematerialisedCall* call) {
    if (call == nullptr) return;
    EnterRecomputations(call->outer.get());
    const bool entered = std::any_of(recomputations_.begin(), recomputations_.end(),
                                     [&](const Recomputation& open) { return &open.call() == call; });
    if (entered) return;
    Recomputation* const outer = recomputations_.empty() ? nullptr : &recomputations_.back();
    recomputations_.emplace_back(graph_, *call, node_, FirstCotangent(), outer);
  }
  // The node being visited has been reached.
  const Tensor& FirstCotangent() const { return cotangents_.lower_bound(Value{node_, 0})->second; }

  void Accumulate(Value value, const Tensor& gradient) {
    auto [found, inserted] = cotangents_.emplace(value, gradient);
    if (inserted) return;
    // Gradients from one device are added there, so that only their sum travels to the value's.
    const int first = found->second.logical_device();
    const PlacementScope placement(first == gradient.logical_device() ? first
                                                                      : graph_->node(value.node).logical_device);
    found->second = Add(Operand(found->second, where_), gradient);
  }

  std::shared_ptr<Graph> graph_;
  Tensor y_;
  SourceLocation where_;
  int node_ = 0;  // the node being visited
  std::vector<bool> is_ancestor_;
  std::vector<bool> on_path_;
  std::map<Value, Tensor> cotangents_;
  mutable std::deque<Recomputation> recomputations_;  // of the calls around the node, outermost first
};

}  // namespace

std::vector<Tensor> Gradients(const Tensor& y, std::span<const Tensor> xs, const Tensor& y_cotangent,
                              SourceLocation where) {
  const CallSite site(where);
  if (!IsFloating(y.dtype())) {
    throw GraphError("gradients", {y.shape()}, "only floating values can be differentiated; convert it first",
                     CallSite::Chain(where));
  }
  if (y_cotangent.shape() != y.shape()) {
    throw GraphError("gradients", {y.shape(), y_cotangent.shape()},
                     "the given gradient of y must have y's dtype and shape", CallSite::Chain(where));
  }
  ReversePass pass(y, xs, where);
  pass.Run(y_cotangent);
  std::vector<Tensor> gradients;
  gradients.reserve(xs.size());
  for (const Tensor& x : xs) gradients.push_back(pass.Of(x.value()));
  return gradients;
}

std::vector<Tensor> Gradients(const Tensor& y, std::span<const Tensor> xs, SourceLocation where) {
  return Gradients(y, xs, Ones(y.shape(), where), where);
}

std::vector<Tensor> Gradients(const Tensor& y, std::span<const Variable> variables, SourceLocation where) {
  BuildContext& build = BuildContext::Current(where);
  const std::vector<bool> is_ancestor = AncestorsOf(y);
  std::vector<Tensor> xs;
  for (const Variable& variable : variables) {
    Value chosen = variable.Read(where).value();
    for (Value version : build.Find(variable.def())->versions) {
      if (version.node <= y.value().node && is_ancestor[static_cast<size_t>(version.node)]) chosen = version;
    }
    xs.emplace_back(y.graph(), chosen);
  }
  return Gradients(y, xs, where);
}

std::vector<Variable> TrainableVariablesOf(const Tensor& y) {
  const std::vector<bool> is_ancestor = AncestorsOf(y);
  std::vector<Variable> variables;
  for (const BuildContext::VariableUse& use : BuildContext::Current(y.location()).variable_uses()) {
    const bool read = std::any_of(use.versions.begin(), use.versions.end(), [&](Value version) {
      return version.node <= y.value().node && is_ancestor[static_cast<size_t>(version.node)];
    });
    if (read && use.def->options.trainable) variables.emplace_back(use.def);
  }
  std::sort(variables.begin(), variables.end(),
            [](const Variable& a, const Variable& b) { return a.def().index < b.def().index; });
  return variables;
}

}  // namespace replicator
