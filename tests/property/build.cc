#include "build.h"

namespace replicator::testing {
namespace {

using Kind = Instruction::Kind;

Tensor Unary(int which, const Tensor& x) {
  switch (which) {
    case Instruction::kTanh:
      return Tanh(x);
    case Instruction::kLogistic:
      return Logistic(x);
    case Instruction::kNegate:
      return -x;
    case Instruction::kAbs:
      return Abs(x);
    default:
      return Sine(Tanh(x));
  }
}

Tensor Binary(int which, const Tensor& x, const Tensor& y) {
  switch (which) {
    case Instruction::kAdd:
      return x + y;
    case Instruction::kSubtract:
      return x - y;
    case Instruction::kMultiplyByTanh:
      return x * Tanh(y);
    case Instruction::kMaximum:
      return Maximum(x, y);
    default:
      return Minimum(x, y);
  }
}

Tensor Transposed(const Tensor& x) {
  std::vector<int> axes;
  for (int axis = x.rank() - 1; axis >= 0; --axis) axes.push_back(axis);
  return Transpose(x, axes);
}

Tensor WithoutFirstRow(const Tensor& x) {
  Dims start(x.dims().size(), 0);
  start[0] = 1;
  return Slice(x, start, x.dims());
}

// R rows, the k-th k + 1 times x.
Tensor Rows(const Tensor& x, int replicas) {
  Dims dims = x.dims();
  dims.insert(dims.begin(), replicas);
  return BroadcastTo(ExpandDims(x, 0), dims) * (Iota(Shape{DType::kF64, dims}, 0) + 1);
}

Tensor Communicate(const Instruction& instruction, const std::vector<Tensor>& operands) {
  const Tensor& x = operands[0];
  const int replicas = ReplicaContext::Current().num_replicas();
  switch (instruction.which) {
    case Instruction::kAllSum:
      return AllSum(x);
    case Instruction::kAllMean:
      return AllMean(x);
    case Instruction::kAllMin:
      return AllMin(x);
    case Instruction::kAllMax:
      return AllMax(x);
    case Instruction::kAllGather:
      return AllGather(x);
    case Instruction::kBroadcastFrom:
      return Broadcast(x, instruction.times);
    case Instruction::kReduceScatter:
      return Reshape(ReduceScatter(Rows(x, replicas)), x.dims());
    case Instruction::kAllToAll:
      return ReduceSum(AllToAll(Rows(x, replicas)), {.axes = {{0}}});
    case Instruction::kPermute: {
      PermutePairs pairs;
      for (int r = 0; r < replicas; ++r) {
        if (r != instruction.times) pairs.emplace_back(r, (r + instruction.times) % replicas);
      }
      return Permute(x, pairs);
    }
    default:
      return WeightedMean(x, Abs(operands[1]));
  }
}

void Run(const std::vector<Instruction>& instructions, std::vector<Tensor>& values);

Tensor Result(const Block& block, std::vector<Tensor> values) {
  Run(block.instructions, values);
  return values[static_cast<size_t>(block.result)];
}

Tensor Build(const Instruction& instruction, const std::vector<Tensor>& values) {
  std::vector<Tensor> operands;
  for (int operand : instruction.operands) operands.push_back(values[static_cast<size_t>(operand)]);
  const int replica = ReplicaContext::Current().replica_index();
  switch (instruction.kind) {
    case Kind::kConstant:
      return Full({DType::kF64, instruction.dims}, instruction.number);
    case Kind::kReplicaConstant:
      return Full({DType::kF64, instruction.dims}, instruction.number + replica);
    case Kind::kUnary:
      return Unary(instruction.which, operands[0]);
    case Kind::kBinary:
      return Binary(instruction.which, operands[0], operands[1]);
    case Kind::kSelect:
      return Select(operands[0] > operands[1] + instruction.number, operands[0], operands[1]);
    case Kind::kReduceSum:
      return ReduceSum(operands[0]);
    case Kind::kSumOfAxis0:
      return ReduceSum(operands[0], {.axes = {{0}}});
    case Kind::kBroadcast:
      return BroadcastTo(operands[0], instruction.dims);
    case Kind::kTranspose:
      return Transposed(operands[0]);
    case Kind::kSlice:
      return WithoutFirstRow(operands[0]);
    case Kind::kCollective:
      return Communicate(instruction, operands);
    case Kind::kDiffer:
      return Result(instruction.blocks[static_cast<size_t>(replica % 2)], values);
    case Kind::kCond:
      return Cond(
          ReduceSum(operands[0]) > instruction.number, [&] { return Result(instruction.blocks[0], values); },
          [&] { return Result(instruction.blocks[1], values); });
    case Kind::kFor:
      return For(
          instruction.times,
          [&](const Tensor& i, const Tensor& carry) {
            std::vector<Tensor> inside = values;
            inside.push_back(Convert(i, DType::kF64));
            inside.push_back(carry);
            return Result(instruction.blocks[0], std::move(inside));
          },
          operands[0]);
  }
  return {};
}

void Run(const std::vector<Instruction>& instructions, std::vector<Tensor>& values) {
  for (const Instruction& instruction : instructions) values.push_back(Build(instruction, values));
}

}  // namespace

std::vector<Tensor> BuildStep(const RandomProgram& program, const Tensor& input, const Variable& variable) {
  std::vector<Tensor> values = {input, variable.Read()};
  Run(program.instructions, values);
  std::vector<Tensor> outputs;
  for (int output : program.outputs) outputs.push_back(values[static_cast<size_t>(output)]);
  variable.Assign(values[static_cast<size_t>(program.assigned)]);
  return outputs;
}

}  // namespace replicator::testing
