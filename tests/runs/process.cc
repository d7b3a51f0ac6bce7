#include "process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <thread>

#include "base/file_system.h"
#include "replicator/io/checkpoint.h"

namespace replicator::runs {
namespace {

constexpr double kPatience = 240;

double Now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

void Redirect(int descriptor, const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ::dup2(file, descriptor);
  ::close(file);
}

// In the child: becomes the program.
[[noreturn]] void Become(const std::string& path, const Arguments& arguments, const ProcessOptions& options) {
  for (const auto& [name, value] : options.environment) ::setenv(name.c_str(), value.c_str(), 1);
  if (options.largest_file != 0) {
    const rlimit limit{options.largest_file, options.largest_file};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    std::signal(SIGXFSZ, SIG_IGN);  // then writing fails
  }
  std::vector<char*> argv = {const_cast<char*>(path.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  ::execv(path.c_str(), argv.data());
  ::_exit(127);
}

}  // namespace

TemporaryDirectory::TemporaryDirectory() {
  std::string pattern = ::testing::TempDir() + "replicator_runs_XXXXXX";
  path_ = ::mkdtemp(pattern.data());
}
TemporaryDirectory::~TemporaryDirectory() { std::filesystem::remove_all(path_); }

Process::Process(const std::string& program, const Arguments& arguments, const ProcessOptions& options) {
  const std::string path = std::string(REPLICATOR_PROGRAMS) + "/" + program;
  start_ = Now();
  pid_ = ::fork();
  if (pid_ == 0) {
    Redirect(STDOUT_FILENO, output_ / "out");
    Redirect(STDERR_FILENO, output_ / "err");
    Become(path, arguments, options);
  }
}

Process::~Process() {
  if (Ended()) return;
  Send(SIGKILL);
  ::waitpid(pid_, &raw_status_, 0);
}

void Process::Send(int signal) const { ::kill(pid_, signal); }

bool Process::Ended() {
  if (!ended_ && ::waitpid(pid_, &raw_status_, WNOHANG) == pid_) {
    ended_ = true;
    end_ = Now();
  }
  return ended_;
}

bool Process::EndsWithin(double seconds) {
  const double deadline = Now() + seconds;
  while (!Ended() && Now() < deadline) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  return Ended();
}

Outcome Process::Wait() {
  if (!EndsWithin(kPatience)) {
    ADD_FAILURE() << "the program did not end within " << kPatience << " s";
    Send(SIGKILL);
    EndsWithin(kPatience);
  }
  Outcome outcome;
  outcome.status = WIFEXITED(raw_status_) ? WEXITSTATUS(raw_status_) : -WTERMSIG(raw_status_);
  outcome.out = FileSystem::Default().ReadFile(output_ / "out");
  outcome.err = FileSystem::Default().ReadFile(output_ / "err");
  outcome.seconds = end_ - start_;
  return outcome;
}

Outcome RunProgram(const std::string& program, const Arguments& arguments, const ProcessOptions& options) {
  return Process(program, arguments, options).Wait();
}

Arguments operator+(Arguments a, const Arguments& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Arguments SmallTraining(const std::string& checkpoint_dir, int steps) {
  return {"--replicas",       "2",           "--global-batch", "8", "--train-examples", "100",
          "--test-examples",  "20",          "--save-every",   "2", "--steps",          std::to_string(steps),
          "--checkpoint-dir", checkpoint_dir};
}

std::map<std::string, Literal> NewestTensors(const std::string& checkpoint_dir) {
  const auto newest = io::LoadLatestCheckpoint(checkpoint_dir);
  if (newest.has_value()) return newest->checkpoint.tensors;
  ADD_FAILURE() << "no checkpoint in " << checkpoint_dir;
  return {};
}

uint64_t Seed() {
  const char* text = std::getenv("REPLICATOR_SEED");
  const uint64_t seed = text != nullptr ? std::strtoull(text, nullptr, 10) : 1902;
  std::cout << "REPLICATOR_SEED=" << seed << '\n';
  return seed;
}

bool Soak() { return std::getenv("REPLICATOR_SOAK") != nullptr; }

}  // namespace replicator::runs
