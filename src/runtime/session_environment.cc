#include "runtime/session_environment.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

#include "base/file_system.h"
#include "runtime/signal_interrupts.h"

namespace replicator {
namespace {

class SteadyClock final : public Clock {
 public:
  double Now() override {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }
};

class StderrOutput final : public ProgressOutput {
 public:
  bool IsTerminal() const override { return ::isatty(STDERR_FILENO) == 1; }
  int Width() const override {
    constexpr int kUsual = 80;
    winsize size{};
    return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsual;
  }
  void Write(std::string_view text) override { std::fwrite(text.data(), 1, text.size(), stderr); }
};

}  // namespace

SessionEnvironment& SessionEnvironment::Default() {
  static SteadyClock clock;
  static StderrOutput progress;
  static SessionEnvironment environment{
      .clock = &clock, .interrupts = &SignalInterrupts(), .progress = &progress, .file_system = &FileSystem::Default()};
  return environment;
}

}  // namespace replicator
