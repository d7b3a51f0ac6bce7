// A hash of a file's content, for telling builds of a plugin apart.
#pragma once

#include <cstdint>
#include <string>

namespace replicator::pjrt {

// 64 bits over every byte and the length; fast (memory bandwidth), stable across processes, not cryptographic.
// Throws Error(kNotFound) when the file cannot be read.
uint64_t HashFile(const std::string& path);

}  // namespace replicator::pjrt
