#include "io/chart_text.h"

#include <algorithm>

#include "base/xml.h"

namespace replicator::io {
namespace {

// In parts of the font size.
double CharacterWidth(std::string_view character) {
  constexpr std::string_view kNarrow = "iljI.,:;'|!()[] -/ftr", kWide = "mwMW@%";
  constexpr double kNarrowWidth = 0.39, kUsualWidth = 0.63, kWideWidth = 0.97, kIdeographWidth = 1;
  if (character.size() >= 3 && character >= "\xe2\xba\x80") return kIdeographWidth;
  if (character.size() > 1) return kUsualWidth;
  if (kNarrow.find(character) != std::string_view::npos) return kNarrowWidth;
  return kWide.find(character) != std::string_view::npos ? kWideWidth : kUsualWidth;
}

}  // namespace

double TextWidth(std::string_view text, double font_size) {
  double width = 0;
  while (!text.empty()) {
    const size_t length = std::max<size_t>(Utf8Length(text), 1);
    width += CharacterWidth(text.substr(0, length));
    text.remove_prefix(length);
  }
  return width * font_size;
}

std::string CutToWidth(std::string_view text, double font_size, double width) {
  if (TextWidth(text, font_size) <= width) return std::string(text);
  const std::string mark = "…";
  size_t kept = 0;
  while (kept < text.size()) {
    const size_t next = kept + std::max<size_t>(Utf8Length(text.substr(kept)), 1);
    if (TextWidth(text.substr(0, next), font_size) + TextWidth(mark, font_size) > width) break;
    kept = next;
  }
  return std::string(text.substr(0, kept)) + mark;
}

}  // namespace replicator::io
