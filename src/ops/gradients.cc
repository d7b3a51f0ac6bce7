#include "replicator/ops/gradients.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>

#include "graph/build_context.h"
#include "graph/placement.h"
#include "ops/rematerialise.h"
#include "ops/reverse_mode.h"
#include "replicator/graph/graph_error.h"
#include "replicator/ops/elementwise.h"
#include "replicator/ops/shape.h"

namespace replicator {
namespace {

// For every node up to the last of the ys', whether any y depends on it. All belong to `graph`.
std::vector<bool> AncestorsOf(const Graph& graph, std::span<const Tensor> ys) {
  int last = -1;
  for (const Tensor& y : ys) last = std::max(last, y.value().node);
  std::vector<bool> is_ancestor(static_cast<size_t>(last + 1), false);
  for (const Tensor& y : ys) is_ancestor[static_cast<size_t>(y.value().node)] = true;
  for (int id = last; id >= 0; --id) {
    if (!is_ancestor[static_cast<size_t>(id)]) continue;
    for (Value operand : graph.node(id).operands) is_ancestor[static_cast<size_t>(operand.node)] = true;
  }
  return is_ancestor;
}

class ReversePass : public GradientContext {
 public:
  // `xs` are values of the ys' graph.
  ReversePass(std::shared_ptr<Graph> graph, std::span<const Tensor> ys, std::span<const Value> xs, SourceLocation where)
      : graph_(std::move(graph)), where_(where), is_ancestor_(AncestorsOf(*graph_, ys)) {
    // Only nodes between an x and a y are visited: those on which a y depends and which depend on an x.
    on_path_.assign(is_ancestor_.size(), false);
    for (Value x : xs) {
      if (x.node < static_cast<int>(on_path_.size())) on_path_[static_cast<size_t>(x.node)] = true;
    }
    for (size_t id = 0; id < on_path_.size(); ++id) {
      for (Value operand : graph_->node(static_cast<int>(id)).operands) {
        if (on_path_[static_cast<size_t>(operand.node)]) on_path_[id] = true;
      }
    }
  }

  void Run(std::span<const Tensor> ys, std::span<const Tensor> seeds) {
    for (size_t i = 0; i < ys.size(); ++i) Accumulate(ys[i].value(), seeds[i]);
    for (node_ = static_cast<int>(on_path_.size()) - 1; node_ >= 0; --node_) {
      while (!recomputations_.empty() && node_ < recomputations_.back().first()) recomputations_.pop_back();
      if (is_ancestor_[static_cast<size_t>(node_)] && on_path_[static_cast<size_t>(node_)]) Visit();
    }
  }

  // The gradient of `x`, or an undefined tensor.
  Tensor Of(Value x) const {
    auto found = cotangents_.find(x);
    return found != cotangents_.end() ? found->second : Tensor();
  }

  const Node& node() const override { return graph_->node(node_); }
  Tensor operand(int i) const override { return Primal(node().operands[static_cast<size_t>(i)]); }
  Tensor result(int i) const override { return Primal(Value{node_, i}); }
  Tensor stored_result(int i) const override { return {graph_, Value{node_, i}}; }
  Tensor cotangent(int i) const override {
    const Tensor found = Of(Value{node_, i});
    return found.defined() ? found : Zeros(graph_->shape({node_, i}), where_);
  }
  bool reached(int result) const override { return cotangents_.contains(Value{node_, result}); }
  bool needs(int operand) const override {
    return on_path_[static_cast<size_t>(node().operands[static_cast<size_t>(operand)].node)];
  }

