// CRC-32C (Castagnoli), RFC 3720 appendix B.4.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace replicator::io {

// The checksum of some bytes, or, given the checksum of what precedes them, of the whole.
uint32_t Crc32c(std::span<const std::byte> bytes, uint32_t before = 0);
inline uint32_t Crc32c(std::string_view text, uint32_t before = 0) {
  return Crc32c(std::as_bytes(std::span(text)), before);
}

// The same by table, whatever the processor: what Crc32c falls back to.
uint32_t Crc32cPortable(std::span<const std::byte> bytes, uint32_t before = 0);

}  // namespace replicator::io
