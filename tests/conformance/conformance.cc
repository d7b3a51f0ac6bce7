#include "conformance/conformance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <set>

#include "base/hash.h"
#include "conformance/random_values.h"
#include "graph/build_context.h"
#include "lower/lower.h"
#include "ops/registry.h"
#include "replicator/graph/graph_error.h"
#include "replicator/ops/elementwise.h"
#include "replicator/ops/gradients.h"
#include "replicator/ops/reduce.h"

namespace replicator::testing {
namespace {

constexpr double kStep = 1e-5;  // of the central differences
constexpr int kManyReplicas = 4;

// One sample of one operation as a program: its inputs, what it returns, and what must hold.
class SampleProgram {
 public:
  SampleProgram(const OpDef& op, const Sample& sample, int num_replicas)
      : op_(op), sample_(sample), num_replicas_(num_replicas), context_({.num_replicas = num_replicas}) {
    attributes_ = sample.attributes;
    for (const auto& [name, value] : sample.attributes.entries()) {
      if (name == "num_replicas") attributes_.Set(name, int64_t{num_replicas});
    }
    regions_ = sample.make_regions != nullptr ? sample.make_regions(num_replicas) : sample.regions;
  }

  Failures Check(Backend& backend) {
    const BuildContext::Scope scope(context_);
    for (const Shape& shape : sample_.operands) operands_.push_back(Input(shape, sample_.low, sample_.high));
    results_ = Apply(operands_);
    for (const Tensor& result : results_) Output(result);
    AddNarrow();
    AddDerivatives();
    context_.graph()->SetOutputs(outputs_);
    Run(backend);
    CheckShapes();
    CheckOracle();
    CheckNarrow();
    CheckDerivatives();
    return failures_;
  }

  std::string Text(LoweringTarget target) {
    const BuildContext::Scope scope(context_);
    for (const Shape& shape : sample_.operands) operands_.push_back(Input(shape, sample_.low, sample_.high));
    for (const Tensor& result : Apply(operands_)) Output(result);
    context_.graph()->SetOutputs(outputs_);
    return LowerToStableHlo(*context_.graph(), {.target = target, .num_replicas = num_replicas_});
  }

 private:
  using Tensors = std::vector<Tensor>;
  struct InputRange {
    Shape shape;
    double low, high;
  };
  struct Comparison {
    const char* what;
    size_t differences, derivative;  // outputs, to be summed over replicas
  };

  static SourceLocation Here(SourceLocation where = SourceLocation::current()) { return where; }

  Tensor Input(const Shape& shape, double low, double high) {
    inputs_.push_back({shape, low, high});
    return context_.Input("x" + std::to_string(inputs_.size()), shape, Here());
  }
  Tensors InputsLike(const Tensors& tensors) {
    Tensors inputs;
    for (const Tensor& tensor : tensors) inputs.push_back(Input(tensor.shape(), -1, 1));
    return inputs;
  }
  size_t Output(const Tensor& tensor) {
    outputs_.push_back(tensor.value());
    return outputs_.size() - 1;
  }
  Tensors Apply(const Tensors& operands) { return context_.graph()->Add(op_, operands, attributes_, Here(), regions_); }

  // The operation once more, on f32; a region is made for its own types.
  void AddNarrow() {
    if (!regions_.empty()) return;
    Tensors narrow = operands_;
    for (Tensor& operand : narrow) {
      if (operand.dtype() == DType::kF64) operand = Convert(operand, DType::kF32), has_narrow_ = true;
    }
    if (!has_narrow_) return;
    first_narrow_ = outputs_.size();
    for (const Tensor& result : Apply(narrow)) Output(result);
  }

  static Tensors OnlyF64(const Tensors& tensors) {
    Tensors chosen;
    std::copy_if(tensors.begin(), tensors.end(), std::back_inserter(chosen),
                 [](const Tensor& tensor) { return tensor.dtype() == DType::kF64; });
    return chosen;
  }
  static Tensor Inner(const Tensors& a, const Tensors& b) {
    Tensor sum;
    for (size_t i = 0; i < a.size(); ++i) {
      const Tensor term = ReduceSum(a[i] * b[i]);
      sum = sum.defined() ? sum + term : term;
    }
    return sum;
  }
  // x + h * direction for the f64 tensors among x; the others as they are.
  static Tensors Moved(Tensors x, const Tensors& direction, double h) {
    size_t next = 0;
    for (Tensor& tensor : x) {
      if (tensor.dtype() == DType::kF64) tensor = tensor + direction[next++] * h;
    }
    return x;
  }
  static Tensor CentralDifference(const std::function<Tensor(double)>& f) {
    return (f(kStep) - f(-kStep)) / (2 * kStep);
  }

