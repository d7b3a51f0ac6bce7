// What line charts and bar charts have in common: everything but the data.
#pragma once

#include <string>
#include <vector>

#include "io/chart_axis.h"
#include "io/chart_points.h"
#include "replicator/io/chart.h"

namespace replicator::io {

struct SeriesStyle {
  const char* colour;
  const char* dashes;  // of a line; empty: solid
  double opacity;      // of a bar
};
SeriesStyle StyleOf(size_t series);

// A name to the right of the plot area, with a piece of its line or a patch of its colour.
struct NameLabel {
  std::string name;
  SeriesStyle style;
  enum class Sample { kLine, kPatch } sample = Sample::kLine;
  double wanted_y = 0;        // where its line ends; labels keep their distance
  bool line_arrives = false;  // at the right edge, so that the label can be joined to it
};

// The place for the data between the texts around it. `names` are those of the labels; `x` is the axis for a width.
struct FrameTexts {
  const ChartOptions& options;
  std::vector<std::string> names;
};
// How many ticks have room.
int MostYTicks(const ChartOptions& options);
PlotArea LayOutFrame(const FrameTexts& texts, Axis y);
int MostXTicks(const PlotArea& area);
// Whether the labels of an x axis stand apart from each other and within the picture.
LabelsFit LabelsFitBelow(const PlotArea& area, const ChartOptions& options);

// The picture: the frame's parts that lie behind the data, `data`, and those before it.
std::string DrawFrame(const ChartOptions& options, const PlotArea& area, const std::string& data,
                      std::vector<NameLabel> labels, bool vertical_grid);

}  // namespace replicator::io
