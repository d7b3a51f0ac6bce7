#include "replicate/picture_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/xml.h"
#include "replicate/picture_layout.h"

namespace replicator {
namespace {

struct Style {
  BoxKind kind;
  const char* fill;
  const char* stroke;
  const char* meaning;
};
constexpr std::array<Style, 8> kStyles = {{
    {BoxKind::kInput, "#e8f5e9", "#43a047", "input"},
    {BoxKind::kVariable, "#e3f2fd", "#1e88e5", "variable"},
    {BoxKind::kOperation, "#ffffff", "#90a4ae", "operation"},
    {BoxKind::kGroup, "#eceff1", "#546e7a", "several operations"},
    {BoxKind::kCollective, "#ffe0b2", "#ef6c00", "collective"},
    {BoxKind::kRegion, "#fffde7", "#f9a825", "graphs inside"},
    {BoxKind::kResult, "#f5f5f5", "#424242", "result"},
    {BoxKind::kUpdate, "#bbdefb", "#1565c0", "new value"},
}};
constexpr const char* kVarying = "#78909c";
constexpr const char* kReplicated = "#1565c0";
constexpr const char* kAccent = "#ef6c00";
constexpr double kMargin = 16, kTitle = 26, kLegend = 30;

const Style& StyleOf(BoxKind kind) {
  return *std::find_if(kStyles.begin(), kStyles.end(), [&](const Style& style) { return style.kind == kind; });
}

class Writer {
 public:
  Writer(const Picture& picture, const PlacedPicture& placed) : picture_(picture), placed_(placed) {}

  std::string Run() {
    const double legend_width = LegendWidth();
    const double title_width = static_cast<double>(picture_.title.size()) * kCharWidth;
    const double width = std::max({placed_.width, legend_width, title_width}) + 2 * kMargin;
    const double height = placed_.height + 2 * kMargin + kTitle + kLegend;
    text_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
        "{1:.0f}\" "
        "font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"11\">\n",
        width, height);
    text_ += fmt::format("<rect width=\"{:.0f}\" height=\"{:.0f}\" fill=\"#ffffff\"/>\n", width, height);
    for (const char* name : {kVarying, kReplicated}) {
      text_ += fmt::format(
          "<marker id=\"{}\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" "
          "orient=\"auto\"><path d=\"M0,0.5 L8,4 L0,7.5 z\" fill=\"{}\"/></marker>\n",
          MarkerOf(name), name);
    }
    Text(kMargin, kMargin + 12, picture_.title, "font-weight=\"bold\" font-size=\"12\"");
    text_ += fmt::format("<g transform=\"translate({:.1f},{:.1f})\">\n", kMargin, kMargin + kTitle);
    for (size_t l = 0; l < picture_.lanes.size(); ++l) LaneBackground(picture_.lanes[l], placed_.lanes[l]);
    Bands();
    for (size_t l = 0; l < picture_.lanes.size(); ++l) LaneContent(picture_.lanes[l], placed_.lanes[l]);
    text_ += "</g>\n";
    Legend(height - kMargin);
    return text_ + "</svg>\n";
  }

 private:
  static std::string MarkerOf(const char* color) { return color == kVarying ? "varying" : "replicated"; }

  void Text(double x, double y, const std::string& content, const std::string& attributes = {}) {
    text_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\"{}{}>{}</text>\n", x, y, attributes.empty() ? "" : " ",
                         attributes, EscapeXml(content));
  }

