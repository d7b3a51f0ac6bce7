// Options in the form of the C API.
#pragma once

#include <pjrt_c_api.h>

#include <span>
#include <vector>

#include "pjrt/options.h"

namespace replicator::pjrt {

// Points into `options`, which must outlive the result.
std::vector<PJRT_NamedValue> ToNamedValues(const Options& options);
// Values of a kind that this header does not know are left out.
Options FromNamedValues(std::span<const PJRT_NamedValue> values);

}  // namespace replicator::pjrt
