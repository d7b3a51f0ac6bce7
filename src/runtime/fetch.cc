#include "replicator/runtime/fetch.h"

#include "replicator/base/error.h"
#include "runtime/fetched_state.h"
#include "runtime/host_reduce.h"

namespace replicator {
namespace {

const FetchNode& NodeOf(const PerReplica& value) {
  if (value.node() != nullptr) return *value.node();
  throw Error(ErrorCode::kFailedPrecondition, "this PerReplica is undefined; Replicator::Run returns defined ones");
}

const FetchNode& ResultOf(const PerReplica& value) {
  const FetchNode& node = NodeOf(value);
  if (node.output >= 0) return node;
  throw Error(ErrorCode::kFailedPrecondition,
              "the step function returns nothing, so that there is no value to ask for");
}

Fetched::State& StateOf(const std::shared_ptr<Fetched::State>& state) {
  if (state != nullptr) return *state;
  throw Error(ErrorCode::kFailedPrecondition, "this Fetched is undefined; Session::Run returns defined ones");
}

// As StateOf, of a state that has a value.
Fetched::State& ValueOf(const std::shared_ptr<Fetched::State>& state) {
  Fetched::State& value = StateOf(state);
  if (value.node().output >= 0) return value;
  throw Error(ErrorCode::kFailedPrecondition, "the step function returns nothing, so that there is no value; use Wait");
}

}  // namespace

const Shape& PerReplica::shape() const { return ResultOf(*this).result.shape; }
bool PerReplica::replicated() const { return ResultOf(*this).result.typing == Typing::kReplicated; }
int PerReplica::num_replicas() const { return NodeOf(*this).num_replicas; }

Literal Fetched::Get() const {
  State& state = ValueOf(state_);
  if (!state.single()) {
    throw Error(ErrorCode::kInvalidArgument, "each of the " + std::to_string(state.node().num_replicas) +
                                                 " replicas has a value of its own; read Get(replica) or GetAll(), or "
                                                 "fetch a Reduce of it");
  }
  return state.Value(0);
}

Literal Fetched::Get(int r) const {
  State& state = ValueOf(state_);
  if (r < 0 || r >= state.node().num_replicas) {
    throw Error(ErrorCode::kInvalidArgument, "there is no replica " + std::to_string(r) + "; there are " +
                                                 std::to_string(state.node().num_replicas) + ", from 0");
  }
  return state.Value(r);
}

std::vector<Literal> Fetched::GetAll() const {
  State& state = ValueOf(state_);
  std::vector<Literal> values;
  for (int r = 0; r < state.node().num_replicas; ++r) values.push_back(state.Value(r));
  return values;
}

void Fetched::Wait() const { StateOf(state_).Wait(); }

Literal Fetched::State::Value(int replica) {
  if (failure_ != nullptr) std::rethrow_exception(failure_);
  if (node_->combine == FetchNode::Combine::kNone) {
    return step_->Output(node_->output, node_->source >= 0 ? node_->source : replica);
  }
  const std::lock_guard lock(mutex_);
  if (combined_.has_value()) return *combined_;
  std::vector<Literal> values;
  const int distinct = node_->result.typing == Typing::kReplicated ? 1 : node_->num_replicas;
  for (int r = 0; r < distinct; ++r)
    values.push_back(step_->Output(node_->output, node_->source >= 0 ? node_->source : r));
  switch (node_->combine) {
    case FetchNode::Combine::kNone:
    case FetchNode::Combine::kOverReplicas:
      combined_ = ReduceOverReplicas(values, node_->op);
      break;
    case FetchNode::Combine::kSumOverEverything:
      combined_ = SumOverEverything(values);
      break;
    case FetchNode::Combine::kMeanOverEverything:
      combined_ = MeanOverEverything(values);
      break;
  }
  return *combined_;
}

}  // namespace replicator
