// The parts of `make bench`.
#pragma once

#include <string>
#include <vector>

#include "ratio.h"

namespace replicator::bench {

struct Options {
  int pairs = 15;
  // Python interpreters in which peers may be installed, tried in order.
  std::vector<std::string> interpreters;
};

// session.Run against the bare C API on the same program.
std::vector<Ratio> SessionRatios(const Options& options);
// What passing a value from one logical device to another costs beyond its copy.
std::vector<Ratio> SegmentRatios(const Options& options);
// Training steps of a network and a perceptron against JAX on the same plugin, and other frameworks.
std::vector<Ratio> TrainRatios(const Options& options);
// Gradients of convolutions inside a region against straight code.
std::vector<Ratio> ConvolutionRatios(const Options& options);

// Building, matching and rewriting a step of ResNet-50's size for 512 replicas, without any device.
std::vector<Ratio> RewritingRatios(const Options& options);
// Groups that do not wait for one another, and the store's program.
std::vector<Ratio> AsyncRatios(const Options& options);

}  // namespace replicator::bench
