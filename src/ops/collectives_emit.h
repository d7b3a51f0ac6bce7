// The cross-replica operations of StableHLO, over all replicas. For one replica each is the operand itself.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "graph/emitter.h"

namespace replicator {

// "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>"
std::string MlirReplicaGroups(int num_replicas);
SsaValue EmitReplicaId(Emitter& emitter);

// Each operand reduced with `op` ("stablehlo.add", ...). Those of one element type go into one all_reduce: StableHLO's
// rule is that its operands share the type of the computation, and every all_reduce is a rendezvous of its own, whose
// cost is that of tens of kilobytes.
std::vector<SsaValue> EmitAllReduce(Emitter& emitter, std::string_view op, std::span<const SsaValue> operands);
// A new leading axis of extent R.
SsaValue EmitAllGather(Emitter& emitter, const SsaValue& x);

// The least or greatest of each operand; NaN wins over everything, and -0 is less than 0. All_reduces of plain floating
// values lose NaN, depending on the order in which replicas arrive (seen on XLA:CPU), so they go as integers of the
// same order.
enum class Extremum { kMin, kMax };
std::vector<SsaValue> EmitAllExtremum(Emitter& emitter, Extremum extremum, std::span<const SsaValue> operands);

// What `move` (an all_gather, an all_to_all) makes of x, every bit of it; nothing moves for a result without elements,
// which StableHLO refuses in places. XLA:CPU widens 16-bit floating values in those to f32, which moves twice the bytes
// and changes NaN, so that there they go as integers.
using Move = std::function<SsaValue(const SsaValue& x)>;
SsaValue EmitMove(Emitter& emitter, const SsaValue& x, const Shape& result, const Move& move);

// As unsigned integers of the same width (bool: 0 and 1), and back: for moving values of every type bit by bit.
SsaValue EmitToBits(Emitter& emitter, const SsaValue& x);
SsaValue EmitFromBits(Emitter& emitter, const SsaValue& bits, DType dtype);

}  // namespace replicator
