// The parts in which data sets of examples are published.
#pragma once

namespace replicator::data {

enum class Split {
  kTrain,
  kTest,
};

}  // namespace replicator::data
