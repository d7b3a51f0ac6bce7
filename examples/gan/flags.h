#pragma once

#include <replicator/replicator.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

namespace gan {

struct Flags {
  std::string platform = "cpu";
  std::string plugin;
  int replicas = 2;
  int64_t global_batch = 128;
  int64_t steps = 4000;
  int64_t discriminator_steps = 1;
  int64_t latent = 64;
  double discriminator_rate = 4e-4, generator_rate = 2e-4;
  uint64_t seed = 1;
  std::string data_dir = replicator::data::kFashionMnistDirectory;
  int64_t samples = 2000;
  std::string sheet;
  std::string logdir;
  std::string checkpoint_dir;
  bool resume = false;
  std::string json;
  bool quiet = false;
};

// Fills `flags` when the app parses.
void AddFlags(CLI::App& app, Flags& flags);

}  // namespace gan
