// Where in the user's program something was asked for.
#pragma once

#include <source_location>
#include <string>

namespace replicator {

// `std::source_location` under the library's name. Every public function takes one as its last, defaulted argument, so
// that an error can name the user's line. File names are kept as the compiler gave them and never enter a fingerprint.
using SourceLocation = std::source_location;

// "model.cc:42 (train_step)". The function is left out when `with_function` is false or it is unknown.
std::string ToString(const SourceLocation& location, bool with_function = false);

}  // namespace replicator
