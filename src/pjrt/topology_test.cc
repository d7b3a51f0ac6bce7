#include "pjrt/topology.h"

#include <gtest/gtest.h>

#include "pjrt/testing.h"
#include "replicator/base/error.h"

namespace replicator::pjrt {
namespace {

class TopologyTest : public PluginTest {};
REPLICATOR_WITH_EACH_PLUGIN(TopologyTest);

// XLA:CPU compiles for the machine it runs on only.
TEST_P(TopologyTest, CpuHasNone) {
  try {
    Topology::Create(plugin(), "v3:2x2");
    ADD_FAILURE() << "no Error was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUnimplemented);
  }
}

}  // namespace
}  // namespace replicator::pjrt
