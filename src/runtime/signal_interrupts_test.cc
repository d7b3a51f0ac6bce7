#include "runtime/signal_interrupts.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>

namespace replicator {
namespace {

TEST(SignalInterrupts, RemembersTheFirstSignal) {
  InterruptSource& signals = SignalInterrupts();
  for (const int signal : {SIGINT, SIGTERM}) {
    ::testing::internal::CaptureStderr();
    signals.Install();
    EXPECT_FALSE(signals.Interrupted());
    std::raise(signal);
    EXPECT_TRUE(signals.Interrupted());
    signals.Uninstall();
    EXPECT_TRUE(signals.Interrupted());
    EXPECT_NE(::testing::internal::GetCapturedStderr().find("interrupt again to exit at once"), std::string::npos);
  }
}

TEST(SignalInterruptsDeathTest, TheSecondEndsTheProcess) {
  EXPECT_EXIT(
      {
        SignalInterrupts().Install();
        std::raise(SIGINT);
        std::raise(SIGINT);
        std::exit(0);
      },
      ::testing::ExitedWithCode(130), "interrupted");
}

TEST(SignalInterruptsDeathTest, RestoresWhatWasThere) {
  EXPECT_EXIT(
      {
        SignalInterrupts().Install();
        SignalInterrupts().Uninstall();
        std::raise(SIGTERM);
        std::exit(0);
      },
      ::testing::KilledBySignal(SIGTERM), "");
  EXPECT_EXIT(
      {
        std::signal(SIGINT, SIG_IGN);  // as under nohup
        SignalInterrupts().Install();
        std::raise(SIGINT);
        std::exit(SignalInterrupts().Interrupted() ? 1 : 0);
      },
      ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace replicator
