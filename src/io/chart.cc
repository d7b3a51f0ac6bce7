#include "replicator/io/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/file_system.h"
#include "base/xml.h"
#include "io/chart_axis.h"
#include "io/chart_frame.h"
#include "io/chart_points.h"
#include "replicator/base/error.h"

namespace replicator::io {
namespace {

constexpr int kLeastWidth = 240, kLeastHeight = 180;
constexpr int64_t kFewPoints = 20;  // each of so few is marked by a dot

enum class Zero { kRefused, kAllowed };

void Check(const std::vector<Series>& series, const ChartOptions& options, Zero zero_on_log_y, SourceLocation where) {
  const auto refuse = [&](const std::string& what) {
    throw Error(ErrorCode::kInvalidArgument, "chart '" + options.title + "': " + what, {where});
  };
  if (options.width < kLeastWidth || options.height < kLeastHeight) {
    refuse(fmt::format("{} x {} pixels are too few; at least {} x {} are needed", options.width, options.height,
                       kLeastWidth, kLeastHeight));
  }
  for (const Series& one : series) {
    if (one.x.size() != one.y.size()) {
      refuse(fmt::format("series '{}' has {} x and {} y", one.name, one.x.size(), one.y.size()));
    }
    for (size_t i = 0; i < one.x.size(); ++i) {
      if (!IsDrawn(one.x[i], one.y[i])) continue;
      const auto check = [&](bool log, double value, bool zero_is_allowed, const char* axis) {
        if (!log || value > 0 || (value == 0 && zero_is_allowed)) return;
        refuse(
            fmt::format("series '{}', point {}: {} = {} cannot stand on a logarithmic axis", one.name, i, axis, value));
      };
      check(options.log_x, one.x[i], false, "x");
      check(options.log_y, one.y[i], zero_on_log_y == Zero::kAllowed, "y");
    }
  }
}

std::vector<std::string> NamesOf(const std::vector<Series>& series) {
  std::vector<std::string> names;
  for (const Series& one : series) {
    if (!one.name.empty()) names.push_back(one.name);
  }
  return names;
}

std::string Opening(const Series& one) {
  return "<g class=\"series\">" + (one.name.empty() ? "" : "<title>" + EscapeXml(one.name) + "</title>") + "\n";
}

std::string DrawLine(const Series& one, const SeriesStyle& style, const std::vector<std::vector<Place>>& pieces) {
  int64_t points = 0;
  std::string path, dots;
  for (const std::vector<Place>& piece : pieces) points += std::ssize(piece);
  for (const std::vector<Place>& piece : pieces) {
    for (size_t i = 0; i < piece.size(); ++i) {
      if (piece.size() > 1) path += fmt::format("{}{:.1f},{:.1f}", i == 0 ? "M" : " ", piece[i].x, piece[i].y);
      if (piece.size() > 1 && points > kFewPoints) continue;
      dots += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", piece[i].x, piece[i].y,
                          style.colour);
    }
  }
  if (!path.empty()) {
    path = fmt::format(
        "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\" stroke-linejoin=\"round\" "
        "stroke-dasharray=\"{}\"/>\n",
        path, style.colour, *style.dashes == '\0' ? "none" : style.dashes);
  }
  return Opening(one) + path + dots + "</g>\n";
}

// The places of bars on the x axis: groups stand around the values of x, on a linear scale of `At`.
class Groups {
 public:
  Groups(const std::vector<Series>& series, const ChartOptions& options, SourceLocation where) : log_(options.log_x) {
    for (const Series& one : series) {
      std::vector<double> own;
      for (size_t i = 0; i < one.x.size(); ++i) {
        if (IsDrawn(one.x[i], one.y[i])) own.push_back(one.x[i]);
      }
      std::sort(own.begin(), own.end());
      const auto twice = std::adjacent_find(own.begin(), own.end());
      if (twice != own.end()) {
        throw Error(ErrorCode::kInvalidArgument,
                    fmt::format("chart '{}': series '{}' has two bars at x = {}", options.title, one.name, *twice),
                    {where});
      }
      values_.insert(values_.end(), own.begin(), own.end());
    }
    std::sort(values_.begin(), values_.end());
    values_.erase(std::unique(values_.begin(), values_.end()), values_.end());
    for (size_t i = 1; i < values_.size(); ++i) {
      const double gap = At(values_[i]) - At(values_[i - 1]);
      gap_ = i == 1 ? gap : std::min(gap_, gap);
    }
  }

  // With room for half a group at either end.
  Range range() const {
    Range range;
    if (values_.empty()) return range;
    const double half = gap_ / 2;
    range.Include(log_ ? values_.front() / std::exp(half) : values_.front() - half);
    range.Include(log_ ? values_.back() * std::exp(half) : values_.back() + half);
    return range;
  }

