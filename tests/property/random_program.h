// Random step functions: a small language of its own, which is built through the public interface (build.h) and
// computed on the host for all replicas (interpret.h). The two share nothing but this description.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "replicator/base/shape.h"

namespace replicator::testing {

struct Instruction;

// Instructions, each of which adds one value to those that are visible; the block's result is one of them, by its
// place. A block sees all values made before it, then its own parameters, then its own values.
struct Block {
  std::vector<Instruction> instructions;
  int result = 0;
};

struct Instruction {
  enum class Kind {
    kConstant,         // all elements `number`
    kReplicaConstant,  // all elements `number` + replica_index: replicas differ
    kUnary,
    kBinary,
    kSelect,      // operand 0 where operand 0 > operand 1 + number, else operand 1
    kReduceSum,   // over all axes
    kSumOfAxis0,  // over the leading axis
    kBroadcast,   // to `dims`
    kTranspose,   // reverses the axes
    kSlice,       // drops the first row
    kCollective,
    kDiffer,  // C++ chooses the block: blocks[replica_index % 2]
    kCond,    // blocks[0] where sum(operand 0) > number, else blocks[1]
    kFor,     // `times` times; the block's parameters are the iteration (a scalar) and the carry, which begins as
              // operand 0
  };
  enum Unary { kTanh, kLogistic, kNegate, kAbs, kSineOfTanh, kNumUnary };
  enum Binary { kAdd, kSubtract, kMultiplyByTanh, kMaximum, kMinimum, kNumBinary };
  enum Collective {
    kAllSum,
    kAllMean,
    kAllMin,
    kAllMax,
    kAllGather,
    kBroadcastFrom,  // `times` is the source
    kReduceScatter,  // of R rows, the k-th k + 1 times the operand; without the leading axis of 1
    kAllToAll,       // of the same rows; summed over the leading axis
    kPermute,        // a ring: replica r sends to r + times, but replica `times` sends nothing
    kWeightedMean,   // operand 1's absolute value is the weight
    kNumCollective
  };

  Kind kind = Kind::kConstant;
  int which = 0;  // Unary, Binary or Collective
  std::vector<int> operands;
  double number = 0;
  int times = 0;
  Dims dims;
  std::vector<Block> blocks;
};

// The visible values begin with the input (f64[2,3], varying) and the variable (f64[3], mirrored). The step returns
// `outputs` and assigns `assigned` (f64[3], replicated) to the variable.
struct RandomProgram {
  uint64_t seed = 0;
  int num_replicas = 1;
  std::vector<Instruction> instructions;
  std::vector<int> outputs;
  int assigned = 0;
};

// The same for the same seed.
RandomProgram Generate(uint64_t seed, int num_replicas);
// For a person who has to find out what went wrong.
std::string ToString(const RandomProgram& program);

}  // namespace replicator::testing
