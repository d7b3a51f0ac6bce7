// Whole charts, one for each way of drawing, against the files in golden/.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>

#include "base/testing/xml.h"
#include "replicator/io/chart.h"

namespace replicator::io {
namespace {

void ExpectChart(const std::string& name, const std::string& svg) {
  EXPECT_EQ(XmlFault(svg), "") << name;
  const std::string path = std::string(REPLICATOR_CHARTS) + "/" + name;
  if (std::getenv("REPLICATOR_UPDATE_GOLDEN") != nullptr) std::ofstream(path, std::ios::binary) << svg;
  std::stringstream golden;
  golden << std::ifstream(path, std::ios::binary).rdbuf();
  EXPECT_TRUE(golden.str() == svg) << path << " is not what the code draws; REPLICATOR_UPDATE_GOLDEN=1 draws it anew";
}

// Numbers that are the same on every machine.
class Noise {
 public:
  double Next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state_ >> 40) / (1 << 24) - 0.5;
  }

 private:
  uint64_t state_ = 1;
};

TEST(Charts, Loss) {
  std::vector<Series> series;
  Noise noise;
  for (const auto& [name, rate] : {std::pair{"synchronous", 3.0}, std::pair{"asynchronous", 2.0},
                                   std::pair{"bounded staleness 4", 2.7}, std::pair{"drop late", 2.5}}) {
    Series one{.name = name, .x = {}, .y = {}};
    for (int step = 0; step <= 200; ++step) {
      one.x.push_back(step * 100);
      one.y.push_back(0.3 + 2 / (1 + rate * step / 20) + 0.05 * noise.Next());
    }
    series.push_back(one);
  }
  series.back().y[90] = std::nan("");
  series.back().x.resize(150);
  series.back().y.resize(150);
  ExpectChart("loss.svg", LineChart(series, {.title = "Training loss of one model under four policies",
                                             .x_title = "step",
                                             .y_title = "cross entropy"}));
}

TEST(Charts, Throughput) {
  const std::vector<double> replicas = {1, 2, 4, 8, 16, 32};
  ExpectChart(
      "throughput.svg",
      LineChart({{"ideal", replicas, {400, 800, 1600, 3200, 6400, 12800}},
                 {"asynchronous", replicas, {390, 770, 1500, 2900, 5400, 9800}},
                 {"synchronous", replicas, {395, 760, 1400, 2500, 4000, 5200}}},
                {.title = "Throughput", .x_title = "replicas", .y_title = "examples/s", .log_x = true, .log_y = true}));
}

TEST(Charts, Staleness) {
  ExpectChart("staleness.svg", BarChart({{"asynchronous", {0, 1, 2, 3, 4, 5, 6, 9}, {12, 55, 310, 820, 410, 96, 20, 3}},
                                         {"bounded staleness 4", {0, 1, 2, 3, 4}, {40, 120, 460, 800, 240}},
                                         {"synchronous", {0}, {1660}}},
                                        {.title = "Staleness of applied gradients",
                                         .x_title = "updates since the read",
                                         .y_title = "gradients"}));
}

TEST(Charts, StalenessOnALogarithmicAxis) {
  Series one{.name = "16 groups", .x = {}, .y = {}};
  for (int k = 0; k < 60; ++k) {
    one.x.push_back(k);
    one.y.push_back(std::floor(1e5 * std::exp(-std::pow((k - 15) / 6.0, 2))));
  }
  ExpectChart("staleness_log.svg", BarChart({one}, {.title = "Staleness",
                                                    .x_title = "updates",
                                                    .y_title = "gradients",
                                                    .log_y = true,
                                                    .width = 560,
                                                    .height = 320}));
}

TEST(Charts, Signed) {
  Series wave{.name = "a < b & c", .x = {}, .y = {}}, other{.name = "cos", .x = {}, .y = {}};
  for (int i = 0; i <= 100; ++i) {
    wave.x.push_back(i * 1e-6);
    wave.y.push_back(1e-5 * std::sin(i * 0.1));
    other.x.push_back(i * 1e-6);
    other.y.push_back(1e-5 * std::cos(i * 0.1));
  }
  ExpectChart(
      "signed.svg",
      LineChart(
          {wave, other},
          {.title = "Small and signed", .x_title = "time in s", .y_title = "volts", .width = 480, .height = 300}));
}

TEST(Charts, ManyLines) {
  std::vector<Series> series;
  for (int k = 0; k < 14; ++k) {
    Series one{.name = "learning rate " + std::to_string(k), .x = {}, .y = {}};
    for (int i = 0; i <= 50; ++i) {
      one.x.push_back(i * 4e4);
      one.y.push_back(std::exp(-i * 0.01 * (k + 1)) * 1e4);
    }
    series.push_back(one);
  }
  ExpectChart("many_lines.svg",
              LineChart(series, {.title = "Many", .x_title = "examples", .y_title = "error", .log_y = true}));
}

TEST(Charts, SignedBars) {
  ExpectChart(
      "signed_bars.svg",
      BarChart({{"before", {1, 2, 4, 8}, {-3, 2, 5, -1.5}}, {"after", {1, 2, 4, 8}, {1, -2, 3, 4}}},
               {.title = "Change", .x_title = "replicas", .y_title = "%", .log_x = true, .width = 480, .height = 300}));
}

TEST(Charts, Nothing) {
  ExpectChart("nothing.svg", LineChart({}, {.title = "Nothing yet", .x_title = "step", .y_title = "loss"}));
}

}  // namespace
}  // namespace replicator::io