  void AddDerivatives() {
    const Tensors xs = OnlyF64(operands_);
    const Tensors ys = OnlyF64(results_);
    if (xs.empty() || ys.empty()) return;
    const Tensors cotangents = InputsLike(ys), directions = InputsLike(xs);
    const auto objective = [&](const Tensors& x, const Tensors& c) { return Inner(OnlyF64(Apply(x)), c); };
    const auto slope = [&](const Tensors& x, const Tensors& c) {
      return Inner(Gradients(objective(x, c), OnlyF64(x)), directions);
    };
    if (op_.gradient.rule() == nullptr && !op_.gradient.is_zero()) {
      CheckRefusal(objective(operands_, cotangents), xs);
      return;
    }
    const Tensor derivative = slope(operands_, cotangents);
    const Tensor differences =
        CentralDifference([&](double h) { return objective(Moved(operands_, directions, h), cotangents); });
    // What StopGradient stops is there all the same.
    if (op_.name != "stop_gradient") comparisons_.push_back({"gradient", Output(differences), Output(derivative)});
    if (op_.gradient.is_zero()) return;
    const Tensors x_directions = InputsLike(xs), c_directions = InputsLike(ys);
    const Tensor second =
        Inner(Gradients(derivative, xs), x_directions) + Inner(Gradients(derivative, cotangents), c_directions);
    const Tensor second_differences = CentralDifference(
        [&](double h) { return slope(Moved(operands_, x_directions, h), Moved(cotangents, c_directions, h)); });
    comparisons_.push_back({"second derivative", Output(second_differences), Output(second)});
  }

  void CheckRefusal(const Tensor& objective, const Tensors& xs) {
    try {
      Gradients(objective, xs);
      Fail("has no gradient, but differentiating through it was not refused");
    } catch (const GraphError& error) {
      if (error.message().find(op_.gradient.reason()) == std::string::npos) {
        Fail("is not differentiable, and the error does not say why: " + error.message());
      }
    }
  }

  void Run(Backend& backend) {
    std::mt19937_64 random(HashString(sample_.name, HashString(op_.name)));
    for (int r = 0; r < num_replicas_; ++r) {
      std::vector<Literal>& arguments = arguments_.emplace_back();
      for (const InputRange& input : inputs_) {
        arguments.push_back(RandomLiteral(input.shape, input.low, input.high, random));
      }
    }
    values_ = backend.Run(
        LowerToStableHlo(*context_.graph(), {.target = backend.target(), .num_replicas = num_replicas_}), arguments_);
  }

  void CheckShapes() {
    for (const std::vector<Literal>& values : values_) {
      for (size_t i = 0; i < outputs_.size(); ++i) {
        const Shape& inferred = context_.graph()->shape(outputs_[i]);
        if (values[i].shape() == inferred) continue;
        Fail(fmt::format("result {} is {} when compiled, and {} by the shape rule", i, ToString(values[i].shape()),
                         ToString(inferred)));
      }
    }
  }

  static double ToleranceOf(DType dtype) {
    switch (dtype) {
      case DType::kF64:
        return 1e-12;
      case DType::kF32:
        return 1e-5;
      case DType::kF16:
        return 0x1p-10;
      case DType::kBF16:
        return 0x1p-7;
      default:
        return 0;
    }
  }

