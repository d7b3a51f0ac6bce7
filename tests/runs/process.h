// Programs of ours, run by tests as their users run them.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "replicator/base/literal.h"

namespace replicator::runs {

using Arguments = std::vector<std::string>;

// A directory that goes when it does.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

struct Outcome {
  int status = -1;  // of a process that exited; -signal of one that was killed
  std::string out, err;
  double seconds = 0;
};

struct ProcessOptions {
  std::map<std::string, std::string> environment = {};  // in addition to the test's own
  uint64_t largest_file = 0;                            // bytes a file may have; 0: any number
};

// One run of build/<preset>/bin/<program>. It is killed with this object, at the latest.
class Process {
 public:
  Process(const std::string& program, const Arguments& arguments, const ProcessOptions& options = {});
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void Send(int signal) const;
  bool Ended();
  // Whether it ends within that time.
  bool EndsWithin(double seconds);
  // Waits. A process that does not end in four minutes is killed, which is a failure of the test.
  Outcome Wait();

 private:
  TemporaryDirectory output_;
  pid_t pid_ = -1;
  double start_ = 0, end_ = 0;
  bool ended_ = false;
  int raw_status_ = 0;
};

Outcome RunProgram(const std::string& program, const Arguments& arguments, const ProcessOptions& options = {});

// fashion_mnist in a small setting: training takes a moment and saves every 2 steps.
Arguments SmallTraining(const std::string& checkpoint_dir, int steps);
Arguments operator+(Arguments a, const Arguments& b);

// The tensors of the newest checkpoint.
std::map<std::string, Literal> NewestTensors(const std::string& checkpoint_dir);

// The environment variable REPLICATOR_SEED, or a fixed number; printed, so that a failure can be repeated.
uint64_t Seed();
// Whether the environment asks for the long form of a test (REPLICATOR_SOAK=1).
bool Soak();

}  // namespace replicator::runs
