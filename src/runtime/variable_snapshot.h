// The values of several variables at one moment.
#pragma once

#include <memory>
#include <vector>

#include "pjrt/buffer.h"
#include "runtime/variable_store.h"

namespace replicator {

// Borrowed from the store: while this lives, none of the values is donated or freed, whatever the engine runs. To be
// passed as arguments that are not donated. Movable. May be dropped in any thread.
struct VariableSnapshot {
  std::vector<std::shared_ptr<const void>> versions;  // what keeps them
  std::vector<std::vector<pjrt::Buffer>> values;      // [replica asked for][variable]
};

}  // namespace replicator
