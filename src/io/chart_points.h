// From the values of a series to the line that is drawn.
#pragma once

#include <vector>

#include "io/chart_axis.h"
#include "replicator/io/chart.h"

namespace replicator::io {

// Pixels from the left and from the top.
struct Place {
  double x, y;
};

// A rectangle of pixels, and what its sides stand for.
struct PlotArea {
  double left, top, right, bottom;
  Axis x, y;

  double X(double value) const { return left + x.Fraction(value) * (right - left); }
  double Y(double value) const { return bottom - y.Fraction(value) * (bottom - top); }
};

// Whether a point can be drawn.
bool IsDrawn(double x, double y);

// The unbroken pieces of a line, thinned where there are more points than pixels can show.
std::vector<std::vector<Place>> LinePieces(const Series& series, const PlotArea& area);

}  // namespace replicator::io
