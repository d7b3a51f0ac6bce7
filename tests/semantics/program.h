// What the small programs share.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "replicator/replicator.h"

namespace replicator::testing_support {

inline LocalReplicator Replicas(int n, uint64_t seed = 1) { return LocalReplicator({.num_replicas = n, .seed = seed}); }

// Example i of `count` is the number i (f32).
inline data::Dataset Numbers(int64_t count) {
  Literal x{Shape{DType::kF32, {count}}};
  for (int64_t i = 0; i < count; ++i) x.mutable_data<float>()[static_cast<size_t>(i)] = static_cast<float>(i);
  return data::Dataset::FromTensors({{"x", x}});
}
// Batches of `per_replica` numbers, for ever.
inline InputFn Counting(int64_t count, int64_t per_replica) {
  return [=](const InputContext& context) { return Numbers(count).Repeat().Shard(context).Batch(per_replica); };
}

inline Tensor ZeroInit(const Shape& shape) { return Zeros(shape); }

inline Variable ScalarVariable(const std::string& name, double value = 0) {
  return Variable({.name = name, .shape = {DType::kF32, {}}, .initializer = [value](const Shape& shape) {
                     return Full(shape, value);
                   }});
}

// Runs `action`, which must throw an Error, and returns it.
template <typename Action>
Error ErrorOf(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error";
  return Error(ErrorCode::kUnknown, "none");
}

inline std::vector<uint32_t> LinesOf(const Error& error) {
  std::vector<uint32_t> lines;
  for (const SourceLocation& where : error.where()) lines.push_back(where.line());
  return lines;
}

}  // namespace replicator::testing_support
