// The cross-replica operations of StableHLO, over all replicas. For one replica each is the operand itself.
#pragma once

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

// As unsigned integers of the same width (bool: 0 and 1), and back: for moving values of every type bit by bit.
SsaValue EmitToBits(Emitter& emitter, const SsaValue& x);
SsaValue EmitFromBits(Emitter& emitter, const SsaValue& bits, DType dtype);

}  // namespace replicator
