#include "io/crc32c.h"

#include <array>
#include <cstring>

namespace replicator::io {
namespace {

constexpr uint32_t kPolynomial = 0x82f63b78;  // reflected

constexpr std::array<uint32_t, 256> MakeTable() {
  std::array<uint32_t, 256> table{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? kPolynomial : 0);
    table[byte] = crc;
  }
  return table;
}
constexpr std::array<uint32_t, 256> kTable = MakeTable();

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) uint32_t Hardware(std::span<const std::byte> bytes, uint32_t before) {
  uint64_t crc = ~before;
  while (bytes.size() >= 8) {
    uint64_t word;
    std::memcpy(&word, bytes.data(), 8);
    crc = __builtin_ia32_crc32di(crc, word);
    bytes = bytes.subspan(8);
  }
  auto last = static_cast<uint32_t>(crc);
  for (const std::byte byte : bytes) last = __builtin_ia32_crc32qi(last, static_cast<unsigned char>(byte));
  return ~last;
}
#endif

}  // namespace

uint32_t Crc32cPortable(std::span<const std::byte> bytes, uint32_t before) {
  uint32_t crc = ~before;
  for (const std::byte byte : bytes) crc = (crc >> 8) ^ kTable[(crc ^ static_cast<uint32_t>(byte)) & 0xff];
  return ~crc;
}

uint32_t Crc32c(std::span<const std::byte> bytes, uint32_t before) {
#if defined(__x86_64__)
  static const bool has_instruction = __builtin_cpu_supports("sse4.2") != 0;
  if (has_instruction) return Hardware(bytes, before);
#endif
  return Crc32cPortable(bytes, before);
}

}  // namespace replicator::io