  void Compare(const std::string& what, const Literal& got, const Literal& expected, double tolerance) {
    const std::vector<double> a = got.ToDoubles(), b = expected.ToDoubles();
    if (got.dims() != expected.dims()) {
      return Fail(fmt::format("{}: {} instead of {}", what, ToString(got.dims()), ToString(expected.dims())));
    }
    for (size_t i = 0; i < a.size(); ++i) {
      const bool same = a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i])) ||
                        std::abs(a[i] - b[i]) <= tolerance * std::max(1.0, std::abs(b[i]));
      if (!same) return Fail(fmt::format("{}: element {} is {} instead of {}", what, i, a[i], b[i]));
    }
  }

  void CheckOracle() {
    if (op_.oracle == nullptr) return;
    for (size_t r = 0; r < values_.size(); ++r) {
      const std::span<const Literal> operands(arguments_[r].data(), operands_.size());
      const std::vector<Literal> expected = op_.oracle(operands, attributes_);
      for (size_t i = 0; i < expected.size(); ++i) {
        if (expected[i].dtype() != values_[r][i].dtype()) Fail("the oracle's dtype differs from the result's");
        Compare("against the oracle", values_[r][i], expected[i], ToleranceOf(expected[i].dtype()));
      }
    }
  }

  void CheckNarrow() {
    if (!has_narrow_) return;
    for (const std::vector<Literal>& values : values_) {
      for (size_t i = 0; i < results_.size(); ++i) {
        const double tolerance = IsFloating(results_[i].dtype()) ? ToleranceOf(DType::kF32) : 0;
        Compare("f32 against f64", values[first_narrow_ + i], values[i], tolerance);
      }
    }
  }

  void CheckDerivatives() {
    for (const Comparison& comparison : comparisons_) {
      double differences = 0, derivative = 0;
      for (const std::vector<Literal>& values : values_) {
        differences += values[comparison.differences].Item<double>();
        derivative += values[comparison.derivative].Item<double>();
      }
      const double allowed = sample_.tolerance * std::max({1.0, std::abs(differences), std::abs(derivative)});
      if (std::abs(differences - derivative) <= allowed) continue;
      Fail(fmt::format("the {} along a random direction is {}, and {} by central differences", comparison.what,
                       derivative, differences));
    }
  }

  void Fail(const std::string& sentence) {
    failures_.push_back(fmt::format("{} '{}' on {} replica{}: {}", op_.name, sample_.name, num_replicas_,
                                    num_replicas_ == 1 ? "" : "s", sentence));
  }

  const OpDef& op_;
  const Sample& sample_;
  const int num_replicas_;
  BuildContext context_;
  Attributes attributes_;
  std::vector<Region> regions_;
  std::vector<InputRange> inputs_;
  std::vector<Value> outputs_;
  Tensors operands_, results_;
  bool has_narrow_ = false;
  size_t first_narrow_ = 0;
  std::vector<Comparison> comparisons_;
  PerReplica arguments_, values_;
  Failures failures_;
};

std::string_view ToString(LoweringTarget target) {
  switch (target) {
    case LoweringTarget::kCpu:
      return "cpu";
    case LoweringTarget::kGpu:
      return "gpu";
    case LoweringTarget::kTpu:
      break;
  }
  return "tpu";
}

// The names of a module's operations, in order.
std::string FormOf(const std::string& module) {
  static constexpr std::string_view kPrefix = "\"stablehlo.";
  std::string form;
  for (size_t at = module.find(kPrefix); at != std::string::npos; at = module.find(kPrefix, at + 1)) {
    form += module.substr(at, module.find('"', at + 1) - at);
  }
  return form;
}

}  // namespace

Failures CheckOp(const OpDef& op, Backend& backend) {
  Failures failures;
  const std::vector<Sample> samples = op.samples();
  if (samples.empty()) failures.push_back(std::string(op.name) + " has no samples, so nothing of it is checked");
  const bool across = op.is_collective || op.typing == TypingRule::kVarying;
  for (const Sample& sample : samples) {
    for (int num_replicas : across ? std::vector<int>{1, kManyReplicas} : std::vector<int>{1}) {
      try {
        const Failures found = SampleProgram(op, sample, num_replicas).Check(backend);
        failures.insert(failures.end(), found.begin(), found.end());
      } catch (const Error& error) {
        failures.push_back(fmt::format("{} '{}': {}", op.name, sample.name, error.what()));
      }
    }
  }
  return failures;
}

Failures RunAll(Backend& backend) {
  Failures failures;
  for (const OpDef* op : AllOps()) {
    const Failures found = CheckOp(*op, backend);
    failures.insert(failures.end(), found.begin(), found.end());
  }
  return failures;
}

std::string GoldenText(const OpDef& op) {
  std::string text;
  std::set<std::string> forms;
  for (const Sample& sample : op.samples()) {
    for (LoweringTarget target : {LoweringTarget::kCpu, LoweringTarget::kGpu, LoweringTarget::kTpu}) {
      const std::string module = SampleProgram(op, sample, op.is_collective ? kManyReplicas : 1).Text(target);
      if (!forms.insert(FormOf(module)).second) continue;
      text += fmt::format("// {}, {}\n{}\n", sample.name, ToString(target), module);
    }
  }
  return text;
}

}  // namespace replicator::testing
