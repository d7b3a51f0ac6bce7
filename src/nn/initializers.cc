#include "replicator/nn/initializers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "replicator/ops/elementwise.h"
#include "replicator/ops/random.h"
#include "replicator/ops/shape.h"

namespace replicator::nn::init {
namespace {

constexpr RandomOptions kEqualOnAllReplicas{.typing = Typing::kReplicated};

struct Fans {
  double in = 1, out = 1;
};

Fans FansOf(const Dims& dims) {
  if (dims.empty()) return {};
  const auto last = static_cast<double>(dims.back());
  if (dims.size() == 1) return {std::max(last, 1.0), std::max(last, 1.0)};
  const auto window = static_cast<double>(NumElements({dims.begin(), dims.end() - 2}));
  return {std::max(window * static_cast<double>(dims[dims.size() - 2]), 1.0), std::max(window * last, 1.0)};
}

void CheckDeviation(double stddev, double mean) {
  if (std::isfinite(stddev) && stddev >= 0 && std::isfinite(mean)) return;
  throw Error(
      ErrorCode::kInvalidArgument,
      fmt::format("an initializer with mean {} and standard deviation {}: both must be finite, and the deviation "
                  "not negative",
                  mean, stddev));
}

Tensor Horner(const Tensor& x, const std::array<double, 8>& coefficients) {
  Tensor sum = Full(x.shape(), coefficients.back());
  for (size_t i = coefficients.size() - 1; i-- > 0;) sum = sum * x + coefficients[i];
  return sum;
}

// The normal distribution's quantile for p in [0.02, 0.98]: Wichura, "Algorithm AS 241: the percentage points of the
// normal distribution", Applied Statistics 37 (1988), PPND16, whose relative error is 1e-16. Of its three regions the
// outermost, p < e^-25, is left out.
Tensor NormalQuantile(const Tensor& p) {
  constexpr std::array<double, 8> kA = {3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
                                        1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
                                        3.3430575583588128105e4, 2.5090809287301226727e3};
  constexpr std::array<double, 8> kB = {1.0,
                                        4.2313330701600911252e1,
                                        6.8718700749205790830e2,
                                        5.3941960214247511077e3,
                                        2.1213794301586595867e4,
                                        3.9307895800092710610e4,
                                        2.8729085735721942674e4,
                                        5.2264952788528545610e3};
  constexpr std::array<double, 8> kC = {1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
                                        3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
                                        2.27238449892691845833e-2, 7.74545014278341407640e-4};
  constexpr std::array<double, 8> kD = {1.0,
                                        2.05319162663775882187e0,
                                        1.67638483018380384940e0,
                                        6.89767334985100004550e-1,
                                        1.48103976427480074590e-1,
                                        1.51986665636164571966e-2,
                                        5.47593808499534494600e-4,
                                        1.05075007164441684324e-9};
  const Tensor q = p - 0.5;
  const Tensor r = 0.180625 - q * q;
  const Tensor central = q * Horner(r, kA) / Horner(r, kB);
  const Tensor s = Sqrt(-Log(Minimum(p, 1.0 - p))) - 1.6;
  const Tensor tail = Sign(q) * Horner(s, kC) / Horner(s, kD);
  return Select(LessEqual(Abs(q), 0.425), central, tail);
}

}  // namespace

Initializer Constant(double value) {
  return [value](const Shape& shape) { return Full(shape, value); };
}
Initializer Zeros() { return Constant(0); }
Initializer Ones() { return Constant(1); }

Initializer Uniform(double low, double high) {
  if (!(std::isfinite(low) && std::isfinite(high) && low <= high)) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("an initializer uniform in [{}, {}): both must be finite, and in this order", low, high));
  }
  return [=](const Shape& shape) { return RandomUniform(shape, low, high, kEqualOnAllReplicas); };
}

Initializer Normal(double stddev, double mean) {
  CheckDeviation(stddev, mean);
  return [=](const Shape& shape) { return RandomNormal(shape, mean, stddev, kEqualOnAllReplicas); };
}

Initializer TruncatedNormal(double stddev, double mean) {
  CheckDeviation(stddev, mean);
  return [=](const Shape& shape) {
    const double low = std::erfc(std::sqrt(2.0)) / 2;  // P(x < -2)
    // Rounding in the variable's dtype may step over the bound by its last bit.
    const Tensor p = RandomUniform(shape, low, 1 - low, kEqualOnAllReplicas);
    return Clamp(-2.0, NormalQuantile(p), 2.0) * stddev + mean;
  };
}

Initializer GlorotUniform() {
  return [](const Shape& shape) {
    const Fans fans = FansOf(shape.dims);
    const double limit = std::sqrt(6 / (fans.in + fans.out));
    return Uniform(-limit, limit)(shape);
  };
}
Initializer GlorotNormal() {
  return [](const Shape& shape) {
    const Fans fans = FansOf(shape.dims);
    return Normal(std::sqrt(2 / (fans.in + fans.out)))(shape);
  };
}
Initializer HeUniform() {
  return [](const Shape& shape) {
    const double limit = std::sqrt(6 / FansOf(shape.dims).in);
    return Uniform(-limit, limit)(shape);
  };
}
Initializer HeNormal() {
  return [](const Shape& shape) { return Normal(std::sqrt(2 / FansOf(shape.dims).in))(shape); };
}
Initializer LecunNormal() {
  return [](const Shape& shape) { return Normal(std::sqrt(1 / FansOf(shape.dims).in))(shape); };
}

}  // namespace replicator::nn::init
