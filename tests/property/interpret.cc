#include "interpret.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>

namespace replicator::testing {
namespace {

using Kind = Instruction::Kind;

size_t Count(const Dims& dims) {
  return static_cast<size_t>(std::accumulate(dims.begin(), dims.end(), int64_t{1}, std::multiplies<>()));
}

HostTensor Filled(const Dims& dims, double value) { return {dims, std::vector<double>(Count(dims), value)}; }

double Sum(const HostTensor& x) { return std::accumulate(x.data.begin(), x.data.end(), 0.0); }

HostTensor Map(HostTensor x, const std::function<double(double)>& fn) {
  for (double& value : x.data) value = fn(value);
  return x;
}

HostTensor Zip(HostTensor x, const HostTensor& y, const std::function<double(double, double)>& fn) {
  for (size_t i = 0; i < x.data.size(); ++i) x.data[i] = fn(x.data[i], y.data[i]);
  return x;
}

HostTensor Transposed(const HostTensor& x) {
  HostTensor y{Dims(x.dims.rbegin(), x.dims.rend()), std::vector<double>(x.data.size())};
  for (size_t i = 0; i < x.data.size(); ++i) {
    size_t rest = i, place = 0, stride = 1;
    std::vector<size_t> index(x.dims.size());
    for (size_t axis = x.dims.size(); axis-- > 0;) {
      index[axis] = rest % static_cast<size_t>(x.dims[axis]);
      rest /= static_cast<size_t>(x.dims[axis]);
    }
    // Axis 0 of x is the last of y, so it has stride 1.
    for (size_t axis = 0; axis < index.size(); ++axis) {
      place += index[axis] * stride;
      stride *= static_cast<size_t>(x.dims[axis]);
    }
    y.data[place] = x.data[i];
  }
  return y;
}

HostTensor SumOfAxis0(const HostTensor& x) {
  HostTensor y = Filled(Dims(x.dims.begin() + 1, x.dims.end()), 0);
  for (size_t i = 0; i < x.data.size(); ++i) y.data[i % y.data.size()] += x.data[i];
  return y;
}

double Unary(int which, double x) {
  switch (which) {
    case Instruction::kTanh:
      return std::tanh(x);
    case Instruction::kLogistic:
      return 1 / (1 + std::exp(-x));
    case Instruction::kNegate:
      return -x;
    case Instruction::kAbs:
      return std::fabs(x);
    default:
      return std::sin(std::tanh(x));
  }
}

double Binary(int which, double x, double y) {
  switch (which) {
    case Instruction::kAdd:
      return x + y;
    case Instruction::kSubtract:
      return x - y;
    case Instruction::kMultiplyByTanh:
      return x * std::tanh(y);
    case Instruction::kMaximum:
      return std::max(x, y);
    default:
      return std::min(x, y);
  }
}

class Interpreter {
 public:
  Interpreter(const RandomProgram& program, Fault fault)
      : num_replicas_(static_cast<size_t>(program.num_replicas)), fault_(fault) {}

  void Run(const std::vector<Instruction>& instructions, std::vector<HostValue>& values) {
    for (const Instruction& instruction : instructions) values.push_back(Evaluate(instruction, values));
  }

 private:
  HostValue ForEachReplica(const std::function<HostTensor(size_t)>& fn) {
    HostValue value;
    for (size_t r = 0; r < num_replicas_; ++r) value.push_back(fn(r));
    return value;
  }

  HostValue Same(const HostTensor& value) {
    return ForEachReplica([&](size_t) { return value; });
  }

  HostValue Result(const Block& block, std::vector<HostValue> values) {
    Run(block.instructions, values);
    return values[static_cast<size_t>(block.result)];
  }

  HostValue Evaluate(const Instruction& instruction, const std::vector<HostValue>& values) {
    const auto operand = [&](size_t i) -> const HostValue& {
      return values[static_cast<size_t>(instruction.operands[i])];
    };
    switch (instruction.kind) {
      case Kind::kConstant:
        return HostValue(num_replicas_, Filled(instruction.dims, instruction.number));
      case Kind::kReplicaConstant:
        return ForEachReplica(
            [&](size_t r) { return Filled(instruction.dims, instruction.number + static_cast<double>(r)); });
      case Kind::kUnary:
        return ForEachReplica(
            [&](size_t r) { return Map(operand(0)[r], [&](double x) { return Unary(instruction.which, x); }); });
      case Kind::kBinary:
        return ForEachReplica([&](size_t r) {
          return Zip(operand(0)[r], operand(1)[r], [&](double x, double y) { return Binary(instruction.which, x, y); });
        });
      case Kind::kSelect:
        return ForEachReplica([&](size_t r) {
          return Zip(operand(0)[r], operand(1)[r],
                     [&](double x, double y) { return x > y + instruction.number ? x : y; });
        });
      case Kind::kReduceSum:
        return ForEachReplica([&](size_t r) { return Filled({}, Sum(operand(0)[r])); });
      case Kind::kSumOfAxis0:
        return ForEachReplica([&](size_t r) { return SumOfAxis0(operand(0)[r]); });
      case Kind::kBroadcast:
        return ForEachReplica([&](size_t r) { return Filled(instruction.dims, operand(0)[r].data[0]); });
      case Kind::kTranspose:
        return ForEachReplica([&](size_t r) { return Transposed(operand(0)[r]); });
      case Kind::kSlice:
        return ForEachReplica([&](size_t r) {
          const HostTensor& x = operand(0)[r];
          Dims fewer = x.dims;
          --fewer[0];
          HostTensor y = Filled(fewer, 0);
          const size_t row = x.data.size() - y.data.size();
          for (size_t i = 0; i < y.data.size(); ++i) y.data[i] = x.data[i + row];
          return y;
        });
      case Kind::kCollective:
        return Communicate(instruction, operand(0), operand(instruction.operands.size() - 1));
      case Kind::kDiffer: {
        const HostValue even = Result(instruction.blocks[0], values), odd = Result(instruction.blocks[1], values);
        return ForEachReplica(
            [&](size_t r) { return r % 2 == 0 || fault_ == Fault::kFirstBlockForAll ? even[r] : odd[r]; });
      }
      case Kind::kCond: {
        const HostValue yes = Result(instruction.blocks[0], values), no = Result(instruction.blocks[1], values);
        return ForEachReplica([&](size_t r) { return Sum(operand(0)[r]) > instruction.number ? yes[r] : no[r]; });
      }
      case Kind::kFor:
        return Loop(instruction, operand(0), values);
    }
    return {};
  }

