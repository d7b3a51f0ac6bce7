// What holds for every chart; tests/charts has whole ones.
#include "replicator/io/chart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <regex>

#include "base/testing/fault_file_system.h"
#include "base/testing/xml.h"
#include "replicator/base/error.h"

namespace replicator::io {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const double kNan = std::numeric_limits<double>::quiet_NaN();
const double kInfinity = std::numeric_limits<double>::infinity();

struct Place {
  double x, y;
};

// The numbers that follow `key` in each place where it stands.
std::vector<double> Numbers(const std::string& text, const std::string& key) {
  std::vector<double> numbers;
  for (size_t at = text.find(key); at != std::string::npos; at = text.find(key, at + 1)) {
    numbers.push_back(std::stod(text.substr(at + key.size())));
  }
  return numbers;
}

// The text between <g class="series"...> and </g>, by series.
std::vector<std::string> SeriesOf(const std::string& svg) {
  std::vector<std::string> found;
  const std::string begin = "<g class=\"series\"";
  for (size_t at = svg.find(begin); at != std::string::npos; at = svg.find(begin, at + 1)) {
    found.push_back(svg.substr(at, svg.find("</g>", at) - at));
  }
  return found;
}

// The vertices of a series' path; `pieces` counts its moves.
std::vector<Place> PathOf(const std::string& series, int* pieces = nullptr) {
  std::vector<Place> places;
  const size_t begin = series.find(" d=\"");
  if (begin == std::string::npos) return places;
  const std::string path = series.substr(begin + 4, series.find('"', begin + 4) - begin - 4);
  static const std::regex vertex("(-?[0-9.]+),(-?[0-9.]+)");
  for (auto it = std::sregex_iterator(path.begin(), path.end(), vertex); it != std::sregex_iterator(); ++it) {
    places.push_back({std::stod((*it)[1]), std::stod((*it)[2])});
  }
  if (pieces != nullptr) *pieces = static_cast<int>(std::count(path.begin(), path.end(), 'M'));
  return places;
}

// The sides of the plot area, from the axis line and the grid.
struct Area {
  double left, right, bottom;
};
Area AreaOf(const std::string& svg) {
  const std::string axis = svg.substr(svg.find("<line class=\"axis\""));
  return {Numbers(axis, "x1=\"")[0], Numbers(axis, "x2=\"")[0], Numbers(axis, "y1=\"")[0]};
}

std::vector<double> Count(int n) {
  std::vector<double> numbers;
  for (int i = 0; i < n; ++i) numbers.push_back(i);
  return numbers;
}

std::string Line(const std::vector<double>& x, const std::vector<double>& y, ChartOptions options = {}) {
  std::string svg = LineChart({{"a line", x, y}}, options);
  EXPECT_EQ(XmlFault(svg), "");
  return svg;
}

// x 0 to 10 spans the area; y 0 to 10 goes from its bottom to its top, the highest line of the grid.
TEST(LineChart, MapsValuesIntoTheArea) {
  const std::string svg = Line({0, 2.5, 10}, {0, 10, 5});
  const Area area = AreaOf(svg);
  const auto path = PathOf(SeriesOf(svg).at(0));
  const auto grid = Numbers(svg, "class=\"grid\" x1=\"" + std::to_string(static_cast<int>(area.left)));
  ASSERT_EQ(path.size(), 3u);
  EXPECT_NEAR(path[0].x, area.left, 0.11);
  EXPECT_NEAR(path[0].y, area.bottom, 0.11);
  EXPECT_NEAR(path[1].x, area.left + (area.right - area.left) / 4, 0.11);
  EXPECT_NEAR(path[2].x, area.right, 0.11);
  EXPECT_NEAR(path[2].y, (path[0].y + path[1].y) / 2, 0.11);
  EXPECT_LT(path[1].y, path[0].y - 200);
}

TEST(LineChart, LogarithmicAxes) {
  const std::string svg = Line({1, 10, 100}, {1e-3, 1, 1e3}, {.log_x = true, .log_y = true});
  const auto path = PathOf(SeriesOf(svg).at(0));
  ASSERT_EQ(path.size(), 3u);
  EXPECT_NEAR(path[1].x, (path[0].x + path[2].x) / 2, 0.11);
  EXPECT_NEAR(path[1].y, (path[0].y + path[2].y) / 2, 0.11);
}

TEST(LineChart, WhatIsNotFiniteInterruptsTheLine) {
  int pieces = 0;
  const std::string svg =
      Line({0, 1, 2, 3, 4, kNan, 6, 7, 8, 9}, {1, 2, kNan, 4, 5, 6, kInfinity, 8, -kInfinity, 1e301});
  const auto path = PathOf(SeriesOf(svg).at(0), &pieces);
  EXPECT_EQ(pieces, 2);
  EXPECT_EQ(path.size(), 4u);
  // Points 0, 1, 3, 4 and 7, the single one, are dots; the axes end with the data that are drawn.
  EXPECT_EQ(Numbers(svg, "<circle cx=\"").size(), 5u);
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("inf")));
  EXPECT_NEAR(Numbers(svg, "<circle cx=\"").back(), AreaOf(svg).right, 0.11);
}