  void LaneBackground(const Lane& lane, const PlacedLane& placed) {
    text_ += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"6\" fill=\"#fafafa\" "
        "stroke=\"#e0e0e0\"/>\n",
        placed.corner.x, placed.corner.y, placed.width, placed.height);
    Text(placed.corner.x + 8, placed.corner.y + 15, lane.title, "fill=\"#616161\"");
  }

  // The boxes of one placeholder are joined through all lanes.
  void Bands() {
    struct Extent {
      double left = 1e9, right = -1e9, y = 0;
      int boxes = 0;
    };
    std::map<int, Extent> bands;
    for (size_t l = 0; l < picture_.lanes.size(); ++l) {
      for (size_t b = 0; b < picture_.lanes[l].boxes.size(); ++b) {
        const int band = picture_.lanes[l].boxes[b].band;
        if (band < 0) continue;
        const PlacedBox& box = placed_.lanes[l].boxes[b];
        Extent& extent = bands[band];
        extent.left = std::min(extent.left, box.corner.x + box.width / 2);
        extent.right = std::max(extent.right, box.corner.x + box.width / 2);
        extent.y = box.corner.y + box.height / 2;
        ++extent.boxes;
      }
    }
    for (const auto& [band, extent] : bands) {
      if (extent.boxes < 2) continue;
      text_ += fmt::format(
          "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" stroke-width=\"9\" "
          "stroke-opacity=\"0.55\"/>\n",
          extent.left, extent.y, extent.right, extent.y, kAccent);
    }
  }

  void LaneContent(const Lane& lane, const PlacedLane& placed) {
    for (size_t a = 0; a < lane.arrows.size(); ++a) ArrowPath(lane.arrows[a], placed.arrows[a]);
    for (size_t b = 0; b < lane.boxes.size(); ++b) BoxShape(lane.boxes[b], placed.boxes[b]);
  }

  void ArrowPath(const Arrow& arrow, const std::vector<Point>& points) {
    std::string path = fmt::format("M{:.1f},{:.1f}", points[0].x, points[0].y);
    for (size_t i = 1; i < points.size(); ++i) {
      const Point from = points[i - 1], to = points[i];
      const double middle = (from.y + to.y) / 2;
      path += from.x == to.x ? fmt::format(" L{:.1f},{:.1f}", to.x, to.y)
                             : fmt::format(" C{:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f}", from.x, middle, to.x, middle,
                                           to.x, to.y);
    }
    const char* color = arrow.varying ? kVarying : kReplicated;
    text_ += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.2\" marker-end=\"url(#{})\"/>\n",
                         path, color, MarkerOf(color));
  }

  void BoxShape(const Box& box, const PlacedBox& placed) {
    const Style& style = StyleOf(box.kind);
    const bool strong = box.kind == BoxKind::kCollective || box.has_collectives;
    text_ += "<g>";
    if (!box.tooltip.empty()) text_ += "<title>" + EscapeXml(box.tooltip) + "</title>";
    text_ += fmt::format(
        "\n<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"{}\" fill=\"{}\" stroke=\"{}\" "
        "stroke-width=\"{}\"/>\n",
        placed.corner.x, placed.corner.y, placed.width, placed.height,
        box.kind == BoxKind::kResult || box.kind == BoxKind::kUpdate || box.kind == BoxKind::kInput ? 10 : 4,
        style.fill, strong ? kAccent : style.stroke, strong ? 2 : 1.2);
    for (size_t i = 0; i < box.lines.size(); ++i) {
      Text(placed.corner.x + placed.width / 2, placed.corner.y + 14 + static_cast<double>(i) * kLineHeight,
           box.lines[i],
           i == 0 ? "text-anchor=\"middle\" font-weight=\"bold\"" : "text-anchor=\"middle\" fill=\"#616161\"");
    }
    for (size_t i = 0; i < box.insides.size(); ++i) {
      LaneBackground(box.insides[i], placed.insides[i]);
      LaneContent(box.insides[i], placed.insides[i]);
    }
    text_ += "</g>\n";
  }

  static bool Has(const std::vector<Lane>& lanes, BoxKind kind) {
    return std::any_of(lanes.begin(), lanes.end(), [&](const Lane& lane) {
      return std::any_of(lane.boxes.begin(), lane.boxes.end(),
                         [&](const Box& box) { return box.kind == kind || Has(box.insides, kind); });
    });
  }
  static double EntryWidth(const std::string& meaning) { return static_cast<double>(meaning.size()) * kCharWidth + 34; }
  double LegendWidth() const {
    double width = EntryWidth("varies over replicas") + EntryWidth("equal on all replicas");
    for (const Style& style : kStyles) width += Has(picture_.lanes, style.kind) ? EntryWidth(style.meaning) : 0;
    return width;
  }
  void Legend(double y) {
    double x = kMargin;
    for (const Style& style : kStyles) {
      if (!Has(picture_.lanes, style.kind)) continue;
      text_ += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"12\" height=\"12\" rx=\"2\" fill=\"{}\" stroke=\"{}\"/>\n", x,
          y - 10, style.fill, style.stroke);
      Text(x + 18, y, style.meaning);
      x += EntryWidth(style.meaning);
    }
    for (const bool varying : {false, true}) {
      const std::string meaning = varying ? "varies over replicas" : "equal on all replicas";
      text_ += fmt::format(
          "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" stroke-width=\"1.6\"/>\n", x,
          y - 4, x + 14, y - 4, varying ? kVarying : kReplicated);
      Text(x + 18, y, meaning);
      x += EntryWidth(meaning);
    }
  }

  const Picture& picture_;
  const PlacedPicture& placed_;
  std::string text_;
};

}  // namespace

std::string ToSvg(const Picture& picture) { return Writer(picture, LayOut(picture)).Run(); }

}  // namespace replicator
