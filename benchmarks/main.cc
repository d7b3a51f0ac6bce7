#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>

#include "replicator/base/error.h"
#include "sections.h"

int main(int argc, char** argv) {
  CLI::App app("Ratios against the bare C API and other frameworks, measured alternately in one run.");
  replicator::bench::Options options;
  std::string json;
  std::vector<std::string> only;
  app.add_option("--json", json, "Write the results to this file");
  app.add_option("--pairs", options.pairs, "Pairs of samples per figure")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--python", options.interpreters, "Interpreters in which to look for JAX, TensorFlow and PyTorch")
      ->envname("REPLICATOR_BENCH_PYTHON")
      ->delimiter(':');
  app.add_option("--only", only, "Sections to run")
      ->check(CLI::IsMember({"session", "segments", "train", "convolution", "rewriting", "async"}));
  app.footer("Example: replicator_bench --only session --pairs 31 --json results.json");
  CLI11_PARSE(app, argc, argv);
  const auto wanted = [&](const char* section) {
    return only.empty() || std::find(only.begin(), only.end(), section) != only.end();
  };
  try {
    std::vector<replicator::bench::Ratio> results;
    const auto add = [&](const std::vector<replicator::bench::Ratio>& more) {
      results.insert(results.end(), more.begin(), more.end());
    };
    if (wanted("session")) add(replicator::bench::SessionRatios(options));
    if (wanted("segments")) add(replicator::bench::SegmentRatios(options));
    if (wanted("convolution")) add(replicator::bench::ConvolutionRatios(options));
    if (wanted("rewriting")) add(replicator::bench::RewritingRatios(options));
    if (wanted("async")) add(replicator::bench::AsyncRatios(options));
    if (wanted("train")) add(replicator::bench::TrainRatios(options));
    if (!json.empty()) replicator::bench::Write(json, results);
  } catch (const replicator::Error& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
  return 0;
}
