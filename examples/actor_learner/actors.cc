#include "actor_learner/actors.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "actor_learner/agent.h"

namespace actor_learner {
namespace {

namespace rp = replicator;

// Streams of random numbers that have nothing to do with one another (SplitMix64's finaliser).
uint64_t Seed(uint64_t seed, uint64_t a, uint64_t b) {
  uint64_t mixed = seed;
  for (const uint64_t part : {a, b}) {
    mixed = (mixed + part + 1) * 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    mixed ^= mixed >> 31;
  }
  return mixed;
}

std::vector<CartPole> Environments(int64_t count, int64_t episode_steps, uint64_t seed, uint64_t stream) {
  std::vector<CartPole> environments;
  for (int64_t i = 0; i < count; ++i) {
    environments.emplace_back(Seed(seed, stream, static_cast<uint64_t>(i)), episode_steps);
  }
  return environments;
}

void Write(const CartPole& environment, std::span<float> row) {
  std::copy(environment.state().begin(), environment.state().end(), row.begin());
}

rp::Literal Observe(const std::vector<CartPole>& environments) {
  rp::Literal observation({rp::DType::kF32, {std::ssize(environments), kObservation}});
  const auto values = observation.mutable_data<float>();
  for (size_t i = 0; i < environments.size(); ++i) Write(environments[i], values.subspan(i * kObservation));
  return observation;
}

// The trajectories of an actor's environments in the making: every component is [environments, steps, ...].
class Trajectories {
 public:
  Trajectories(int64_t environments, int64_t length) : length_(static_cast<size_t>(length)) {
    for (auto& [name, shape] : TrajectorySpec(length)) {
      shape.dims.insert(shape.dims.begin(), environments);
      components_.emplace(name, rp::Literal(shape));
    }
  }

  void Observe(size_t environment, size_t t, const CartPole& state) {
    Write(state, Data<float>("observation").subspan((environment * (length_ + 1) + t) * kObservation));
  }
  void Note(size_t environment, size_t t, int32_t action, float log_probability, float discount) {
    const size_t at = environment * length_ + t;
    Data<int32_t>("action")[at] = action;
    Data<float>("log_probability")[at] = log_probability;
    Data<float>("reward")[at] = 1;
    Data<float>("discount")[at] = discount;
  }
  const rp::data::Components& components() const { return components_; }

 private:
  template <typename T>
  std::span<T> Data(const char* name) {
    return components_.at(name).mutable_data<T>();
  }

  const size_t length_;
  rp::data::Components components_;
};

}  // namespace

void Returns::Add(double episode_return) {
  const std::lock_guard lock(mutex_);
  ++episodes_;
  last_.push_back(episode_return);
  if (last_.size() > kWindow) last_.pop_front();
}

int64_t Returns::episodes() const {
  const std::lock_guard lock(mutex_);
  return episodes_;
}

double Returns::Mean() const {
  const std::lock_guard lock(mutex_);
  if (last_.size() < kWindow) return 0;
  return std::accumulate(last_.begin(), last_.end(), 0.0) / static_cast<double>(last_.size());
}

Actors::Actors(rp::Callable policy, rp::data::Queue queue, Returns& returns, const ActorOptions& options)
    : policy_(std::move(policy)), queue_(std::move(queue)), returns_(returns), options_(options) {
  for (int64_t actor = 0; actor < options.actors; ++actor) {
    threads_.emplace_back([this, actor] {
      try {
        Act(actor);
      } catch (...) {
        queue_.Fail(std::current_exception());
      }
    });
  }
}

Actors::~Actors() { queue_.Close(); }

void Actors::Act(int64_t actor) {
  const auto stream = static_cast<uint64_t>(actor);
  auto environments = Environments(options_.environments, options_.episode_steps, options_.seed, stream);
  const auto length = static_cast<size_t>(options_.trajectory);
  for (uint64_t calls = 0;;) {
    Trajectories trajectories(options_.environments, options_.trajectory);
    for (size_t t = 0; t < length; ++t) {
      const auto chosen = policy_({Observe(environments)}, {.random_key = Seed(options_.seed, stream, calls++)});
      const auto actions = chosen[0].data<int32_t>();
      const auto log_probabilities = chosen[1].data<float>();
      for (size_t e = 0; e < environments.size(); ++e) {
        CartPole& environment = environments[e];
        trajectories.Observe(e, t, environment);
        const bool ended = environment.Step(actions[e]);
        trajectories.Note(e, t, actions[e], log_probabilities[e], ended ? 0 : static_cast<float>(options_.discount));
        if (!ended) continue;
        returns_.Add(static_cast<double>(environment.steps()));
        environment.Reset();
      }
    }
    for (size_t e = 0; e < environments.size(); ++e) trajectories.Observe(e, length, environments[e]);
    if (!queue_.PushBatch(trajectories.components())) return;
  }
}

double Evaluate(const rp::Callable& policy, int64_t episodes, int64_t episode_steps, uint64_t seed) {
  constexpr uint64_t kEvaluation = uint64_t{1} << 32;  // no actor's stream
  auto environments = Environments(episodes, episode_steps, seed, kEvaluation);
  std::vector<bool> ended(environments.size(), false);
  double total = 0;
  for (auto left = environments.size(); left > 0;) {
    const rp::Literal chosen = policy({Observe(environments)})[0];
    const auto actions = chosen.data<int32_t>();
    for (size_t e = 0; e < environments.size(); ++e) {
      if (ended[e] || !environments[e].Step(actions[e])) continue;
      ended[e] = true;
      total += static_cast<double>(environments[e].steps());
      --left;
    }
  }
  return total / static_cast<double>(episodes);
}

}  // namespace actor_learner
