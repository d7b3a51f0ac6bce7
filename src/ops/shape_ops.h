// The definitions behind replicator/ops/shape.h.
#pragma once

#include "graph/op_def.h"

namespace replicator {

extern const OpDef kConstant;            // value: Literal
extern const OpDef kIota;                // dtype, dims, axis
extern const OpDef kBroadcastInDim;      // dims; axes: the result axis of each operand axis, increasing
extern const OpDef kReshape;             // dims
extern const OpDef kTranspose;           // permutation
extern const OpDef kConcatenate;         // axis
extern const OpDef kReverse;             // axes
extern const OpDef kSlice;               // start, limit, strides
extern const OpDef kPad;                 // low, high, interior, value
extern const OpDef kDynamicSlice;        // size; operands: x, one start per axis
extern const OpDef kDynamicUpdateSlice;  // operands: x, update, one start per axis

// Whether `dtype` can hold `value`: floating types round it, but must not overflow.
bool Representable(double value, DType dtype);

}  // namespace replicator
