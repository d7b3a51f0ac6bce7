// Maxima and minima of NaN: XLA:CPU drops it unless it is compiled with platforms::Cpu()'s overrides.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "replicator/ops/elementwise.h"
#include "replicator/ops/reduce.h"
#include "support/evaluate.h"

namespace replicator::testing {
namespace {

class Extrema : public ::testing::TestWithParam<std::tuple<std::string, DType>> {};

// 37 elements: vectorised code and a remainder. In turn x, y, both and neither are NaN.
TEST_P(Extrema, PassNaNOn) {
  const auto& [backend, dtype] = GetParam();
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> x(37), y(37), without(37);
  for (size_t i = 0; i < x.size(); ++i) {
    x[i] = i % 4 == 0 || i % 4 == 2 ? kNaN : static_cast<double>(i);
    y[i] = i % 4 == 1 || i % 4 == 2 ? kNaN : 20;
    without[i] = static_cast<double>(i);
  }
  const auto literal = [&, type = dtype](const std::vector<double>& values) {
    return Literal::FromValues<double>({37}, values).ConvertTo(type);
  };
  const auto build = [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
    return {Maximum(t[0], t[1]), Minimum(t[0], t[1]), Relu(t[0]),     ReduceMax(t[0]),
            ReduceMin(t[0]),     ReduceMax(t[2]),     ReduceMin(t[2])};
  };
  const std::vector<Literal> got = Evaluate(build, {literal(x), literal(y), literal(without)}, {.backend = backend});
  const std::vector<double> high = got[0].ToDoubles(), low = got[1].ToDoubles(), relu = got[2].ToDoubles();
  for (size_t i = 0; i < x.size(); ++i) {
    SCOPED_TRACE(i);
    if (i % 4 == 3) {
      EXPECT_EQ(high[i], std::max(x[i], y[i]));
      EXPECT_EQ(low[i], std::min(x[i], y[i]));
    } else {
      EXPECT_TRUE(std::isnan(high[i]));
      EXPECT_TRUE(std::isnan(low[i]));
    }
    EXPECT_EQ(std::isnan(relu[i]), std::isnan(x[i]));
  }
  EXPECT_TRUE(std::isnan(got[3].Item<double>()));
  EXPECT_TRUE(std::isnan(got[4].Item<double>()));
  EXPECT_EQ(got[5].Item<double>(), 36);
  EXPECT_EQ(got[6].Item<double>(), 0);
}

using Parameters = std::tuple<std::string, DType>;
std::string NameOf(const ::testing::TestParamInfo<Parameters>& tested) {
  return std::get<0>(tested.param) + "_" + std::string(ToString(std::get<1>(tested.param)));
}
INSTANTIATE_TEST_SUITE_P(Plugins, Extrema,
                         ::testing::Combine(::testing::ValuesIn(CpuBackendNames()),
                                            ::testing::Values(DType::kF16, DType::kBF16, DType::kF32, DType::kF64)),
                         NameOf);

}  // namespace
}  // namespace replicator::testing
