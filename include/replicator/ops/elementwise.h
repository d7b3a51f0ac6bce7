// Element by element. Operands broadcast as in NumPy (extents aligned from the last axis; 1 stretches). Two tensors
// must have the same dtype: there is no silent promotion, convert one with Convert. A C++ number takes the dtype of the
// other operand, and is refused if it cannot be represented there (0.5 in an integer). At least one operand is a
// tensor. All throw GraphError naming the operation, the shapes, the rule and the user's line.
#pragma once

#include "replicator/graph/tensor.h"

namespace replicator {

// Numbers of any type, except bool.
Tensor Add(const Operand& x, const Operand& y);
Tensor Subtract(const Operand& x, const Operand& y);
Tensor Multiply(const Operand& x, const Operand& y);
// Integer division truncates; by zero gives -1 (StableHLO's rule).
Tensor Divide(const Operand& x, const Operand& y);
// The sign follows x.
Tensor Remainder(const Operand& x, const Operand& y);
Tensor Power(const Operand& x, const Operand& y);
// NaN if either is NaN. Where x == y the gradient is split in halves.
Tensor Maximum(const Operand& x, const Operand& y);
Tensor Minimum(const Operand& x, const Operand& y);

Tensor Negate(const Operand& x);
Tensor Abs(const Operand& x);
Tensor Sign(const Operand& x);
Tensor Square(const Operand& x);

// Floating types only.
Tensor Exp(const Operand& x);
Tensor Expm1(const Operand& x);
Tensor Log(const Operand& x);
Tensor Log1p(const Operand& x);
Tensor Sqrt(const Operand& x);
Tensor Rsqrt(const Operand& x);
Tensor Tanh(const Operand& x);
Tensor Logistic(const Operand& x);
Tensor Sine(const Operand& x);
Tensor Cosine(const Operand& x);
Tensor Floor(const Operand& x);
Tensor Ceil(const Operand& x);
Tensor Relu(const Operand& x);      // max(x, 0)
Tensor IsFinite(const Operand& x);  // bool

// bool and integers, bitwise. Shifts: unsigned or signed integers; a shift by >= the width gives 0.
Tensor And(const Operand& x, const Operand& y);
Tensor Or(const Operand& x, const Operand& y);
Tensor Xor(const Operand& x, const Operand& y);
Tensor Not(const Operand& x);
Tensor ShiftLeft(const Operand& x, const Operand& y);
Tensor ShiftRightLogical(const Operand& x, const Operand& y);

// bool results; any comparison with NaN is false, except NotEqual.
Tensor Equal(const Operand& x, const Operand& y);
Tensor NotEqual(const Operand& x, const Operand& y);
Tensor Less(const Operand& x, const Operand& y);
Tensor LessEqual(const Operand& x, const Operand& y);
Tensor Greater(const Operand& x, const Operand& y);
Tensor GreaterEqual(const Operand& x, const Operand& y);

// Where `condition` (bool) holds, on_true, elsewhere on_false. All three broadcast.
Tensor Select(const Operand& condition, const Operand& on_true, const Operand& on_false);
// min(max(x, low), high).
Tensor Clamp(const Operand& low, const Operand& x, const Operand& high);
// The same values in another type, as ConvertElement does; the gradient flows between floating types.
Tensor Convert(const Operand& x, DType dtype);
// x, through which no gradient flows.
Tensor StopGradient(const Operand& x);

// Names as in C++, through Operand, so that `x * 0.5`, `1 - variable` and `variable + x` work. There are no operator==
// and operator!=: comparing handles and comparing values must not look alike; use Equal.
inline Tensor operator+(const Operand& x, const Operand& y) { return Add(x, y); }
inline Tensor operator-(const Operand& x, const Operand& y) { return Subtract(x, y); }
inline Tensor operator*(const Operand& x, const Operand& y) { return Multiply(x, y); }
inline Tensor operator/(const Operand& x, const Operand& y) { return Divide(x, y); }
inline Tensor operator-(const Operand& x) { return Negate(x); }
inline Tensor operator<(const Operand& x, const Operand& y) { return Less(x, y); }
inline Tensor operator<=(const Operand& x, const Operand& y) { return LessEqual(x, y); }
inline Tensor operator>(const Operand& x, const Operand& y) { return Greater(x, y); }
inline Tensor operator>=(const Operand& x, const Operand& y) { return GreaterEqual(x, y); }
inline Tensor operator&(const Operand& x, const Operand& y) { return And(x, y); }
inline Tensor operator|(const Operand& x, const Operand& y) { return Or(x, y); }
inline Tensor operator^(const Operand& x, const Operand& y) { return Xor(x, y); }

}  // namespace replicator
