#include "io/crc32c.h"

#include <gtest/gtest.h>

#include <string>

namespace replicator::io {
namespace {

// RFC 3720, appendix B.4, and the check value of the CRC catalogue.
TEST(Crc32c, KnownValues) {
  EXPECT_EQ(Crc32c(""), 0u);
  EXPECT_EQ(Crc32c("123456789"), 0xe3069283u);
  EXPECT_EQ(Crc32c(std::string(32, '\0')), 0x8a9136aau);
  EXPECT_EQ(Crc32c(std::string(32, '\xff')), 0x62a8ab43u);
  std::string ascending(32, ' ');
  for (int i = 0; i < 32; ++i) ascending[static_cast<size_t>(i)] = static_cast<char>(i);
  EXPECT_EQ(Crc32c(ascending), 0x46dd794eu);
}

TEST(Crc32c, TableAndInstructionAgreeAndContinue) {
  std::string text;
  for (int i = 0; i < 67; ++i) {
    const uint32_t whole = Crc32c(text);
    EXPECT_EQ(Crc32cPortable(std::as_bytes(std::span(text))), whole) << i;
    for (size_t cut : {size_t{0}, text.size() / 3, text.size()}) {
      const std::string_view view = text;
      EXPECT_EQ(Crc32c(view.substr(cut), Crc32c(view.substr(0, cut))), whole) << i << " " << cut;
    }
    text += static_cast<char>(i * 37);
  }
}

}  // namespace
}  // namespace replicator::io
