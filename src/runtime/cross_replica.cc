// Building the cross-replica graph.
#include "replicator/base/error.h"
#include "runtime/engine.h"
#include "runtime/fetch_node.h"

namespace replicator {
namespace {

// A copy of the value's node, to be given a reduction.
std::shared_ptr<FetchNode> CopyNode(const PerReplica& value, const char* what, SourceLocation where) {
  if (value.node() == nullptr) {
    throw Error(ErrorCode::kInvalidArgument, std::string(what) + " of an undefined PerReplica", {where});
  }
  if (value.node()->output < 0) {
    throw Error(ErrorCode::kInvalidArgument,
                std::string(what) + " of a step whose function returns nothing; return the tensor to reduce", {where});
  }
  return std::make_shared<FetchNode>(*value.node());
}

void RefuseSumOfReplicated(const FetchNode& node, const char* what, SourceLocation where) {
  if (node.result.typing != Typing::kReplicated) return;
  throw Error(ErrorCode::kInvalidArgument,
              std::string(what) + " of a value that is equal on all replicas would be " +
                  std::to_string(node.num_replicas) + " times that value; fetch the value itself, or its mean",
              {where});
}

const char* Name(ReduceOp op) {
  switch (op) {
    case ReduceOp::kSum:
      return "Reduce(kSum)";
    case ReduceOp::kMean:
      return "Reduce(kMean)";
    case ReduceOp::kMin:
      return "Reduce(kMin)";
    case ReduceOp::kMax:
      return "Reduce(kMax)";
    case ReduceOp::kOnlyFirstReplica:
      break;
  }
  return "Reduce(kOnlyFirstReplica)";
}

}  // namespace

Fetch Reduce(const PerReplica& value, ReduceOp op, SourceLocation where) {
  const std::shared_ptr<FetchNode> node = CopyNode(value, Name(op), where);
  const DType dtype = node->result.shape.dtype;
  if (op == ReduceOp::kSum) RefuseSumOfReplicated(*node, Name(op), where);
  if (op == ReduceOp::kSum && dtype == DType::kBool) {
    throw Error(ErrorCode::kInvalidArgument,
                "Reduce(kSum) keeps the element type, and bool cannot count; use ReduceSum, or kMax for \"any\"",
                {where});
  }
  if (op == ReduceOp::kMean && !IsFloating(dtype)) {
    throw Error(ErrorCode::kInvalidArgument,
                "Reduce(kMean) needs a floating type, but the value is " + ToString(node->result.shape) +
                    "; convert it in the step function",
                {where});
  }
  node->combine = FetchNode::Combine::kOverReplicas;
  node->op = op;
  return Fetch(node);
}

PerReplica Broadcast(const PerReplica& value, int source, SourceLocation where) {
  const std::shared_ptr<FetchNode> node = CopyNode(value, "Broadcast", where);
  if (source < 0 || source >= node->num_replicas) {
    throw Error(ErrorCode::kInvalidArgument,
                "Broadcast from replica " + std::to_string(source) + ", but there are " +
                    std::to_string(node->num_replicas) + " replicas, from 0",
                {where});
  }
  if (node->result.typing == Typing::kVarying) node->source = source;
  node->result.typing = Typing::kReplicated;
  return PerReplica(node);
}

Fetch ReduceMean(const PerReplica& value, SourceLocation where) {
  const std::shared_ptr<FetchNode> node = CopyNode(value, "ReduceMean", where);
  node->combine = FetchNode::Combine::kMeanOverEverything;
  return Fetch(node);
}

Fetch ReduceSum(const PerReplica& value, SourceLocation where) {
  const std::shared_ptr<FetchNode> node = CopyNode(value, "ReduceSum", where);
  RefuseSumOfReplicated(*node, "ReduceSum", where);
  node->combine = FetchNode::Combine::kSumOverEverything;
  return Fetch(node);
}

PerReplica MakePerReplica(const std::shared_ptr<Engine>& engine, int step, int output) {
  const Program& program = engine->program(step);
  auto node = std::make_shared<FetchNode>();
  node->engine = engine;
  node->step = step;
  node->output = output;
  if (output >= 0) node->result = program.outputs[static_cast<size_t>(output)];
  if (program.executions_per_run > 0) {
    node->result.shape.dims.insert(node->result.shape.dims.begin(), program.executions_per_run);
  }
  node->num_replicas = program.num_replicas;
  return PerReplica(std::move(node));
}

}  // namespace replicator
