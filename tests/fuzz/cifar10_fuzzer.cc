// Any bytes are either refused with an Error or read; what was read, put back plane by plane, is those bytes.
#include <cstdint>
#include <cstdlib>
#include <span>

#include "replicator/base/error.h"
#include "replicator/data/cifar10.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  replicator::data::Components read;
  try {
    read = replicator::data::ParseCifar10(std::as_bytes(std::span(data, size)), "fuzzed");
  } catch (const replicator::Error&) {
    return 0;
  }
  const auto labels = read.at("label").data<int32_t>();
  const auto pixels = read.at("image").data<uint8_t>();
  if (labels.size() * 3073 != size || pixels.size() != labels.size() * 3072) std::abort();
  for (size_t at = 0; at < size; ++at) {
    const size_t record = at / 3073, place = at % 3073;
    const size_t plane = (place - 1) / 1024, pixel = (place - 1) % 1024;
    const int value = place == 0 ? labels[record] : pixels[record * 3072 + pixel * 3 + plane];
    if (value != data[at]) std::abort();
  }
  return 0;
}
