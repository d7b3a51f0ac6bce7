// Differentiating branches and loops: new regions, in which the old ones are computed once more and reversed.
#include <algorithm>

#include "graph/build_context.h"
#include "graph/region.h"
#include "ops/control_flow.h"
#include "ops/control_flow_rules.h"
#include "ops/reverse_mode.h"
#include "replicator/ops/elementwise.h"
#include "replicator/ops/shape.h"

namespace replicator {
namespace {

// `tensor` of a graph around the one that is being built, as a tensor of the latter.
Tensor Inside(const Tensor& tensor) {
  const std::shared_ptr<Graph>& graph = BuildContext::Current(tensor.location()).graph();
  return {graph, *graph->Resolve(tensor)};
}
Tensors Inside(const Tensors& tensors) {
  Tensors inside;
  for (const Tensor& tensor : tensors) inside.push_back(Inside(tensor));
  return inside;
}

// The region, computed once more in the graph that is being built.
Tensors Inline(const Graph& region, const Tensors& arguments) {
  const std::shared_ptr<Graph>& graph = BuildContext::Current(SourceLocation::current()).graph();
  std::vector<Value> values;
  for (const Tensor& argument : arguments) values.push_back(argument.value());
  Tensors outputs;
  for (Value value : CopyGraph(region, values, *graph, {.keep_collectives = false})) outputs.emplace_back(graph, value);
  return outputs;
}

// Which operands from `first` on are floating and wanted.
std::vector<size_t> Wanted(const GradientContext& g, size_t first, size_t count) {
  std::vector<size_t> wanted;
  for (size_t i = first; i < first + count; ++i) {
    const int operand = static_cast<int>(i);
    if (IsFloating(g.operand(operand).dtype()) && g.needs(operand)) wanted.push_back(i);
  }
  return wanted;
}

Tensors Operands(const GradientContext& g, size_t first, size_t count) {
  Tensors operands;
  for (size_t i = first; i < first + count; ++i) operands.push_back(g.operand(static_cast<int>(i)));
  return operands;
}

template <typename T>
void Extend(std::vector<T>& list, const std::vector<T>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

class ScanTranspose {
 public:
  explicit ScanTranspose(const GradientContext& g) : g_(g), loop_(LoopOf(g)), where_(node().user) {
    if (!ScanLayout(node()).saved) SaveCarries();
  }

  Tensors Run() {
    const ScanLayout layout(node());
    const size_t results = g_.node().results.size();  // without what SaveCarries has added
    for (size_t i = 0; i < layout.carries; ++i) {
      if (IsFloating(node().results[i].dtype)) floating_carries_.push_back(i);
    }
    for (size_t i = layout.carries; i < results; ++i) {
      if (IsFloating(node().results[i].dtype) && g_.reached(static_cast<int>(i))) reached_ys_.push_back(i);
    }
    wanted_xs_ = Wanted(g_, layout.first_x, layout.xs);
    wanted_captures_ = Wanted(g_, layout.first_capture, layout.captures);

    Tensors gradients(node().operands.size());
    if (floating_carries_.empty() && wanted_xs_.empty() && wanted_captures_.empty()) return gradients;
    // Carries of the transpose: the gradients of the carries, then the sums for the captures.
    Tensors init, xs;
    for (size_t i : floating_carries_) init.push_back(g_.cotangent(static_cast<int>(i)));
    for (size_t i : wanted_captures_) init.push_back(Zeros(g_.operand(static_cast<int>(i)).shape(), where_));
    for (size_t i = node().results.size() - layout.carries; i < node().results.size(); ++i) {
      xs.emplace_back(loop_.graph(), Value{loop_.value().node, static_cast<int>(i)});
    }
    Extend(xs, Operands(g_, layout.first_x, layout.xs));
    for (size_t i : reached_ys_) xs.push_back(g_.cotangent(static_cast<int>(i)));
    const Tensors captures = Operands(g_, layout.first_capture, layout.captures);

    const ScanResults transposed = BuildScan(
        {.name = "the gradient of the loop at " + ToString(where_),
         .length = layout.length,
         .trip_count = layout.dynamic ? g_.operand(0) : Tensor(),
         .reverse = !layout.reverse,
         .keep_collectives = false},
        init, xs, [&](const ScanArguments& a) { return Body(layout, a, captures); }, where_);

    for (size_t j = 0; j < floating_carries_.size(); ++j) {
      gradients[layout.first_carry + floating_carries_[j]] = transposed.carries[j];
    }
    for (size_t j = 0; j < wanted_captures_.size(); ++j) {
      gradients[wanted_captures_[j]] = transposed.carries[floating_carries_.size() + j];
    }
    for (size_t j = 0; j < wanted_xs_.size(); ++j) gradients[wanted_xs_[j]] = transposed.ys[j];
    return gradients;
  }

 private:
  // A result of the loop whose carries are to be kept: of the recomputed one inside of a rematerialised function, but
  // collectives are not recomputed there, nor what holds some.
  static Tensor LoopOf(const GradientContext& g) {
    const Tensor result = g.result(0);
    return result.graph()->node(result.value().node).op == &kScan ? result : g.stored_result(0);
  }
  const Node& node() const { return loop_.graph()->node(loop_.value().node); }

  // Makes the loop return what came into each iteration, too.
  void SaveCarries() {
    const ScanLayout layout(node());
    const Graph& body = *node().regions[0];
    const std::shared_ptr<Graph> saving = Graph::Create();
    std::vector<Value> parameters;
    for (int id : body.parameters()) parameters.push_back({saving->Append(body.node(id)), 0});
    std::vector<Value> outputs = CopyGraph(body, parameters, *saving);
    for (size_t i = 0; i < layout.carries; ++i) outputs.push_back(parameters[1 + i]);
    saving->SetOutputs(std::move(outputs));
    saving->Freeze();
    Attributes attributes = node().attributes;
    attributes.Set("saved", true);
    loop_.graph()->AddResults(loop_.value().node, {saving}, std::move(attributes));
  }

  ScanResults Body(const ScanLayout& layout, const ScanArguments& a, const Tensors& outer_captures) const {
    const auto split = a.xs.begin() + static_cast<std::ptrdiff_t>(layout.carries + layout.xs);
    Tensors arguments = {a.iteration};
    arguments.insert(arguments.end(), a.xs.begin(), split);
    const Tensors captures = Inside(outer_captures);
    Extend(arguments, captures);
    const Tensors outputs = Inline(*node().regions[0], arguments);

    Tensors ys, seeds(a.carries.begin(), a.carries.begin() + static_cast<std::ptrdiff_t>(floating_carries_.size()));
    for (size_t i : floating_carries_) ys.push_back(outputs[i]);
    for (size_t i : reached_ys_) ys.push_back(outputs[i]);
    seeds.insert(seeds.end(), split, a.xs.end());
    Tensors wrt;
    for (size_t i : floating_carries_) wrt.push_back(a.xs[i]);
    for (size_t i : wanted_captures_) wrt.push_back(captures[i - layout.first_capture]);
    for (size_t i : wanted_xs_) wrt.push_back(a.xs[layout.carries + i - layout.first_x]);
    Tensors gradients = ReverseMode(ys, seeds, wrt, where_);

    ScanResults results;
    for (size_t j = 0; j < gradients.size(); ++j) {
      Tensor& gradient = gradients[j];
      const bool is_sum = j >= floating_carries_.size() && j < a.carries.size();
      if (is_sum) {
        gradient = gradient.defined() ? Add({a.carries[j], where_}, {gradient, where_}) : a.carries[j];
      } else if (!gradient.defined()) {
        gradient = Zeros(wrt[j].shape(), where_);
      }
      (j < a.carries.size() ? results.carries : results.ys).push_back(gradient);
    }
    return results;
  }

  const GradientContext& g_;
  const Tensor loop_;
  const SourceLocation where_;
  std::vector<size_t> floating_carries_;             // among the results
  std::vector<size_t> reached_ys_;                   // among the results
  std::vector<size_t> wanted_xs_, wanted_captures_;  // among the operands
};

}  // namespace

Tensors ScanGradient(const GradientContext& g) { return ScanTranspose(g).Run(); }

Tensors CaseGradient(const GradientContext& g) {
  const Node& node = g.node();
  const SourceLocation where = node.user;
  const size_t captures = node.operands.size() - 1;
  const std::vector<size_t> wanted = Wanted(g, 1, captures);
  Tensors gradients(node.operands.size());
  if (wanted.empty()) return gradients;
  std::vector<size_t> reached;
  for (size_t i = 0; i < node.results.size(); ++i) {
    if (IsFloating(node.results[i].dtype) && g.reached(static_cast<int>(i))) reached.push_back(i);
  }
  Tensors seeds;
  for (size_t i : reached) seeds.push_back(g.cotangent(static_cast<int>(i)));
  const std::vector<std::string> names(node.regions.size(), "the gradient of the branches at " + ToString(where));
  const Tensors outer = Operands(g, 1, captures);
  const Tensors results = BuildCase(
      g.operand(0), names,
      [&](int k) {
        const Tensors inside = Inside(outer);
        const Tensors outputs = Inline(*node.regions[static_cast<size_t>(k)], inside);
        Tensors ys, wrt;
        for (size_t i : reached) ys.push_back(outputs[i]);
        for (size_t i : wanted) wrt.push_back(inside[i - 1]);
        Tensors found = ReverseMode(ys, Inside(seeds), wrt, where);
        for (size_t j = 0; j < found.size(); ++j) {
          if (!found[j].defined()) found[j] = Zeros(wrt[j].shape(), where);
        }
        return found;
      },
      /*keep_collectives=*/false, where);
  for (size_t j = 0; j < wanted.size(); ++j) gradients[wanted[j]] = results[j];
  return gradients;
}

}  // namespace replicator