 private:
  void Visit() {
    const Node& current = node();
    const int operands = static_cast<int>(current.operands.size());
    bool any_reached = false, wanted = false;
    for (int i = 0; i < static_cast<int>(current.results.size()); ++i) any_reached |= reached(i);
    for (int i = 0; i < operands; ++i) wanted |= needs(i);
    const Gradient& gradient = current.op->gradient;
    if (!any_reached || !wanted || gradient.is_zero()) return;
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

  // Begins to recompute the calls in which the node being visited was built, from the outermost on. A call that is
  // still being built differentiates its own values, which are there.
  void EnterRecomputations(const RematerialisedCall* call) {
    if (call == nullptr || RematerialisedScope::IsOpen(*call)) return;
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
  SourceLocation where_;
  int node_ = 0;  // the node being visited
  std::vector<bool> is_ancestor_;
  std::vector<bool> on_path_;
  std::map<Value, Tensor> cotangents_;
  mutable std::deque<Recomputation> recomputations_;  // of the calls around the node, outermost first
};

// A value of the graph `owner`, which is `graph` or encloses it, as `graph` knows it, if its y depends on it.
std::optional<Value> DependsOn(const Graph& graph, const std::vector<bool>& is_ancestor, const Graph& owner,
                               Value value) {
  const std::optional<Value> local = graph.Lookup(owner, value);
  const bool depends = local.has_value() && local->node < static_cast<int>(is_ancestor.size()) &&
                       is_ancestor[static_cast<size_t>(local->node)];
  return depends ? local : std::nullopt;
}

}  // namespace

std::vector<Tensor> ReverseMode(std::span<const Tensor> ys, std::span<const Tensor> cotangents,
                                std::span<const Tensor> xs, SourceLocation where) {
  std::vector<Tensor> gradients(xs.size());
  if (ys.empty()) return gradients;
  const std::shared_ptr<Graph>& graph = ys[0].graph();
  std::vector<Value> found;
  std::vector<std::optional<Value>> local;
  for (const Tensor& x : xs) {
    local.push_back(graph->Lookup(*x.graph(), x.value()));
    if (local.back().has_value()) found.push_back(*local.back());
  }
  ReversePass pass(graph, ys, found, where);
  pass.Run(ys, cotangents);
  for (size_t i = 0; i < xs.size(); ++i) {
    if (local[i].has_value()) gradients[i] = pass.Of(*local[i]);
  }
  return gradients;
}

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
  std::vector<Tensor> gradients = ReverseMode({&y, 1}, {&y_cotangent, 1}, xs, where);
  for (size_t i = 0; i < xs.size(); ++i) {
    if (!gradients[i].defined()) gradients[i] = Zeros(xs[i].shape(), where);
  }
  return gradients;
}

std::vector<Tensor> Gradients(const Tensor& y, std::span<const Tensor> xs, SourceLocation where) {
  return Gradients(y, xs, Ones(y.shape(), where), where);
}

std::vector<Tensor> Gradients(const Tensor& y, std::span<const Variable> variables, SourceLocation where) {
  BuildContext& build = BuildContext::Current(where);
  const std::vector<bool> is_ancestor = AncestorsOf(*y.graph(), {&y, 1});
  std::vector<Tensor> xs;
  for (const Variable& variable : variables) {
    Tensor chosen = variable.Read(where);
    const std::shared_ptr<Graph> owner = chosen.graph();
    for (Value version : build.Find(variable.def())->versions) {
      if (DependsOn(*y.graph(), is_ancestor, *owner, version)) chosen = Tensor(owner, version);
    }
    xs.push_back(chosen);
  }
  return Gradients(y, xs, where);
}

std::vector<Variable> TrainableVariablesOf(const Tensor& y) {
  const std::vector<bool> is_ancestor = AncestorsOf(*y.graph(), {&y, 1});
  std::vector<Variable> variables;
  const BuildContext& build = BuildContext::Current(y.location());
  for (const BuildContext::VariableUse& use : build.variable_uses()) {
    const bool read = std::any_of(use.versions.begin(), use.versions.end(), [&](Value version) {
      return DependsOn(*y.graph(), is_ancestor, build.root(), version).has_value();
    });
    if (read && use.def->options.trainable) variables.emplace_back(use.def);
  }
  std::sort(variables.begin(), variables.end(),
            [](const Variable& a, const Variable& b) { return a.def().index < b.def().index; });
  return variables;
}

}  // namespace replicator
