#pragma once

#include <replicator/replicator.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

namespace fashion_mnist {

struct Flags {
  std::string platform = "cpu";
  std::string plugin;
  int replicas = 4;
  int64_t global_batch = 128;
  int64_t epochs = 4;
  int64_t steps = 0;  // 0: as many as the epochs have
  std::string optimizer = "adam";
  double learning_rate = 0;  // 0: the optimizer's own
  std::string dtype = "f32";
  uint64_t seed = 1;
  std::string data_dir = replicator::data::kFashionMnistDirectory;
  int64_t train_examples = 0, test_examples = 0;  // 0: all
  std::string logdir;
  std::string checkpoint_dir;
  bool resume = false;
  int64_t save_every_steps = 0;
  std::string json;
  bool quiet = false;
};

// Fills `flags` when the app parses.
void AddFlags(CLI::App& app, Flags& flags);

// The optimizer that the flags ask for; its learning rate falls to 0 over `steps`, along a cosine.
replicator::optim::Optimizer MakeOptimizer(const Flags& flags, int64_t steps);

}  // namespace fashion_mnist
