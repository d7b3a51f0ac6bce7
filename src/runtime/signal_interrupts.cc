#include "runtime/signal_interrupts.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <mutex>

namespace replicator {
namespace {

constexpr int kExitStatus = 130;
constexpr std::array<int, 2> kSignals = {SIGINT, SIGTERM};

std::atomic<int> received{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may use lock-free atomics only");

// Async-signal-safe functions only.
extern "C" void OnSignal(int) {
  constexpr char kMessage[] =
      "\ninterrupted: finishing the step and saving; interrupt again to exit at once, without saving\n";
  if (received.fetch_add(1) != 0) ::_exit(kExitStatus);
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, kMessage, sizeof(kMessage) - 1);
}

class Signals final : public InterruptSource {
 public:
  void Install() override {
    const std::lock_guard lock(mutex_);
    if (installed_++ != 0) return;
    received = 0;
    for (size_t i = 0; i < kSignals.size(); ++i) {
      struct sigaction action{};
      action.sa_handler = OnSignal;
      action.sa_flags = SA_RESTART;
      ::sigemptyset(&action.sa_mask);
      ::sigaction(kSignals[i], nullptr, &before_[i]);
      if (before_[i].sa_handler != SIG_IGN) ::sigaction(kSignals[i], &action, nullptr);
    }
  }
  void Uninstall() override {
    const std::lock_guard lock(mutex_);
    if (--installed_ != 0) return;
    for (size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &before_[i], nullptr);
  }
  bool Interrupted() const override { return received != 0; }

 private:
  std::mutex mutex_;  // guards all below
  int installed_ = 0;
  std::array<struct sigaction, kSignals.size()> before_{};
};

}  // namespace

InterruptSource& SignalInterrupts() {
  static Signals signals;
  return signals;
}

}  // namespace replicator
