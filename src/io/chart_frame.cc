#include "io/chart_frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/xml.h"
#include "io/chart_text.h"

namespace replicator::io {
namespace {

// Okabe and Ito's palette for the colour-blind ("Color Universal Design", 2008), without yellow, which is too faint on
// white, and with a dark grey for its black.
constexpr std::array<const char*, 7> kColours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                 "#e69f00", "#56b4e9", "#424242"};
constexpr std::array<const char*, 7> kDashes = {"", "7 3", "2 2.5", "10 3 2 3", "4 2", "14 4", "7 2 2 2 2 2"};

constexpr double kTitleSize = 15, kTextSize = 12;
constexpr double kMargin = 12, kTitleHeight = 28, kTextHeight = 20, kTickGap = 8, kTitleGap = 6;
constexpr double kSample = 30, kSampleGap = 6, kJoin = 14;  // the parts of a label beside its name
constexpr double kLabelSpacing = 17;
constexpr double kWidestNames = 1.0 / 3;  // of the picture
constexpr const char* kDark = "#212121";
constexpr const char* kGrey = "#5f6368";
constexpr const char* kAxisGrey = "#80868b";
constexpr const char* kGrid = "#e4e6e8";

std::string Text(Place place, const char* anchor, const char* colour, double size, const std::string& text,
                 const char* more = "") {
  return fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" fill=\"{}\" font-size=\"{:.3g}\"{}>{}</text>\n", place.x,
      place.y, anchor, colour, size, more, EscapeXml(text));
}

std::string Line(const char* kind, Place from, Place to, const char* colour) {
  return fmt::format("<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/>\n",
                     kind, from.x, from.y, to.x, to.y, colour);
}

// Pixels above and below the plot area.
double Above(const ChartOptions& options) {
  return kMargin + (options.title.empty() ? 4 : kTitleHeight) + (options.y_title.empty() ? 0 : kTextHeight + kTitleGap);
}

double Below(const ChartOptions& options) {
  return kMargin + kTextHeight + (options.x_title.empty() ? 0 : kTextHeight);
}

double WidestName(const ChartOptions& options, const std::vector<std::string>& names) {
  double widest = 0;
  for (const std::string& name : names) widest = std::max(widest, TextWidth(name, kTextSize));
  return std::min(widest, options.width * kWidestNames);
}

// Moves the labels apart by as little as need be, within the area.
double Spread(const PlotArea& area, std::vector<NameLabel>& labels) {
  std::stable_sort(labels.begin(), labels.end(),
                   [](const NameLabel& a, const NameLabel& b) { return a.wanted_y < b.wanted_y; });
  const double spacing = std::min(kLabelSpacing, (area.bottom - area.top) / static_cast<double>(labels.size()));
  double least = area.top + spacing / 2;
  for (NameLabel& label : labels) {
    label.wanted_y = std::max(label.wanted_y, least);
    least = label.wanted_y + spacing;
  }
  double most = area.bottom - spacing / 2;
  for (auto label = labels.rbegin(); label != labels.rend(); ++label) {
    label->wanted_y = std::min(label->wanted_y, most);
    most = label->wanted_y - spacing;
  }
  return spacing;
}

std::string Labels(const ChartOptions& options, const PlotArea& area, std::vector<NameLabel> labels) {
  if (labels.empty()) return "";
  std::vector<std::string> names;
  std::vector<double> ends;
  for (const NameLabel& label : labels) names.push_back(label.name);
  const double width = WidestName(options, names);
  std::stable_sort(labels.begin(), labels.end(),
                   [](const NameLabel& a, const NameLabel& b) { return a.wanted_y < b.wanted_y; });
  for (const NameLabel& label : labels) ends.push_back(label.wanted_y);
  const double size = std::min(kTextSize, Spread(area, labels) * 0.8);
  std::string text;
  for (size_t i = 0; i < labels.size(); ++i) {
    const NameLabel& label = labels[i];
    const double x = area.right + kJoin, y = label.wanted_y;
    if (label.line_arrives) text += Line("join", {area.right + 3, ends[i]}, {x - 2, y}, "#bdc1c6");
    if (label.sample == NameLabel::Sample::kLine) {
      text += fmt::format(
          "<line class=\"sample\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" "
          "stroke-width=\"2\" stroke-dasharray=\"{}\"/>\n",
          x, y, x + kSample, y, label.style.colour, *label.style.dashes == '\0' ? "none" : label.style.dashes);
    } else {
      text += fmt::format(
          "<rect class=\"sample\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"12\" height=\"{:.1f}\" fill=\"{}\" "
          "fill-opacity=\"{}\"/>\n",
          x + kSample - 12, y - size / 2, size, label.style.colour, label.style.opacity);
    }
    text += Text({x + kSample + kSampleGap, y + size * 0.35}, "start", kDark, size,
                 CutToWidth(label.name, kTextSize, width));
  }
  return text;
}

}  // namespace

