// State that outlives a step.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "replicator/graph/tensor.h"

namespace replicator {

// Builds a variable's first value in the graph that is current when it is called. Random draws inside take their key
// from (seed, the variable's name), so the value depends neither on the number of replicas nor on the order of
// declaration.
using Initializer = std::function<Tensor(const Shape& shape)>;

// How the values of a per-replica variable become the one value that a checkpoint holds for any number of replicas.
// kNone: the variable is mirrored, that is equal on all replicas by construction.
enum class Aggregation { kNone, kSum, kMean, kOnlyFirstReplica };

struct VariableOptions {
  std::string name;         // the full path, "dense_1/kernel"; must be new in its replicator
  Shape shape;              // dtype and extents
  Initializer initializer;  // required
  bool trainable = true;    // whether optimizers take it when they are given no list
  Aggregation aggregation = Aggregation::kNone;
};

// A declared variable, immutable. Identity is the object's address; `index` is its place in the order of declaration.
struct VariableDef {
  VariableOptions options;
  int index = 0;
  int logical_device = 0;             // of each replica, which holds the value
  std::vector<SourceLocation> where;  // of the declaration, the user's line first
};

// A shared handle: copies name the same variable. It belongs to the replicator in whose context it was declared, and is
// read into whatever graph is being built. Within a step, program order holds: a read after an assignment sees the new
// value. All assignments of a step commit together at its end.
class Variable {
 public:
  Variable() = default;  // undefined
  // Declares one in the current replicator context. Inside a step function, only replica 0 may declare mirrored ones;
  // the other replicas find those by name. Throws Error: kFailedPrecondition without a context, kAlreadyExists for a
  // name in use, kInvalidArgument for a missing name or initializer.
  explicit Variable(VariableOptions options, SourceLocation where = SourceLocation::current());
  explicit Variable(std::shared_ptr<const VariableDef> def) : def_(std::move(def)) {}

  bool defined() const { return def_ != nullptr; }
  const std::string& name() const { return def().options.name; }
  const Shape& shape() const { return def().options.shape; }
  DType dtype() const { return shape().dtype; }
  bool trainable() const { return def().options.trainable; }
  Aggregation aggregation() const { return def().options.aggregation; }
  // The one of each replica's devices that holds it; reads and updates happen there.
  int logical_device() const { return def().logical_device; }

  // The value as of this point of the step being built.
  Tensor Read(SourceLocation where = SourceLocation::current()) const;
  // Sets the value from this point on. Throws GraphError where shape or dtype differ, or where a mirrored variable
  // would get a varying value (then reduce it first, or wrap the optimizer).
  void Assign(const Operand& value) const;
  void AssignAdd(const Operand& delta) const;

  const VariableDef& def() const;
  const std::shared_ptr<const VariableDef>& shared_def() const { return def_; }
  friend bool operator==(const Variable& a, const Variable& b) { return a.def_ == b.def_; }

 private:
  std::shared_ptr<const VariableDef> def_;
};

}  // namespace replicator
