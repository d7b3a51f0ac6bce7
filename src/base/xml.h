// Text for XML documents.
#pragma once

#include <string>
#include <string_view>

namespace replicator {

// `text` as it may stand in an element or in a quoted attribute: with entities for & < > and ", '?' for control
// characters, which XML does not have, and U+FFFD for each byte that is not part of valid UTF-8.
std::string EscapeXml(std::string_view text);

// The length in bytes of the UTF-8 character that `text` begins with; 0 where it does not begin with a valid one.
size_t Utf8Length(std::string_view text);

}  // namespace replicator
