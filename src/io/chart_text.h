// Text in charts, of which only the approximate width is known: the fonts are those of whoever looks.
#pragma once

#include <string>
#include <string_view>

namespace replicator::io {

// In pixels, at this font size, in a wide font (DejaVu Sans); others take less.
double TextWidth(std::string_view text, double font_size);

// The text, or as much of its beginning as fits followed by "…".
std::string CutToWidth(std::string_view text, double font_size, double width);

}  // namespace replicator::io