TEST(LineChart, OddInput) {
  for (const bool log : {false, true}) {
    const ChartOptions options{.log_x = log, .log_y = log};
    EXPECT_THAT(Line({}, {}, options), HasSubstr("no data"));
    EXPECT_THAT(Line({kNan}, {1}, options), HasSubstr("no data"));
    EXPECT_THAT(LineChart({}, options), HasSubstr("no data"));
    const std::string point = Line({3}, {4}, options);
    EXPECT_NEAR(Numbers(point, "cx=\"").at(0), (AreaOf(point).left + AreaOf(point).right) / 2, 0.11);
    const auto constant = PathOf(SeriesOf(Line({1, 2, 3}, {7, 7, 7}, options)).at(0));
    ASSERT_EQ(constant.size(), 3u);
    EXPECT_EQ(constant[0].y, constant[2].y);
    EXPECT_LT(constant[0].y, 330);
    EXPECT_GT(constant[0].y, 90);
    Line({1e-300, 1e300}, {1e-300, 1e300}, options);
    Line({1, 1 + 1e-15}, {1e300, 1e300}, options);
  }
  Line({-1e300, 1e300}, {-1e300, 1e300});
  Line({0, 0}, {0, -0.0});
}

TEST(LineChart, LongSeriesStaySmallAndKeepTheirExtremes) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  const std::vector<double> x = Count(100000);
  std::vector<double> y;
  for (size_t i = 0; i < x.size(); ++i) y.push_back(normal(random));
  y[54321] = 40;  // single points that a mean or every n-th point would lose
  y[12345] = -33;
  const std::string svg = Line(x, y);
  EXPECT_LT(svg.size(), 45000u);
  const auto path = PathOf(SeriesOf(svg).at(0));
  const Area area = AreaOf(svg);
  const auto [highest, lowest] =
      std::minmax_element(path.begin(), path.end(), [](const Place& a, const Place& b) { return a.y < b.y; });
  EXPECT_NEAR(highest->x, area.left + (area.right - area.left) * 54321 / 99999, 0.11);
  EXPECT_NEAR(lowest->x, area.left + (area.right - area.left) * 12345 / 99999, 0.11);
  EXPECT_NEAR(path.front().x, area.left, 0.11);
  EXPECT_NEAR(path.back().x, area.right, 0.11);
  for (size_t i = 1; i < path.size(); ++i) ASSERT_LE(path[i - 1].x, path[i].x);
  // The axis reaches from -40 to 40, so a unit is an eightieth of the height.
  EXPECT_NEAR((lowest->y - highest->y) / (area.bottom - highest->y), 73.0 / 80, 0.01);
}

TEST(LineChart, AShortSeriesKeepsEveryPoint) {
  EXPECT_EQ(PathOf(SeriesOf(Line(Count(500), Count(500))).at(0)).size(), 500u);
}

// Whatever is drawn lies in the area, and the names to the right of it, apart from each other and in the picture.
TEST(LineChart, NothingLeavesItsPlace) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> value(-1, 1);
  for (int round = 0; round < 200; ++round) {
    const bool log_x = round % 2 == 0, log_y = round % 4 < 2;
    const double scale = std::pow(10, 20 * value(random));
    std::vector<Series> series;
    for (int s = 0; s <= round % 17; ++s) {
      series.push_back({.name = std::string(static_cast<size_t>(s * 3), 'W') + std::to_string(s), .x = {}, .y = {}});
      for (int i = 0; i < round; ++i) {
        const double x = value(random) * scale, y = value(random) * scale;
        series.back().x.push_back(log_x ? std::abs(x) + 1e-30 : x);
        series.back().y.push_back(log_y ? std::abs(y) + 1e-30 : y);
      }
    }
    const ChartOptions options{.title = "t", .x_title = "x", .y_title = "y", .log_x = log_x, .log_y = log_y};
    const std::string svg = LineChart(series, options);
    ASSERT_EQ(XmlFault(svg), "");
    const Area area = AreaOf(svg);
    for (const std::string& one : SeriesOf(svg)) {
      for (const Place& place : PathOf(one)) {
        ASSERT_GE(place.x, area.left - 0.06);
        ASSERT_LE(place.x, area.right + 0.06);
        ASSERT_GE(place.y, 50);
        ASSERT_LE(place.y, area.bottom + 0.06);
      }
    }
    const std::vector<double> samples = Numbers(svg, "class=\"sample\" x1=\"");
    ASSERT_EQ(samples.size(), series.size());
    for (const double x : samples) ASSERT_GT(x, area.right);
    std::vector<double> heights;
    for (size_t at = svg.find("class=\"sample\""); at != std::string::npos; at = svg.find("class=\"sample\"", at + 1)) {
      heights.push_back(Numbers(svg.substr(at, 80), "y1=\"").at(0));
    }
    for (size_t i = 1; i < heights.size(); ++i) ASSERT_GE(heights[i] - heights[i - 1], 15);
    ASSERT_GE(heights.front(), 50);
    ASSERT_LE(heights.back(), area.bottom);
  }
}

