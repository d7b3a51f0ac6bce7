// Looking at generated images.
#pragma once

#include <replicator/replicator.h>

#include <cstdint>
#include <string>
#include <vector>

namespace gan {

// Mean and standard deviation of every pixel over the images.
struct PixelStatistics {
  std::vector<double> mean, deviation;
};

// `images`: batches of u8 [N, ...] with 784 pixels for each.
PixelStatistics StatisticsOf(const std::vector<replicator::Literal>& images);

// How far two sets of images are from each other: the square root of the mean over the pixels of (difference of
// means)^2
// + (difference of deviations)^2, in grey levels. It is Fréchet's distance of normal distributions with independent
// pixels: a crude measure, but one that sees both wrong images and images that are all alike.
double Distance(const PixelStatistics& a, const PixelStatistics& b);

// Writes images, u8 [rows * columns, 784], as one sheet in the PGM format. Throws Error when it cannot be written.
void WriteSheet(const std::string& path, const replicator::Literal& images, int64_t columns);

}  // namespace gan