  HostValue Loop(const Instruction& instruction, const HostValue& init, std::vector<HostValue> values) {
    HostValue carry = init;
    const size_t visible = values.size();
    const int times = instruction.times - (fault_ == Fault::kOneIterationLess ? 1 : 0);
    for (int i = 0; i < times; ++i) {
      values.resize(visible);
      values.emplace_back(num_replicas_, Filled({}, i));
      values.push_back(fault_ == Fault::kCarryIsInit ? init : carry);
      carry = Result(instruction.blocks[0], values);
    }
    return carry;
  }

  HostTensor Fold(const HostValue& x, const std::function<double(double, double)>& fn) {
    HostTensor all = x[0];
    for (size_t r = 1; r < num_replicas_; ++r) all = Zip(all, x[r], fn);
    return all;
  }

  HostValue Communicate(const Instruction& instruction, const HostValue& x, const HostValue& weight) {
    const double replicas = static_cast<double>(num_replicas_);
    const auto times = static_cast<size_t>(instruction.times);
    const auto scaled = [](const HostTensor& t, double by) { return Map(t, [by](double v) { return v * by; }); };
    switch (instruction.which) {
      case Instruction::kAllSum:
        return Same(scaled(Fold(x, std::plus<>()), fault_ == Fault::kMeanForSum ? 1 / replicas : 1));
      case Instruction::kAllMean:
        return Same(scaled(Fold(x, std::plus<>()), 1 / replicas));
      case Instruction::kAllMin:
        return Same(Fold(x, [](double a, double b) { return std::min(a, b); }));
      case Instruction::kAllMax:
        return Same(Fold(x, [](double a, double b) { return std::max(a, b); }));
      case Instruction::kAllGather: {
        HostTensor all{x[0].dims, {}};
        all.dims.insert(all.dims.begin(), static_cast<int64_t>(num_replicas_));
        for (const HostTensor& each : x) std::copy(each.data.begin(), each.data.end(), std::back_inserter(all.data));
        return Same(all);
      }
      case Instruction::kBroadcastFrom:
        return Same(x[times]);
      // Row k of each replica is k + 1 times its value; either way replica r gets all r-th rows, summed.
      case Instruction::kReduceScatter:
      case Instruction::kAllToAll: {
        const HostTensor sum = Fold(x, std::plus<>());
        return ForEachReplica([&](size_t r) { return scaled(sum, static_cast<double>(r + 1)); });
      }
      case Instruction::kPermute: {
        HostValue moved = Same(Filled(x[0].dims, 0));
        const size_t shift = fault_ == Fault::kNeighbourForPermute ? 1 : times;
        for (size_t r = 0; r < num_replicas_; ++r) {
          if (r != times) moved[(r + shift) % num_replicas_] = x[r];
        }
        return moved;
      }
      default: {
        double total = 0, weights = 0;
        for (size_t r = 0; r < num_replicas_; ++r) {
          for (size_t i = 0; i < x[r].data.size(); ++i) {
            total += x[r].data[i] * std::fabs(weight[r].data[i]);
            weights += std::fabs(weight[r].data[i]);
          }
        }
        return Same(Filled({}, weights == 0 ? 0 : total / weights));
      }
    }
  }

  const size_t num_replicas_;
  const Fault fault_;
};

}  // namespace

HostResults Interpret(const RandomProgram& program, const HostValue& input, const HostTensor& variable, Fault fault) {
  std::vector<HostValue> values = {input, HostValue(input.size(), variable)};
  Interpreter(program, fault).Run(program.instructions, values);
  HostResults results;
  for (int output : program.outputs) results.outputs.push_back(values[static_cast<size_t>(output)]);
  results.variable = values[static_cast<size_t>(program.assigned)][0];
  return results;
}

}  // namespace replicator::testing
