#include "nn/recorded.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "replicator/base/error.h"
#include "replicator/io/safetensors.h"

namespace replicator::testing {
namespace {

const io::NamedTensors& All() {
  static const io::NamedTensors all =
      io::ReadSafetensors(REPLICATOR_SOURCE_DIR "/tests/reference/data/torch.safetensors");
  return all;
}

}  // namespace

bool HasRecorded(const std::string& name) { return All().tensors.contains(name); }

const Literal& Recorded(const std::string& name) {
  const auto found = All().tensors.find(name);
  if (found == All().tensors.end()) throw Error(ErrorCode::kNotFound, "'" + name + "' was not recorded");
  return found->second;
}

double Difference(const Literal& a, const Literal& b) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (a.dims() != b.dims()) return kInfinity;
  const std::vector<double> x = a.ToDoubles(), y = b.ToDoubles();
  double scale = 1, difference = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    if (std::isnan(x[i]) != std::isnan(y[i])) return kInfinity;
    if (std::isnan(x[i])) continue;
    difference = std::max(difference, std::abs(x[i] - y[i]));
    scale = std::max(scale, std::abs(y[i]));
  }
  return difference / scale;
}

}  // namespace replicator::testing
