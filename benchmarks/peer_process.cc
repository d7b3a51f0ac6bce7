#include "peer_process.h"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "replicator/base/error.h"

namespace replicator::bench {

PeerProcess::PeerProcess(const std::vector<std::string>& command,
                         const std::map<std::string, std::string>& environment) {
  int to[2], from[2];
  if (pipe(to) != 0 || pipe(from) != 0) throw Error(ErrorCode::kUnavailable, "no pipe to a peer could be made");
  std::signal(SIGPIPE, SIG_IGN);
  pid_ = fork();
  if (pid_ == 0) {
    dup2(to[0], STDIN_FILENO);
    dup2(from[1], STDOUT_FILENO);
    for (int fd : {to[0], to[1], from[0], from[1]}) close(fd);
    for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
    std::vector<char*> arguments;
    for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  close(to[0]);
  close(from[1]);
  to_ = to[1];
  from_ = from[0];
  const std::string line = ReadLine();
  if (line != "ready") missing_ = line.empty() ? "it did not start" : line.substr(line.find(' ') + 1);
}

PeerProcess::~PeerProcess() {
  close(to_);
  close(from_);
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
}

std::string PeerProcess::ReadLine() {
  std::string line;
  char c = 0;
  while (read(from_, &c, 1) == 1 && c != '\n') line += c;
  return line;
}

double PeerProcess::Run(int steps) {
  const std::string request = std::to_string(steps) + "\n";
  if (write(to_, request.data(), request.size()) != static_cast<ssize_t>(request.size())) {
    throw Error(ErrorCode::kUnavailable, "a peer ended early");
  }
  const std::string answer = ReadLine();
  if (answer.empty()) throw Error(ErrorCode::kUnavailable, "a peer ended early");
  return std::stod(answer);
}

}  // namespace replicator::bench
