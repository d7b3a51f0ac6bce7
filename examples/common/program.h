// What the examples' command lines have in common.
#pragma once

#include <replicator/replicator.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

namespace examples {

inline constexpr int kError = 1, kWrongUsage = 2, kInterrupted = 130;

// Parses the command line and calls `run`, whose result is the exit status; an Error is one line on stderr and kError.
inline int Main(CLI::App& app, int argc, char** argv, const std::function<int()>& run) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kWrongUsage;
  }
  try {
    return run();
  } catch (const replicator::Error& error) {
    std::cerr << "error: " << error.message() << '\n';
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << '\n';
  }
  return kError;
}

// Throws Error when the file cannot be written.
inline void WriteJson(const std::string& path, const nlohmann::ordered_json& json) {
  std::ofstream file(path);
  file << json.dump(2) << '\n';
  if (file.close(); !file) {
    throw replicator::Error(replicator::ErrorCode::kUnavailable, "the summary cannot be written to '" + path + "'");
  }
}

// A flag's check: the file can be written to. Known before training, rather than after it.
inline const CLI::Validator kWritableFile(
    [](const std::string& path) {
      return std::ofstream(path, std::ios::app) ? std::string() : "'" + path + "' cannot be written";
    },
    "FILE");

}  // namespace examples
