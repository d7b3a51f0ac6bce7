// The helper on which the other tests stand.
#include <gtest/gtest.h>

#include "replicator/ops/collectives.h"
#include "replicator/ops/elementwise.h"
#include "replicator/ops/random.h"
#include "support/evaluate.h"

namespace replicator::testing {
namespace {

class Smoke : public ::testing::TestWithParam<std::string> {};

TEST_P(Smoke, RunsOnSeveralReplicas) {
  const BuildFn build = [](const std::vector<Tensor>& x) -> std::vector<Tensor> { return {AllSum(x[0]), x[0] * 2}; };
  const PerReplica results =
      EvaluateReplicas(build, {{Literal::FromValues<float>({2}, {1, 2})}, {Literal::FromValues<float>({2}, {10, 20})}},
                       {.backend = GetParam()});
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0][0], Literal::FromValues<float>({2}, {11, 22}));
  EXPECT_EQ(results[1][0], results[0][0]);
  EXPECT_EQ(results[1][1], Literal::FromValues<float>({2}, {20, 40}));
}

INSTANTIATE_TEST_SUITE_P(Plugins, Smoke, ::testing::ValuesIn(CpuBackendNames()));

}  // namespace
}  // namespace replicator::testing
