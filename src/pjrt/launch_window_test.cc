#include "pjrt/launch_window.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace replicator::pjrt {
namespace {

using std::chrono_literals::operator""ms;

const std::vector<int> kFirst = {0}, kSecond = {1}, kBoth = {0, 1};

TEST(LaunchWindow, WaitsAtTheLimitAndOnlyThere) {
  LaunchWindow window(2);
  for (int i = 0; i < LaunchWindow::kMaxInFlight; ++i) window.Acquire(kFirst);
  EXPECT_EQ(window.in_flight(0), LaunchWindow::kMaxInFlight);
  window.Acquire(kSecond);
  std::atomic<bool> acquired = false;
  std::thread waiter([&] {
    window.Acquire(kBoth);
    acquired = true;
  });
  std::this_thread::sleep_for(30ms);
  EXPECT_FALSE(acquired);
  EXPECT_EQ(window.in_flight(1), 1);  // a waiting gang holds nothing
  window.Release(kFirst);
  waiter.join();
  EXPECT_EQ(window.in_flight(0), LaunchWindow::kMaxInFlight);
  EXPECT_EQ(window.in_flight(1), 2);
}

TEST(LaunchWindow, OthersPassAWaiterButThoseWhoShareADeviceDoNot) {
  LaunchWindow window(3);
  for (int i = 0; i < LaunchWindow::kMaxInFlight; ++i) window.Acquire(kFirst);
  std::atomic<int> order = 0;
  std::atomic<int> gang = 0, later = 0;
  std::thread gang_waiter([&] {
    window.Acquire(kBoth);
    gang = ++order;
  });
  std::this_thread::sleep_for(30ms);
  std::thread later_waiter([&] {
    window.Acquire(kSecond);  // free, but the gang came first
    later = ++order;
  });
  const std::vector<int> third = {2};
  window.Acquire(third);
  std::this_thread::sleep_for(30ms);
  EXPECT_EQ(order, 0);
  window.Release(kFirst);
  gang_waiter.join();
  later_waiter.join();
  EXPECT_EQ(gang + later, 3);
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
