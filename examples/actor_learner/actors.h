// The threads that act.
#pragma once

#include <replicator/replicator.h>

#include <cstdint>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "actor_learner/cart_pole.h"

namespace actor_learner {

// Returns of the episodes that have ended. Thread-safe.
class Returns {
 public:
  static constexpr size_t kWindow = 100;

  void Add(double episode_return);
  int64_t episodes() const;
  // Of the last kWindow episodes; 0 before there are so many.
  double Mean() const;

 private:
  mutable std::mutex mutex_;
  std::deque<double> last_;  // guarded by mutex_
  int64_t episodes_ = 0;     // guarded by mutex_
};

struct ActorOptions {
  int64_t actors = 4;
  int64_t environments = 8;  // of each actor; their observations are one input of the policy
  int64_t trajectory = 20;   // steps
  int64_t episode_steps = 500;
  double discount = 0.99;
  uint64_t seed = 1;
};

// One thread for each actor: it steps its environments by what `policy` says (Agent::Act) and pushes their trajectories
// until the queue is closed. An actor's environments and random draws depend on the seed and its number only. An error
// in an actor fails the queue. The destructor closes the queue and waits.
class Actors {
 public:
  Actors(replicator::Callable policy, replicator::data::Queue queue, Returns& returns, const ActorOptions& options);
  ~Actors();
  Actors(const Actors&) = delete;
  Actors& operator=(const Actors&) = delete;

 private:
  void Act(int64_t actor);

  const replicator::Callable policy_;
  replicator::data::Queue queue_;
  Returns& returns_;
  const ActorOptions options_;
  std::vector<std::jthread> threads_;
};

// The mean return of one episode in each of `episodes` environments; `policy` takes f32 [episodes, 4] and returns the
// actions.
double Evaluate(const replicator::Callable& policy, int64_t episodes, int64_t episode_steps, uint64_t seed);

}  // namespace actor_learner
