// What PyTorch computed: tests/reference/record_torch.py.
#pragma once

#include <string>

#include "replicator/base/literal.h"

namespace replicator::testing {

// The recorded tensor "<case>/<name>", float64 (labels int64). Throws Error(kNotFound).
const Literal& Recorded(const std::string& name);
bool HasRecorded(const std::string& name);

// The greatest |a - b| / max(1, greatest |b|); infinity where the extents differ or where only one is NaN.
double Difference(const Literal& a, const Literal& b);

}  // namespace replicator::testing
