// First values of variables. Random ones are equal on all replicas and depend on the seed and the variable's name only.
//
// Fans: a kernel is [..., in, out]. With k the product of its leading extents (the window of a convolution), fan_in =
// k*in and fan_out = k*out. A vector [n] has fan_in = fan_out = n, a scalar 1.
#pragma once

#include "replicator/graph/variable.h"

namespace replicator::nn::init {

Initializer Zeros();
Initializer Ones();
Initializer Constant(double value);

// The rest need a floating variable. Each throws Error(kInvalidArgument) for a range or deviation that is negative, NaN
// or infinite.
Initializer Uniform(double low, double high);
Initializer Normal(double stddev, double mean = 0);
// Normal, of which only values within two standard deviations of the mean are taken (then the values' own deviation is
// 0.8796 * stddev). By inversion of the distribution function.
Initializer TruncatedNormal(double stddev, double mean = 0);

// Uniform in +-sqrt(6 / (fan_in + fan_out)); Normal with variance 2 / (fan_in + fan_out): Glorot and Bengio,
// "Understanding the difficulty of training deep feedforward neural networks", AISTATS 2010, equation 16.
Initializer GlorotUniform();
Initializer GlorotNormal();
// Uniform in +-sqrt(6 / fan_in); normal with variance 2 / fan_in: He et al., "Delving deep into rectifiers", ICCV 2015,
// equation 10.
Initializer HeUniform();
Initializer HeNormal();
// Normal with variance 1 / fan_in: LeCun et al., "Efficient backprop", 1998, equation 16.
Initializer LecunNormal();

}  // namespace replicator::nn::init
