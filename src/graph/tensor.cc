#include "replicator/graph/tensor.h"

#include <ostream>
#include <utility>

#include "graph/graph.h"
#include "replicator/graph/variable.h"

namespace replicator {
namespace {

thread_local std::string scope_path;
thread_local const SourceLocation* outermost_site = nullptr;
thread_local SourceLocation outermost_storage;

}  // namespace

std::string_view ToString(Typing typing) { return typing == Typing::kReplicated ? "replicated" : "varying"; }

Tensor::Tensor(std::shared_ptr<Graph> graph, Value value) : graph_(std::move(graph)), value_(value) {}

const Shape& Tensor::shape() const {
  if (!defined()) throw Error(ErrorCode::kInvalidArgument, "an undefined Tensor was used; assign it a value first");
  return graph_->shape(value_);
}

int64_t Tensor::dim(int axis) const {
  const int resolved = axis < 0 ? axis + rank() : axis;
  if (resolved < 0 || resolved >= rank()) {
    throw Error(ErrorCode::kInvalidArgument,
                "axis " + std::to_string(axis) + " is out of range for " + ToString(shape()), {location()});
  }
  return dims()[static_cast<size_t>(resolved)];
}

Typing Tensor::typing() const { return graph_->typing(value_); }
int Tensor::logical_device() const { return graph_->node(value_.node).logical_device; }
SourceLocation Tensor::location() const { return graph_->node(value_.node).user; }

std::string ToString(const Tensor& tensor) {
  if (!tensor.defined()) return "Tensor (undefined)";
  const Node& node = tensor.graph()->node(tensor.value().node);
  const std::string path =
      node.scope.empty() ? std::string(node.op->name) : node.scope + "/" + std::string(node.op->name);
  return "Tensor " + path + ": " + ToString(tensor.shape()) + ", " + std::string(ToString(tensor.typing())) +
         ", from " + ToString(node.user) + "; return it from the step function and run it for its value";
}

std::ostream& operator<<(std::ostream& out, const Tensor& tensor) { return out << ToString(tensor); }

Operand::Operand(const Tensor& tensor, SourceLocation where) : tensor_(tensor), where_(where) {
  if (!tensor.defined()) {
    throw Error(ErrorCode::kInvalidArgument, "an undefined Tensor was passed to an operation; assign it a value first",
                CallSite::Chain(where));
  }
}

Operand::Operand(const Variable& variable, SourceLocation where) : tensor_(variable.Read(where)), where_(where) {}

const Tensor& Operand::tensor() const {
  if (is_number()) {
    throw Error(ErrorCode::kInvalidArgument, "a tensor is needed here, not a number; wrap it in Constant(value, dtype)",
                CallSite::Chain(where_));
  }
  return tensor_;
}

NameScope::NameScope(std::string_view name) : previous_(scope_path) {
  if (!scope_path.empty() && !name.empty()) scope_path += '/';
  scope_path += name;
}
NameScope::NameScope(std::string path, Replace) : previous_(std::exchange(scope_path, std::move(path))) {}
NameScope::~NameScope() { scope_path = std::move(previous_); }
const std::string& NameScope::Current() { return scope_path; }

CallSite::CallSite(SourceLocation where) : outermost_(outermost_site == nullptr) {
  if (outermost_) {
    outermost_storage = where;
    outermost_site = &outermost_storage;
  }
}
CallSite::~CallSite() {
  if (outermost_) outermost_site = nullptr;
}

std::vector<SourceLocation> CallSite::Chain(SourceLocation inner) {
  if (outermost_site == nullptr) return {inner};
  const bool same =
      outermost_site->line() == inner.line() && std::string_view(outermost_site->file_name()) == inner.file_name();
  if (same) return {inner};
  return {*outermost_site, inner};
}

}  // namespace replicator
