// Speed as a ratio against a peer in the same run: absolute times mean little on a shared machine.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace replicator::bench {

struct Ratio {
  std::string name;
  std::string against;
  double limit = 0;
  int samples = 0;           // pairs
  double ratio = 0;          // the median over the pairs of ours / peer
  double difference_us = 0;  // the median over the pairs of ours - peer, per step
  double allowed_us = 0;     // a difference up to this is within the limit whatever the ratio; 0: none
  std::string missing = {};  // why there is no figure; empty if there is one

  bool within() const { return missing.empty() && (ratio <= limit || difference_us <= allowed_us); }
};

// Seconds of one sample.
using Sample = std::function<double()>;

// Takes `pairs` samples of each, alternately and each first in turn, after one discarded pair. `steps`: steps per
// sample.
Ratio Compare(Ratio what, int pairs, int steps, const Sample& ours, const Sample& peer);

// A line for a person.
void Print(const Ratio& result);
// The list of results as JSON.
void Write(const std::string& path, const std::vector<Ratio>& results);

double SecondsOf(const std::function<void()>& action);
double Median(std::vector<double> values);

}  // namespace replicator::bench
