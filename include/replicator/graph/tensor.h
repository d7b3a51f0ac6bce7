// A value in the graph of one replica's step.
#pragma once

#include <iosfwd>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "replicator/base/error.h"
#include "replicator/base/shape.h"

namespace replicator {

class Graph;
class Variable;

// Whether a tensor is equal on all replicas. Replicated is a promise that holds by construction; varying is everything
// else. An operation's result is the join of its operands (varying wins) unless the operation says otherwise.
enum class Typing : uint8_t { kReplicated, kVarying };

constexpr Typing Join(Typing a, Typing b) { return a == Typing::kVarying ? a : b; }
std::string_view ToString(Typing typing);

// A result of a node: (node, index).
struct Value {
  int node = -1;
  int index = 0;
  friend auto operator<=>(const Value&, const Value&) = default;
};

// A cheap handle on a value that will exist when the step runs. It belongs to the graph that was being built when it
// was made and may be used only while that graph is being built; anything else throws and names both lines. Its value
// is read by returning it from the step function and fetching the result. Not thread-safe, as building is
// single-threaded.
class Tensor {
 public:
  Tensor() = default;  // undefined; only `defined`, assignment and destruction are allowed
  Tensor(std::shared_ptr<Graph> graph, Value value);

  bool defined() const { return graph_ != nullptr; }
  const Shape& shape() const;
  const Dims& dims() const { return shape().dims; }
  DType dtype() const { return shape().dtype; }
  int rank() const { return shape().rank(); }
  // The extent of `axis`; negative axes count from the end.
  int64_t dim(int axis) const;
  Typing typing() const;
  // The one of the replica's devices that computes it.
  int logical_device() const;
  // The user's line that made it.
  SourceLocation location() const;

  const std::shared_ptr<Graph>& graph() const { return graph_; }
  Value value() const { return value_; }

 private:
  std::shared_ptr<Graph> graph_;
  Value value_;
};

// "Tensor add: f32[32,10], varying, from model.cc:12; return it from the step function and run it for its value"
std::string ToString(const Tensor& tensor);
std::ostream& operator<<(std::ostream& out, const Tensor& tensor);

// What an operation takes: a Tensor, a Variable (read here, in program order) or a C++ number, together with the line
// of the call. A number has no type of its own: it takes that of the other operand, so `x * 0.5` stays in x's type.
class Operand {
 public:
  Operand(const Tensor& tensor, SourceLocation where = SourceLocation::current());      // NOLINT: implicit by design
  Operand(const Variable& variable, SourceLocation where = SourceLocation::current());  // NOLINT: implicit by design
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
  Operand(T number, SourceLocation where = SourceLocation::current())  // NOLINT: implicit by design
      : where_(where) {
    if constexpr (std::is_floating_point_v<T>) {
      number_ = static_cast<double>(number);
    } else {
      number_ = static_cast<int64_t>(number);
    }
  }

  bool is_number() const { return !tensor_.defined(); }
  // The tensor. Throws if this is a number.
  const Tensor& tensor() const;
  // The number, an integer or a double as it was written. Only if is_number().
  const std::variant<int64_t, double>& number() const { return number_; }
  const SourceLocation& where() const { return where_; }

 private:
  Tensor tensor_;
  std::variant<int64_t, double> number_;
  SourceLocation where_;
};

// Names what is built while it lives: nodes carry the path "a/b" for pictures and errors, and random draws take it as a
// part of their key. Modules enter one of their own.
class NameScope {
 public:
  explicit NameScope(std::string_view name);
  ~NameScope();
  NameScope(const NameScope&) = delete;
  NameScope& operator=(const NameScope&) = delete;

  // The scope `path` itself, whatever scope it is entered from.
  static NameScope Absolute(std::string path) { return {std::move(path), Replace{}}; }

  // "encoder/block_3"; empty outside any scope.
  static const std::string& Current();

 private:
  struct Replace {};
  NameScope(std::string path, Replace);

  std::string previous_;
};

// While it lives, errors and nodes name `where` as the user's line, ahead of the line of the operation itself. A
// function that composes operations for a user (a module, a loss) enters one with its caller's location; the outermost
// wins.
class CallSite {
 public:
  explicit CallSite(SourceLocation where);
  ~CallSite();
  CallSite(const CallSite&) = delete;
  CallSite& operator=(const CallSite&) = delete;

  // The user's line first, then `inner` where it differs.
  static std::vector<SourceLocation> Chain(SourceLocation inner);

 private:
  bool outermost_;
};

}  // namespace replicator
