#include "pjrt/launch_window.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace replicator::pjrt {
namespace {

using std::chrono_literals::operator""ms;

const std::vector<int> kFirst = {0}, kSecond = {1}, kBoth = {0, 1};

void AwaitWaiters(const LaunchWindow& window, int count) {
  for (int i = 0; i < 20000 && window.num_waiting() < count; ++i) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(window.num_waiting(), count);
}

TEST(LaunchWindow, WaitsAtTheLimitAndOnlyThere) {
  LaunchWindow window(2);
  for (int i = 0; i < LaunchWindow::kMaxInFlight; ++i) window.Acquire(kFirst);
  EXPECT_EQ(window.in_flight(0), LaunchWindow::kMaxInFlight);
  window.Acquire(kSecond);
  std::thread gang([&] { window.Acquire(kBoth); });
  AwaitWaiters(window, 1);
  EXPECT_EQ(window.in_flight(0), LaunchWindow::kMaxInFlight);
  EXPECT_EQ(window.in_flight(1), 1);  // a waiting gang holds nothing
  window.Release(kFirst);
  gang.join();
  EXPECT_EQ(window.in_flight(0), LaunchWindow::kMaxInFlight);
  EXPECT_EQ(window.in_flight(1), 2);
}

TEST(LaunchWindow, OthersPassAWaiterButThoseWhoShareADeviceDoNot) {
  LaunchWindow window(3);
  for (int i = 0; i < LaunchWindow::kMaxInFlight; ++i) window.Acquire(kFirst);
  std::thread gang([&] { window.Acquire(kBoth); });
  AwaitWaiters(window, 1);
  std::thread later([&] { window.Acquire(kSecond); });  // free, but the gang came first
  AwaitWaiters(window, 2);
  const std::vector<int> third = {2};
  window.Acquire(third);  // shares no device with them: does not wait
  EXPECT_EQ(window.num_waiting(), 2);
  EXPECT_EQ(window.in_flight(1), 0);
  window.Release(kFirst);
  gang.join();
  later.join();
  EXPECT_EQ(window.in_flight(1), 2);
}

TEST(LaunchWindow, NeverExceededAndNeverStuck) {
  constexpr int kDevices = 3, kThreads = 42, kLaunches = 200;
  LaunchWindow window(kDevices);
  std::vector<std::atomic<int>> held(kDevices);
  std::atomic<bool> exceeded = false;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      std::vector<int> devices;
      for (int d = 0; d < kDevices; ++d) {
        if (((t % 7 + 1) >> d) & 1) devices.push_back(d);
      }
      for (int i = 0; i < kLaunches; ++i) {
        window.Acquire(devices);
        for (int d : devices) {
          if (++held[static_cast<size_t>(d)] > LaunchWindow::kMaxInFlight) exceeded = true;
        }
        std::this_thread::yield();
        for (int d : devices) --held[static_cast<size_t>(d)];
        window.Release(devices);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  window.Drain();
  EXPECT_FALSE(exceeded);
  for (int d = 0; d < kDevices; ++d) EXPECT_EQ(window.in_flight(d), 0);
}

}  // namespace
}  // namespace replicator::pjrt