SeriesStyle StyleOf(size_t series) {
  const size_t round = series / kColours.size();
  return {kColours[series % kColours.size()], kDashes[(series + round) % kDashes.size()], round % 2 == 0 ? 1 : 0.5};
}

int MostYTicks(const ChartOptions& options) {
  constexpr double kApart = 40;
  return std::max(2, static_cast<int>((options.height - Above(options) - Below(options)) / kApart));
}

PlotArea LayOutFrame(const FrameTexts& texts, Axis y) {
  const ChartOptions& options = texts.options;
  double widest = 0;
  for (const std::string& label : TickLabels(y)) widest = std::max(widest, TextWidth(label, kTextSize));
  const double names =
      texts.names.empty() ? 2 * kMargin : kJoin + kSample + kSampleGap + WidestName(options, texts.names) + kMargin;
  return {.left = kMargin + widest + kTickGap,
          .top = Above(options),
          .right = options.width - names,
          .bottom = options.height - Below(options),
          .x = {},
          .y = std::move(y)};
}

int MostXTicks(const PlotArea& area) {
  constexpr double kApart = 60;
  return std::max(2, static_cast<int>((area.right - area.left) / kApart));
}

LabelsFit LabelsFitBelow(const PlotArea& area, const ChartOptions& options) {
  return [&area, &options](const Axis& axis, const std::vector<std::string>& labels) {
    constexpr double kApart = 10;
    double end = 0;
    for (size_t i = 0; i < labels.size(); ++i) {
      const double middle = area.left + axis.Fraction(axis.ticks[i]) * (area.right - area.left);
      const double half = TextWidth(labels[i], kTextSize) / 2;
      if (middle - half < end) return false;
      end = middle + half + kApart;
    }
    return end - kApart <= options.width;
  };
}

std::string DrawFrame(const ChartOptions& options, const PlotArea& area, const std::string& data,
                      std::vector<NameLabel> labels, bool vertical_grid) {
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\" "
      "font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">\n<title>{2}</title>\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
      options.width, options.height, EscapeXml(options.title));
  double y = kMargin;
  const double title_width = options.width - 2 * kMargin;
  if (!options.title.empty()) {
    const double size =
        std::clamp(kTitleSize * title_width / TextWidth(options.title, kTitleSize * 1.1), 11.0, kTitleSize);
    text += Text({kMargin, y + kTitleSize}, "start", kDark, size, CutToWidth(options.title, size * 1.1, title_width),
                 " font-weight=\"bold\"");
    y += kTitleHeight;
  }
  if (!options.y_title.empty()) {
    text += Text({kMargin, y + kTextSize - 1}, "start", kGrey, kTextSize,
                 CutToWidth(options.y_title, kTextSize, title_width));
  }
  const std::vector<std::string> y_labels = TickLabels(area.y), x_labels = TickLabels(area.x);
  for (size_t i = 0; i < y_labels.size(); ++i) {
    const double at = area.Y(area.y.ticks[i]);
    text += Line("grid", {area.left, at}, {area.right, at}, kGrid);
    text += Text({area.left - kTickGap, at + kTextSize * 0.35}, "end", kGrey, kTextSize, y_labels[i]);
  }
  for (size_t i = 0; i < x_labels.size(); ++i) {
    const double at = area.X(area.x.ticks[i]);
    if (vertical_grid) text += Line("grid", {at, area.top}, {at, area.bottom}, kGrid);
    text += Text({at, area.bottom + kTextHeight - 2}, "middle", kGrey, kTextSize, x_labels[i]);
  }
  if (!options.x_title.empty()) {
    text += Text({(area.left + area.right) / 2, area.bottom + 2 * kTextHeight}, "middle", kGrey, kTextSize,
                 CutToWidth(options.x_title, kTextSize, title_width));
  }
  text += data;
  if (data.empty()) {
    text += Text({(area.left + area.right) / 2, (area.top + area.bottom) / 2}, "middle", kGrey, kTitleSize, "no data");
  }
  text += Line("axis", {area.left, area.bottom}, {area.right, area.bottom}, kAxisGrey);
  for (const double tick : area.x.ticks) {
    text += Line("tick", {area.X(tick), area.bottom}, {area.X(tick), area.bottom + 4}, kAxisGrey);
  }
  if (!area.y.log && area.y.low < 0 && area.y.high > 0) {
    text += Line("axis", {area.left, area.Y(0)}, {area.right, area.Y(0)}, kAxisGrey);
  }
  return text + Labels(options, area, std::move(labels)) + "</svg>\n";
}

}  // namespace replicator::io
