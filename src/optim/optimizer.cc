#include "replicator/optim/optimizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "graph/placement.h"
#include "ops/collectives.h"
#include "ops/push.h"
#include "optim/optimizer_state.h"
#include "replicator/graph/graph_error.h"
#include "replicator/graph/replica_context.h"
#include "replicator/ops/elementwise.h"
#include "replicator/ops/gradients.h"
#include "replicator/ops/reduce.h"
#include "replicator/ops/shape.h"

namespace replicator::optim {
namespace {

// With what a store makes of it for this update, in an asynchronous step.
Tensor RateOfUpdate(const LearningRate& learning_rate, const Variable& count, DType dtype, SourceLocation where) {
  const Tensor rate = learning_rate.Value({count, where}, dtype);
  const Tensor scale = UpdateScale(dtype, where);
  return scale.defined() ? rate * scale : rate;
}

// In a name scope of its own and on logical device 0, so that what an optimizer builds looks the same from wherever it
// is called.
struct Call {
  Call(const std::string& name, SourceLocation where) : site(where), scope(NameScope::Absolute(name)) {}
  CallSite site;
  NameScope scope;
  PlacementScope operations{0};
  VariablePlacementScope variables{0};
};

void Check(bool holds, const char* op, std::vector<Shape> shapes, const std::string& rule, SourceLocation where) {
  if (!holds) throw GraphError(op, std::move(shapes), rule, CallSite::Chain(where));
}

bool IsMirrored(const Variable& variable) { return variable.aggregation() == Aggregation::kNone; }

void CheckGradient(const GradientAndVariable& pair, SourceLocation where) {
  const auto& [gradient, variable] = pair;
  Check(variable.defined() && gradient.defined(), "apply_gradients", {}, "an undefined gradient or variable was given",
        where);
  Check(IsFloating(variable.dtype()), "apply_gradients", {variable.shape()},
        fmt::format("the variable '{}' is not floating, so that no gradient can move it", variable.name()), where);
  Check(gradient.shape() == variable.shape(), "apply_gradients", {gradient.shape()},
        fmt::format("the variable '{}' is {}; its gradient must have the same dtype and shape", variable.name(),
                    ToString(variable.shape())),
        where);
  Check(!IsMirrored(variable) || gradient.typing() == Typing::kReplicated, "apply_gradients", {gradient.shape()},
        fmt::format(
            "the gradient of '{}' varies between replicas, so that its copies would drift apart; wrap the optimizer "
            "with WrapOptimizer(optimizer, GradientReduction::kMean) (or kSum), or aggregate the gradient with "
            "AllMean or AllSum",
            variable.name()),
        where);
}

}  // namespace

Optimizer::Optimizer(std::shared_ptr<const UpdateRule> rule, OptimizerOptions options, SourceLocation where) {
  if (rule == nullptr) throw Error(ErrorCode::kInvalidArgument, "an optimizer needs an update rule", {where});
  if (options.clip_norm && !(std::isfinite(*options.clip_norm) && *options.clip_norm > 0)) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("clip_norm = {}; it must be positive and finite", *options.clip_norm), {where});
  }
  if (options.name.empty()) options.name = rule->name();
  state_ = std::make_shared<State>(State{std::move(rule), std::move(options), {}, {}, {}, {}});
}

const std::string& Optimizer::name() const { return state_->options.name; }

Variable Optimizer::iterations(SourceLocation where) const {
  if (!state_->iterations.defined()) state_->iterations = DeclareCounter(name() + "/iterations", where);
  return state_->iterations;
}

Tensor Optimizer::learning_rate(DType dtype, SourceLocation where) const {
  Call call(name(), where);
  return state_->options.learning_rate.Value({iterations(where), where}, dtype);
}

Optimizer Optimizer::WithReduction(GradientReduction reduction, SourceLocation where) const {
  if (reduction_) {
    throw Error(ErrorCode::kFailedPrecondition,
                "the optimizer '" + name() + "' is wrapped already; wrapping it again would aggregate gradients twice",
                {where});
  }
  Optimizer wrapped = *this;
  wrapped.reduction_ = reduction;
  return wrapped;
}

std::vector<Variable> Optimizer::SlotsOf(const Variable& variable, SourceLocation where) const {
  const auto found = state_->slots.find(variable.name());
  if (found != state_->slots.end()) return found->second;
  std::vector<Variable> slots;
  for (const std::string& slot : state_->rule->slots()) {
    slots.push_back(DeclareCompanion(name(), variable, slot, where));
  }
  return state_->slots.emplace(variable.name(), std::move(slots)).first->second;
}

