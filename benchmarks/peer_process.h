// Another framework in a process of its own, which runs steps when asked.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace replicator::bench {

class PeerProcess {
 public:
  // Starts `command` and waits for its line "ready". A line "missing: why", or an early end, is told by missing().
  PeerProcess(const std::vector<std::string>& command, const std::map<std::string, std::string>& environment);
  ~PeerProcess();
  PeerProcess(const PeerProcess&) = delete;
  PeerProcess& operator=(const PeerProcess&) = delete;

  const std::string& missing() const { return missing_; }
  // Runs so many steps there and returns how many seconds it says they took.
  double Run(int steps);

 private:
  std::string ReadLine();

  int pid_ = -1;
  int to_ = -1, from_ = -1;
  std::string missing_;
};

}  // namespace replicator::bench
