// Any bytes are either refused with an Error or read; what was read is the same after being written and read again.
#include <cstdint>
#include <cstdlib>
#include <span>

#include "base/testing/fault_file_system.h"
#include "replicator/base/error.h"
#include "replicator/io/safetensors.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  namespace io = replicator::io;
  io::NamedTensors content;
  try {
    content = io::ParseSafetensors(std::as_bytes(std::span(data, size)), "fuzzed");
  } catch (const replicator::Error&) {
    return 0;
  }
  replicator::FaultFileSystem in_memory;
  io::WriteSafetensors("d/again", content, &in_memory);
  if (!(io::ReadSafetensors("d/again", &in_memory) == content)) std::abort();
  return 0;
}
