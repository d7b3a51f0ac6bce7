// A pole that stands on a cart, to be balanced by pushing the cart left or right.
#pragma once

#include <array>
#include <cstdint>
#include <random>

namespace actor_learner {

// Barto, Sutton and Anderson, "Neuronlike adaptive elements that can solve difficult learning control problems", IEEE
// Transactions on Systems, Man, and Cybernetics 13(5), 1983, without friction, in Euler steps of 0.02 s; the equations
// of motion as corrected in Florian, "Correct equations for the dynamics of the cart-pole system", 2007, equations 23
// and 24. An episode ends when the pole leans by more than 12 degrees, the cart is more than 2.4 m from the middle, or
// after a given number of steps; every step is rewarded with 1. It begins near the upright state, each coordinate
// uniform in [-0.05, 0.05).
class CartPole {
 public:
  static constexpr int64_t kActions = 2;
  // Position, velocity, angle, angular velocity.
  using State = std::array<double, 4>;

  CartPole(uint64_t seed, int64_t episode_steps);

  void Reset();
  // Action 0 pushes to the left, 1 to the right. True when the episode has ended; then Reset.
  bool Step(int action);

  const State& state() const { return state_; }
  void set_state(const State& state) { state_ = state; }
  int64_t steps() const { return steps_; }  // of this episode

 private:
  std::mt19937_64 random_;
  const int64_t episode_steps_;
  State state_{};
  int64_t steps_ = 0;
};

}  // namespace actor_learner
