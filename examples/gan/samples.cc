#include "gan/samples.h"

#include <cmath>
#include <fstream>

#include "gan/model.h"

namespace gan {

namespace rp = replicator;

PixelStatistics StatisticsOf(const std::vector<rp::Literal>& images) {
  std::vector<double> sum(kPixels), squares(kPixels);
  double count = 0;
  for (const rp::Literal& batch : images) {
    const auto pixels = batch.data<uint8_t>();
    for (size_t i = 0; i < pixels.size(); ++i) {
      sum[i % kPixels] += pixels[i];
      squares[i % kPixels] += static_cast<double>(pixels[i]) * pixels[i];
    }
    count += static_cast<double>(pixels.size()) / kPixels;
  }
  PixelStatistics statistics;
  for (size_t i = 0; i < kPixels; ++i) {
    const double mean = sum[i] / count;
    statistics.mean.push_back(mean);
    statistics.deviation.push_back(std::sqrt(std::max(0.0, squares[i] / count - mean * mean)));
  }
  return statistics;
}

double Distance(const PixelStatistics& a, const PixelStatistics& b) {
  double sum = 0;
  for (size_t i = 0; i < kPixels; ++i) {
    sum += std::pow(a.mean[i] - b.mean[i], 2) + std::pow(a.deviation[i] - b.deviation[i], 2);
  }
  return std::sqrt(sum / kPixels);
}

void WriteSheet(const std::string& path, const rp::Literal& images, int64_t columns) {
  const int64_t rows = images.dims()[0] / columns;
  const auto* pixels = reinterpret_cast<const char*>(images.bytes());
  std::ofstream file(path, std::ios::binary);
  file << "P5\n" << columns * kSide << ' ' << rows * kSide << "\n255\n";
  for (int64_t line = 0; line < rows * kSide; ++line) {
    for (int64_t column = 0; column < columns; ++column) {
      const int64_t image = line / kSide * columns + column;
      file.write(pixels + image * kPixels + line % kSide * kSide, kSide);
    }
  }
  if (file.close(); !file) {
    throw rp::Error(rp::ErrorCode::kUnavailable, "the images cannot be written to '" + path + "'");
  }
}

}  // namespace gan