TEST(LineChart, ANameStandsWhereItsLineEnds) {
  const std::string svg = LineChart({{"down", {0, 1}, {1, 0}}, {"up", {0, 1}, {0, 1}}}, {});
  EXPECT_LT(svg.find(">up</text>"), svg.find(">down</text>"));  // from top to bottom
}

TEST(LineChart, SeriesLookDifferent) {
  std::vector<Series> series;
  for (int s = 0; s < 49; ++s) series.push_back({std::to_string(s), {0, 1}, {1.0 * s, 2.0 * s}});
  const std::string svg = LineChart(series, {});
  std::set<std::string> looks;
  for (const std::string& one : SeriesOf(svg)) looks.insert(one.substr(one.find("stroke=")));
  std::set<std::string> styles;
  for (const std::string& look : looks) styles.insert(look.substr(0, look.find("/>")));
  EXPECT_EQ(styles.size(), 49u);
}

TEST(LineChart, TextsAreEscapedAndStandThere) {
  const std::string svg =
      LineChart({{"<b> & \"c\"\xff", {0, 1}, {0, 1}}}, {.title = "a < b", .x_title = "x & y", .y_title = "\"y\""});
  EXPECT_EQ(XmlFault(svg), "");
  for (const char* text :
       {">a &lt; b<", ">x &amp; y<", ">&quot;y&quot;<", ">&lt;b&gt; &amp; &quot;c&quot;\xef\xbf\xbd<"}) {
    EXPECT_THAT(svg, HasSubstr(text));
  }
  const std::string long_name(500, 'n');
  const std::string cut = LineChart({{long_name, {0, 1}, {0, 1}}}, {.title = long_name});
  EXPECT_GT(AreaOf(cut).right, 720 / 2);
  EXPECT_THAT(cut, HasSubstr("n…</text>"));
}

struct Bar {
  double left, top, width, height;
};
std::vector<Bar> BarsOf(const std::string& series) {
  const auto x = Numbers(series, " x=\""), y = Numbers(series, " y=\""), width = Numbers(series, " width=\""),
             height = Numbers(series, " height=\"");
  std::vector<Bar> bars;
  for (size_t i = 0; i < x.size(); ++i) bars.push_back({x[i], y[i], width[i], height[i]});
  return bars;
}

TEST(BarChart, BarsStandSideBySideAndAreAsHighAsTheirValues) {
  const std::string svg = BarChart({{"a", {0, 1, 3}, {10, 5, kNan}}, {"b", {1, 3}, {2.5, 7.5}}}, {.y_title = "n"});
  EXPECT_EQ(XmlFault(svg), "");
  const auto series = SeriesOf(svg);
  ASSERT_EQ(series.size(), 2u);
  const auto a = BarsOf(series[0]), b = BarsOf(series[1]);
  ASSERT_EQ(a.size(), 2u);
  ASSERT_EQ(b.size(), 2u);
  EXPECT_NEAR(a[1].height, a[0].height / 2, 0.11);
  EXPECT_NEAR(b[0].height, a[0].height / 4, 0.11);
  EXPECT_NEAR(b[1].height, a[0].height * 3 / 4, 0.11);
  for (const Bar& bar : {a[0], a[1], b[0], b[1]}) EXPECT_NEAR(bar.top + bar.height, AreaOf(svg).bottom, 0.11);
  EXPECT_GE(b[0].left, a[1].left + a[1].width);  // beside, around x = 1
  EXPECT_LE(b[0].left, a[1].left + a[1].width + 2);
  EXPECT_NEAR(b[1].left - b[0].left, 2 * (a[1].left - a[0].left), 0.3);  // x is a number, not a place in a list
  EXPECT_GE(a[0].left, AreaOf(svg).left);
}

