// Named values, as plugins take them (client and topology options, compiler overrides) and give them (attributes).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace replicator::pjrt {

using OptionValue = std::variant<bool, int64_t, double, std::string, std::vector<int64_t>>;
// Sorted by name, so that a fingerprint over them is stable.
using Options = std::map<std::string, OptionValue>;

// "true", "8", "0.75", "'text'", "[1,2]"
std::string ToString(const OptionValue& value);

}  // namespace replicator::pjrt