std::vector<GradientAndVariable> Optimizer::ComputeGradients(const Tensor& loss, const MinimizeOptions& options,
                                                             SourceLocation where) const {
  Call call(name(), where);
  Check(loss.defined(), "minimize", {}, "the loss is an undefined Tensor", where);
  Check(IsFloating(loss.dtype()) && loss.rank() == 0, "minimize", {loss.shape()},
        "a loss must be a floating scalar; reduce it first, as in ReduceMean(loss) or ReduceSum(loss)", where);
  Check(
      reduction_ != GradientReduction::kSum || loss.typing() == Typing::kVarying, "minimize", {loss.shape()},
      "the loss is equal on all replicas (it has been aggregated already), so that the sum of the replicas' losses is "
      "too large by the number of replicas; pass the replica's own loss, or use GradientReduction::kMean",
      where);
  const std::vector<Variable> variables = options.var_list ? *options.var_list : TrainableVariablesOf(loss);
  Check(!variables.empty(), "minimize", {loss.shape()},
        options.var_list ? "the list of variables is empty" : "the loss depends on no trainable variable", where);
  for (const Variable& variable : variables) {
    Check(variable.defined() && IsFloating(variable.dtype()), "minimize", {},
          variable.defined() ? "the variable '" + variable.name() + "' is not floating"
                             : "an undefined variable was given",
          where);
  }

  // A collective on the way adds up what all replicas send back, so this is the derivative of the sum of the seeds
  // times the replicas' losses: the mean, for seeds of 1/R.
  const int replicas = ReplicaContext::Current(where).num_replicas();
  const bool scaled = reduction_ == GradientReduction::kMean && replicas > 1;
  const Tensor seeded = [&] {
    const PlacementScope placement(loss.logical_device());
    return scaled ? loss * (1.0 / replicas) : loss;
  }();
  const std::vector<Tensor> gradients = Gradients(seeded, variables, where);
  std::vector<GradientAndVariable> pairs;
  pairs.reserve(variables.size());
  for (size_t i = 0; i < variables.size(); ++i) {
    const PlacementScope placement(variables[i].logical_device());
    const bool aggregate = reduction_.has_value() && IsMirrored(variables[i]);
    pairs.push_back({aggregate ? TransposedAllSum(gradients[i], where) : gradients[i], variables[i]});
  }
  return pairs;
}

void Optimizer::ApplyGradients(std::span<const GradientAndVariable> gradients, SourceLocation where) const {
  Call call(name(), where);
  Check(!gradients.empty(), "apply_gradients", {}, "there are no gradients", where);
  std::set<std::string> seen;
  for (const GradientAndVariable& pair : gradients) {
    CheckGradient(pair, where);
    Check(seen.insert(pair.variable.name()).second, "apply_gradients", {pair.variable.shape()},
          "the variable '" + pair.variable.name() + "' is named twice; add up its gradients", where);
  }
  std::vector<Tensor> wide;
  for (const auto& [gradient, variable] : gradients) {
    const PlacementScope placement(variable.logical_device());
    const ReduceOp over_groups = reduction_ == GradientReduction::kSum ? ReduceOp::kSum : ReduceOp::kMean;
    wide.push_back(Convert({Push(gradient, over_groups, where), where}, Wide(variable.dtype())));
  }
  Tensor due;  // whether this call makes the update; undefined: it does
  if (accumulated_steps_ > 1) due = AddMicroStep(gradients, wide, where);
  const auto assign = [&](const Variable& variable, const Tensor& before, const Tensor& after) {
    variable.Assign(due.defined() ? Select({due, where}, after, before) : after);
  };

  Tensor scale;
  if (const std::optional<double>& limit = state_->options.clip_norm) {
    scale = *limit / Maximum(GlobalNorm(wide, where), *limit);
  }
  const Variable count = iterations(where);
  const Tensor updates = count.Read(where), step = updates + 1;
  std::map<DType, Tensor> rates;
  for (size_t i = 0; i < gradients.size(); ++i) {
    const Variable& variable = gradients[i].variable;
    const DType dtype = wide[i].dtype();
    Tensor& rate = rates[dtype];
    if (!rate.defined()) rate = RateOfUpdate(state_->options.learning_rate, count, dtype, where);
    const PlacementScope placement(variable.logical_device());
    const std::vector<Variable> slots = SlotsOf(variable, where);
    std::vector<Tensor> slots_before;
    for (const Variable& slot : slots) slots_before.push_back(slot.Read(where));
    const Tensor before = variable.Read(where);
    const Tensor updated =
        state_->rule->Update({.parameter = Convert({before, where}, dtype),
                              .gradient = scale.defined() ? wide[i] * Convert(scale, dtype) : wide[i],
                              .learning_rate = rate,
                              .step = Convert(step, dtype),
                              .slots = slots});
    for (size_t s = 0; s < slots.size(); ++s) assign(slots[s], slots_before[s], slots[s].Read(where));
    assign(variable, before, Convert(updated, variable.dtype()));
  }
  assign(count, updates, step);
}

void Optimizer::Minimize(const Tensor& loss, const MinimizeOptions& options, SourceLocation where) const {
  ApplyGradients(ComputeGradients(loss, options, where), where);
}

Tensor GlobalNorm(std::span<const Tensor> tensors, SourceLocation where) {
  CallSite site(where);
  const bool wide =
      std::any_of(tensors.begin(), tensors.end(), [](const Tensor& t) { return t.dtype() == DType::kF64; });
  const DType dtype = wide ? DType::kF64 : DType::kF32;
  std::map<int, Tensor> sums;  // by logical device, so that one number travels from each
  for (const Tensor& tensor : tensors) {
    const PlacementScope placement(tensor.logical_device());
    Tensor& sum = sums.try_emplace(tensor.logical_device(), Zeros({dtype, {}}, where)).first->second;
    sum = sum + ReduceSum(Square(Convert({tensor, where}, dtype)));
  }
  Tensor total = sums.empty() ? Zeros({dtype, {}}, where) : sums.begin()->second;
  for (auto at = sums.begin(); at != sums.end(); ++at) {
    if (at != sums.begin()) total = total + at->second;
  }
  return Sqrt(total);
}

}  // namespace replicator::optim
