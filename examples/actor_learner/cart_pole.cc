#include "actor_learner/cart_pole.h"

#include <cmath>
#include <numbers>

namespace actor_learner {
namespace {

constexpr double kGravity = 9.8, kCartMass = 1.0, kPoleMass = 0.1, kHalfLength = 0.5, kForce = 10, kSeconds = 0.02;
constexpr double kMostPosition = 2.4, kMostAngle = 12 * std::numbers::pi / 180;

}  // namespace

CartPole::CartPole(uint64_t seed, int64_t episode_steps) : random_(seed), episode_steps_(episode_steps) { Reset(); }

void CartPole::Reset() {
  // Not a standard distribution: those differ between libraries.
  for (double& coordinate : state_) coordinate = std::ldexp(static_cast<double>(random_() >> 11), -53) * 0.1 - 0.05;
  steps_ = 0;
}

bool CartPole::Step(int action) {
  auto& [position, velocity, angle, angular_velocity] = state_;
  constexpr double kMass = kCartMass + kPoleMass;
  const double sine = std::sin(angle), cosine = std::cos(angle);
  const double force = action == 1 ? kForce : -kForce;
  const double pushed = (force + kPoleMass * kHalfLength * angular_velocity * angular_velocity * sine) / kMass;
  const double angular_acceleration =
      (kGravity * sine - cosine * pushed) / (kHalfLength * (4.0 / 3 - kPoleMass * cosine * cosine / kMass));
  const double acceleration = pushed - kPoleMass * kHalfLength * angular_acceleration * cosine / kMass;
  position += kSeconds * velocity;
  velocity += kSeconds * acceleration;
  angle += kSeconds * angular_velocity;
  angular_velocity += kSeconds * angular_acceleration;
  ++steps_;
  return std::abs(position) > kMostPosition || std::abs(angle) > kMostAngle || steps_ >= episode_steps_;
}

}  // namespace actor_learner