  // The axis with a tick at each group, or at round numbers where those are too many.
  Axis MakeAxis(const PlotArea& area, const ChartOptions& options) const {
    const LabelsFit fits = LabelsFitBelow(area, options);
    const Range widened = Widened(range(), log_);
    Axis axis{.log = log_, .low = widened.low, .high = widened.high, .ticks = values_};
    constexpr size_t kMostGroups = 40;
    if (!values_.empty() && values_.size() <= kMostGroups && fits(axis, TickLabels(axis))) return axis;
    return ExactAxis(widened, log_, MostXTicks(area), fits);
  }

  // Of one bar, in pixels.
  double BarWidth(const PlotArea& area, size_t num_series) const {
    constexpr double kFilled = 0.8, kThinnest = 1, kWidest = 48;
    const double group = gap_ / (At(area.x.high) - At(area.x.low)) * (area.right - area.left) * kFilled;
    return std::clamp(group / static_cast<double>(num_series), kThinnest, kWidest);
  }

 private:
  double At(double value) const { return log_ ? std::log(value) : value; }

  bool log_;
  std::vector<double> values_;
  double gap_ = 1;
};

std::string DrawBars(const Series& one, size_t index, size_t num_series, const PlotArea& area, double width) {
  constexpr double kWide = 4;
  const SeriesStyle style = StyleOf(index);
  const double offset = (static_cast<double>(index) - static_cast<double>(num_series) / 2) * width;
  const double base = area.y.log ? area.bottom : area.Y(std::clamp(0.0, area.y.low, area.y.high));
  std::string text = Opening(one);
  for (size_t i = 0; i < one.x.size(); ++i) {
    if (!IsDrawn(one.x[i], one.y[i]) || (area.y.log && one.y[i] <= 0)) continue;
    const double left = std::clamp(area.X(one.x[i]) + offset, area.left, area.right - width);
    const double space = width > kWide ? 1 : 0;  // white between bars that touch
    const double top = area.Y(one.y[i]);
    text += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n", left,
                        std::min(top, base), width - space, std::abs(top - base));
  }
  text.insert(text.find('>'), fmt::format(" fill=\"{}\" fill-opacity=\"{}\"", style.colour, style.opacity));
  return text + "</g>\n";
}

}  // namespace

std::string LineChart(const std::vector<Series>& series, const ChartOptions& options, SourceLocation where) {
  Check(series, options, Zero::kRefused, where);
  Range x, y;
  for (const Series& one : series) {
    for (size_t i = 0; i < one.x.size(); ++i) {
      if (!IsDrawn(one.x[i], one.y[i])) continue;
      x.Include(one.x[i]);
      y.Include(one.y[i]);
    }
  }
  PlotArea area =
      LayOutFrame({options, NamesOf(series)}, RoundAxis(Widened(y, options.log_y), options.log_y, MostYTicks(options)));
  area.x = ExactAxis(Widened(x, options.log_x), options.log_x, MostXTicks(area), LabelsFitBelow(area, options));
  std::string data;
  std::vector<NameLabel> labels;
  for (size_t s = 0; s < series.size(); ++s) {
    const SeriesStyle style = StyleOf(s);
    const auto pieces = LinePieces(series[s], area);
    if (!pieces.empty()) data += DrawLine(series[s], style, pieces);
    if (series[s].name.empty()) continue;
    const Place end = pieces.empty() ? Place{area.left, area.bottom} : pieces.back().back();
    labels.push_back({.name = series[s].name,
                      .style = style,
                      .wanted_y = end.y,
                      .line_arrives = !pieces.empty() && end.x > area.right - 2});
  }
  return DrawFrame(options, area, data, std::move(labels), /*vertical_grid=*/true);
}

std::string BarChart(const std::vector<Series>& series, const ChartOptions& options, SourceLocation where) {
  Check(series, options, Zero::kAllowed, where);
  const Groups groups(series, options, where);
  Range y;
  for (const Series& one : series) {
    for (size_t i = 0; i < one.x.size(); ++i) {
      if (!IsDrawn(one.x[i], one.y[i]) || (options.log_y && one.y[i] == 0)) continue;
      y.Include(one.y[i]);
      y.Include(options.log_y ? one.y[i] / 2 : 0);  // the smallest bar is to be seen too
    }
  }
  PlotArea area =
      LayOutFrame({options, NamesOf(series)}, RoundAxis(Widened(y, options.log_y), options.log_y, MostYTicks(options)));
  area.x = groups.MakeAxis(area, options);
  std::string data;
  std::vector<NameLabel> labels;
  for (size_t s = 0; s < series.size(); ++s) {
    if (!groups.range().empty) {
      data += DrawBars(series[s], s, series.size(), area, groups.BarWidth(area, series.size()));
    }
    if (series[s].name.empty()) continue;
    labels.push_back(
        {.name = series[s].name, .style = StyleOf(s), .sample = NameLabel::Sample::kPatch, .wanted_y = area.top});
  }
  return DrawFrame(options, area, data, std::move(labels), /*vertical_grid=*/false);
}

void WriteChart(const std::string& path, const std::string& svg, FileSystem* file_system) {
  AtomicWriteFile(file_system != nullptr ? *file_system : FileSystem::Default(), path,
                  [&](WritableFile& file) { file.Append(svg); });
}

}  // namespace replicator::io
