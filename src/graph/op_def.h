// The definition of an operation: every rule it has, in one place. Each field without a default must be given: leaving
// out a gradient, a lowering or the samples does not compile. docs/adding_an_op.md walks through one.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graph/attributes.h"
#include "replicator/graph/tensor.h"

namespace replicator {

class Emitter;
class Graph;
struct Node;

using Region = std::shared_ptr<const Graph>;

// A value in emitted StableHLO text.
struct SsaValue {
  std::string name;  // "%12"
  Shape shape;
};

// What a shape rule sees: a pure function of these.
struct InferContext {
  std::span<const Shape> operands;
  const Attributes& attributes;
  std::span<const Region> regions;
};

// Thrown by shape rules; becomes a GraphError with the operation, the shapes and the user's line.
struct RuleViolation {
  std::string rule;
};
inline void Require(bool holds, const char* rule) {
  if (!holds) throw RuleViolation{rule};
}
inline void Require(bool holds, const std::function<std::string()>& rule) {
  if (!holds) throw RuleViolation{rule()};
}

// Shapes of the results, or RuleViolation.
class Infer {
 public:
  using Rule = std::vector<Shape> (*)(const InferContext&);
  Infer(Rule rule) : rule_(rule) {}  // NOLINT: implicit by design
  std::vector<Shape> operator()(const InferContext& context) const { return rule_(context); }

 private:
  Rule rule_;
};

// How the results' typing follows from the operands'.
enum class TypingRule {
  kJoin,          // varying if any operand is
  kReplicated,    // always equal on all replicas (constants, reductions over replicas)
  kVarying,       // always different (replica_id)
  kFirstOperand,  // that of the first operand, whatever the others are
  kAttribute,     // the boolean attribute "varying" says it (parameters, random draws)
  kRegions,       // OpDef::region_typing says it, result by result
};

// The typing of each result of a node with regions, for operands of these typings.
using RegionTyping = std::vector<Typing> (*)(const Node& node, std::span<const Typing> operands);

// What a gradient rule sees of the node it differentiates.
class GradientContext {
 public:
  virtual ~GradientContext() = default;
  virtual const Node& node() const = 0;
  virtual Tensor operand(int i) const = 0;
  virtual Tensor result(int i = 0) const = 0;
  // The gradient of the result: zeros where nothing depends on that result.
  virtual Tensor cotangent(int i = 0) const = 0;
  // result(i) as it was first computed, where rules are given recomputed values (ops/rematerialise.h).
  virtual Tensor stored_result(int i) const = 0;
  // Whether anything depends on that result.
  virtual bool reached(int result) const = 0;
  // Whether anyone asks for this operand's gradient; a rule may leave out the others.
  virtual bool needs(int operand) const = 0;
};

// The transpose of an operation's derivative, or the reason why there is none.
class Gradient {
 public:
  // One tensor per operand; an undefined one where the operand has no gradient.
  using RuleFn = std::vector<Tensor> (*)(const GradientContext&);
  static Gradient Rule(RuleFn function) { return Gradient(function, {}); }
  // The derivative is zero everywhere (or undefined by nature: integers, comparisons): nothing flows, silently.
  static Gradient Zero(std::string_view because) { return Gradient(nullptr, because, /*zero=*/true); }
  // Differentiating through it is an error that tells the reason.
  static Gradient None(std::string_view because) { return Gradient(nullptr, because); }

  RuleFn rule() const { return rule_; }
  bool is_zero() const { return zero_; }
  std::string_view reason() const { return reason_; }

 private:
  Gradient(RuleFn function, std::string_view because, bool zero = false)
      : rule_(function), reason_(because), zero_(zero) {}
  RuleFn rule_;
  std::string_view reason_;
  bool zero_;
};

// Emits the node as StableHLO through the emitter and returns its results.
class Lower {
 public:
  using Rule = std::vector<SsaValue> (*)(const Node& node, std::span<const SsaValue> operands, Emitter& emitter);
  Lower(Rule rule) : rule_(rule) {}  // NOLINT: implicit by design
  std::vector<SsaValue> operator()(const Node& node, std::span<const SsaValue> operands, Emitter& emitter) const {
    return rule_(node, operands, emitter);
  }

 private:
  Rule rule_;
};

// One setting in which the conformance suite runs the operation: shape rule against the compiled shape, golden text,
// finite differences (for floating operands), and the oracle where there is one.
struct Sample {
  std::string name;             // distinct within the operation
  std::vector<Shape> operands;  // floating shapes are f64 for finite differences, and run as f32 too
  Attributes attributes = {};
  double low = -2.0, high = 2.0;  // operands are drawn from this range, away from integers so that kinks are not hit
  double tolerance = 1e-6;        // of the finite-difference check, relative
  std::vector<Region> regions = {};
  std::vector<Region> (*make_regions)(int num_replicas) = nullptr;  // where they depend on it, instead of `regions`
};

struct OpDef;

// Computes the results on the host by another road, in double precision: the numeric oracle.
using Oracle = std::vector<Literal> (*)(std::span<const Literal> operands, const Attributes& attributes);

class Samples {
 public:
  using Make = std::vector<Sample> (*)();
  Samples(Make make) : make_(make) {}  // NOLINT: implicit by design
  std::vector<Sample> operator()() const { return make_(); }

 private:
  Make make_;
};

struct OpDef {
  std::string_view name;  // StableHLO's where it has the operation, TF-Replicator's for collectives
  Infer infer;
  TypingRule typing = TypingRule::kJoin;
  Gradient gradient;
  Lower lower;
  Samples samples;
  Oracle oracle = nullptr;
  // A placeholder: matched across replicas, and never inside a region in which replicas differ.
  bool is_collective = false;
  RegionTyping region_typing = nullptr;  // for TypingRule::kRegions
};

}  // namespace replicator
