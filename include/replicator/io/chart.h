// Line charts and bar charts as SVG, for documents with a white background.
#pragma once

#include <string>
#include <vector>

#include "replicator/base/source_location.h"

namespace replicator {
class FileSystem;
}

namespace replicator::io {

// One line, or the bars of one colour. A point of which a coordinate is not finite (or beyond +-1e300) is not drawn; a
// line is interrupted there.
struct Series {
  std::string name;  // beside its line, or in the legend; UTF-8; empty: neither
  std::vector<double> x, y;
};

struct ChartOptions {
  std::string title;  // these are left out where they are empty
  std::string x_title, y_title;
  bool log_x = false, log_y = false;
  int width = 720, height = 420;  // pixels; at least 240 x 180
};

// Both functions give the same text for the same arguments. Each axis has ticks at 1, 2 or 5 times powers of ten. The
// first 49 lines differ in colour or dashes, and the first 14 kinds of bars in colour or strength; the colours can be
// told apart with any kind of colour blindness. The names stand to the right of the axes, so they cover nothing; what
// is too long for a third of the width is cut.
//
// Throw Error(kInvalidArgument), naming the series, where x and y differ in length, or a finite value cannot stand on a
// logarithmic axis; and for a size too small. Nothing to draw is no error: the axes then say so.

// Each series is a line through its points in their order; single points are dots, and so are all points of a series
// that has few. Where there are several points on each pixel the line keeps first, last, smallest and largest of each
// column of pixels, which looks the same: a series without gaps whose x ascend takes some 40 KB at most, however long
// it is.
std::string LineChart(const std::vector<Series>& series, const ChartOptions& options,
                      SourceLocation where = SourceLocation::current());

// Each point is a bar from 0 to y; the series' bars with the same x stand side by side around it. There is a tick at
// each such x where they have room, otherwise at round numbers. On a logarithmic y axis bars begin at the edge, and
// those of 0 are not drawn. Throws as well where a series has two bars at one x.
std::string BarChart(const std::vector<Series>& series, const ChartOptions& options,
                     SourceLocation where = SourceLocation::current());

// Puts the text into a file, or leaves what is at `path` as it was. `file_system` is the operating system's by default.
// Throws what the file system throws.
void WriteChart(const std::string& path, const std::string& svg, FileSystem* file_system = nullptr);

}  // namespace replicator::io
