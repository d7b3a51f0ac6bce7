#include "conformance/random_values.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace replicator::testing {
namespace {

double DrawFloating(double low, double high, std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(low, high);
  double value = 0;
  for (int attempt = 0; attempt < 100; ++attempt) {
    value = static_cast<float>(uniform(random));
    if (std::abs(2 * value - std::round(2 * value)) >= 0.1 && value >= low && value <= high) break;
  }
  return value;
}

}  // namespace

Literal RandomLiteral(const Shape& shape, double low, double high, std::mt19937_64& random) {
  Literal literal{shape};
  VisitDType(shape.dtype, [&]<typename T>() {
    for (T& value : literal.mutable_data<T>()) {
      if constexpr (std::is_same_v<T, bool>) {
        value = random() % 2 == 0;
      } else if constexpr (std::is_integral_v<T>) {
        const double lowest = std::max(std::ceil(low), static_cast<double>(std::numeric_limits<T>::lowest()));
        const double highest = std::min(std::floor(high), static_cast<double>(std::numeric_limits<T>::max()));
        const auto count = static_cast<uint64_t>(highest - lowest) + 1;
        value = static_cast<T>(lowest + static_cast<double>(random() % count));
      } else {
        value = ConvertElement<T>(DrawFloating(low, high, random));
      }
    }
  });
  return literal;
}

}  // namespace replicator::testing