TEST(BarChart, NegativeBarsHangFromZero) {
  const auto bars = BarsOf(SeriesOf(BarChart({{"a", {1, 2}, {4, -4}}}, {})).at(0));
  EXPECT_NEAR(bars[0].top + bars[0].height, bars[1].top, 0.11);
  EXPECT_NEAR(bars[0].height, bars[1].height, 0.11);
}

TEST(BarChart, OnALogarithmicAxisTheSmallestIsSeenAndZeroIsNot) {
  const std::string svg = BarChart({{"a", {0, 1, 2, 3}, {1, 0, 10, 100}}}, {.log_y = true});
  const auto bars = BarsOf(SeriesOf(svg).at(0));
  ASSERT_EQ(bars.size(), 3u);
  EXPECT_GT(bars[0].height, 5);
  EXPECT_NEAR(bars[2].height - bars[1].height, bars[1].height - bars[0].height, 0.21);
}

TEST(BarChart, OddInput) {
  for (const bool log : {false, true}) {
    const ChartOptions options{.log_x = log, .log_y = log};
    EXPECT_THAT(BarChart({}, options), HasSubstr("no data"));
    EXPECT_THAT(BarChart({{"a", {}, {}}, {"b", {kNan}, {1}}}, options), HasSubstr("no data"));
    EXPECT_EQ(XmlFault(BarChart({{"a", {5}, {3}}}, options)), "");
    EXPECT_EQ(BarsOf(SeriesOf(BarChart({{"a", {5}, {3}}}, options)).at(0)).size(), 1u);
    std::vector<double> x = Count(1001);
    x.erase(x.begin());
    for (const Bar& bar : BarsOf(SeriesOf(BarChart({{"a", x, x}}, options)).at(0))) EXPECT_GE(bar.width, 1);
  }
  EXPECT_EQ(XmlFault(BarChart({{"a", {1, 2}, {0, 0}}}, {})), "");
  EXPECT_EQ(XmlFault(BarChart({{"a", {1, 2}, {0, 0}}}, {.log_y = true})), "");
}

void ExpectRefused(const std::function<std::string()>& draw, const std::string& text) {
  try {
    draw();
    ADD_FAILURE() << "no error; expected: " << text;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    EXPECT_THAT(error.message(), HasSubstr(text));
    ASSERT_EQ(error.where().size(), 1u);
    EXPECT_THAT(error.where()[0].file_name(), HasSubstr("chart_test.cc"));
  }
}

TEST(Chart, RefusesWhatCannotBeDrawn) {
  const auto line = [](const Series& one, const ChartOptions& options) {
    return [one, options] { return LineChart({{"good", {1}, {1}}, one}, options); };
  };
  ExpectRefused(line({"odd", {1, 2}, {1}}, {.title = "T"}), "chart 'T': series 'odd' has 2 x and 1 y");
  ExpectRefused(line({"s", {1, 0}, {1, 1}}, {.log_x = true}),
                "series 's', point 1: x = 0 cannot stand on a logarithmic");
  ExpectRefused(line({"s", {1, 2}, {1, -3}}, {.log_y = true}), "series 's', point 1: y = -3 cannot");
  ExpectRefused(line({"s", {1}, {0}}, {.log_y = true}), "y = 0 cannot");
  ExpectRefused(line({}, {.width = 100}), "100 x 420 pixels are too few");
  ExpectRefused(line({}, {.height = 0}), "at least 240 x 180");
  ExpectRefused([] { return BarChart({{"s", {1}, {-1}}}, {.log_y = true}); }, "y = -1 cannot");
  ExpectRefused([] { return BarChart({{"s", {3, 1, 3}, {1, 1, 1}}}, {}); }, "series 's' has two bars at x = 3");
  EXPECT_NO_THROW(LineChart({{"s", {kNan, 1}, {-1, 1}}}, {.log_y = true}));  // is not drawn
}

TEST(Chart, SameArgumentsSameText) {
  const auto draw = [] {
    return LineChart({{"a", {0, 1, 2}, {0.1, 0.7, 0.3}}, {"b", {0, 1}, {3, 4}}}, {.title = "t", .x_title = "x"});
  };
  EXPECT_EQ(draw(), draw());
}

TEST(WriteChart, WritesAllOrNothing) {
  FaultFileSystem fs;
  WriteChart("x.svg", "old", &fs);
  fs.FailOperation(1, ENOSPC);
  EXPECT_THROW(WriteChart("x.svg", "the new one", &fs), Error);
  EXPECT_EQ(fs.content("x.svg"), "old");
  EXPECT_EQ(fs.List(".").size(), 1u);
  WriteChart("x.svg", "the new one", &fs);
  EXPECT_EQ(fs.content("x.svg"), "the new one");
}

}  // namespace
}  // namespace replicator::io
