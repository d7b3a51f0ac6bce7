#include "ops/operands.h"

#include <cmath>

#include "replicator/graph/graph_error.h"
#include "replicator/ops/shape.h"

namespace replicator {

Tensor AsTensor(const OpDef& op, const Operand& operand, DType dtype) {
  if (!operand.is_number()) return operand.tensor();
  Literal scalar{Shape{dtype, {}}};
  const bool exact = std::visit(
      [&](auto number) {
        VisitDType(dtype, [&]<typename T>() { scalar.mutable_data<T>()[0] = ConvertElement<T>(number); });
        if (IsFloating(dtype)) return true;
        return static_cast<double>(number) == scalar.Item<double>();
      },
      operand.number());
  if (!exact) {
    const std::string text = std::visit([](auto number) { return std::to_string(number); }, operand.number());
    throw GraphError(std::string(op.name), {},
                     "the number " + text + " cannot be represented in " + std::string(ToString(dtype)) +
                         "; convert the tensor first, or pass a number of its type",
                     CallSite::Chain(operand.where()));
  }
  return Constant(scalar, operand.where());
}

std::optional<Dims> BroadcastDims(const Dims& a, const Dims& b) {
  Dims result = a.size() >= b.size() ? a : b;
  const Dims& shorter = a.size() >= b.size() ? b : a;
  const size_t offset = result.size() - shorter.size();
  for (size_t i = 0; i < shorter.size(); ++i) {
    int64_t& extent = result[offset + i];
    if (extent == shorter[i] || shorter[i] == 1) continue;
    if (extent != 1) return std::nullopt;
    extent = shorter[i];
  }
  return result;
}

std::vector<Tensor> Harmonise(const OpDef& op, const std::vector<Operand>& operands) {
  std::optional<DType> dtype;
  for (const Operand& operand : operands) {
    if (!operand.is_number() && !dtype.has_value()) dtype = operand.tensor().dtype();
  }
  if (!dtype.has_value()) {
    throw GraphError(std::string(op.name), {},
                     "at least one operand must be a tensor; compute with plain C++ numbers in C++",
                     CallSite::Chain(operands.front().where()));
  }
  std::vector<Tensor> tensors;
  std::optional<Dims> dims = Dims{};
  for (const Operand& operand : operands) {
    tensors.push_back(AsTensor(op, operand, *dtype));
    if (dims.has_value()) dims = BroadcastDims(*dims, tensors.back().dims());
  }
  if (!dims.has_value()) return tensors;
  for (Tensor& tensor : tensors) {
    if (tensor.dims() != *dims) tensor = BroadcastTo(Operand(tensor, operands.front().where()), *dims);
  }
  return tensors;
}

Tensor AddElementwise(const OpDef& op, const std::vector<Operand>& operands, Attributes attributes) {
  const std::vector<Tensor> tensors = Harmonise(op, operands);
  return AddOp(op, tensors, std::move(attributes), operands.front().where());
}

}  // namespace replicator
