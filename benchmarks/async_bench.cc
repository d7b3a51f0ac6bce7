#include <thread>

#include "graph/build_context.h"
#include "lower/lower.h"
#include "pjrt/executable.h"
#include "platforms/platform.h"
#include "replicate/replica_step.h"
#include "replicate/rewrite.h"
#include "replicate/split.h"
#include "replicator/replicator.h"
#include "sections.h"

namespace replicator::bench {
namespace {

constexpr int kGroups = 4;
constexpr double kDelay = 0.05, kSlow = 10;

// Updates per second of that many groups, of which the last may be slow.
double UpdatesPerSecond(int groups, bool one_slow, const AsyncPolicy& policy, int64_t updates) {
  const auto delay = [=](int group, int64_t) { return one_slow && group + 1 == groups ? kSlow * kDelay : kDelay; };
  MultiWorkerAsyncReplicator repl(
      {.num_sync_groups = groups, .policy = policy, .max_steps = updates, .simulated_delay = delay});
  const auto scope = repl.Context();
  const Variable w({.name = "w", .shape = {DType::kF32, {16}}, .initializer = [](const Shape& s) { return Ones(s); }});
  const optim::Optimizer sgd = repl.WrapOptimizer(optim::Sgd({.learning_rate = 0.01}), optim::GradientReduction::kMean);
  const PerReplica step = repl.Run([&] {
    const Tensor loss = ReduceSum(Square(w));
    sgd.Minimize(loss);
    return loss;
  });
  Session session;
  repl.Init(session);
  double sum = 0;
  const AsyncStatistics statistics = repl.RunGroups(session, step);
  for (const GroupStatistics& group : statistics.groups) sum += group.steps_per_second;
  if (!policy.aggregates()) return sum;
  double fastest = 0;
  for (const GroupStatistics& group : statistics.groups) fastest = std::max(fastest, group.steps_per_second);
  return fastest;
}

// All in one run: each worker's own speed, and what becomes of it with the others.
std::vector<Ratio> ThroughputRatios() {
  const double fast = UpdatesPerSecond(1, false, AsyncPolicy::Unbounded(), 40);
  const double slow = UpdatesPerSecond(1, true, AsyncPolicy::Unbounded(), 5);
  const double own = (kGroups - 1) * fast + slow;
  const std::string groups = std::to_string(kGroups) + " groups, one 10 times slower: ";
  const auto ratio = [&](const std::string& name, const std::string& against, double expected, double measured) {
    return Ratio{.name = groups + name, .against = against, .limit = 1.1, .samples = 1, .ratio = expected / measured};
  };
  return {ratio("asynchronous", "the sum of their own rates", own,
                UpdatesPerSecond(kGroups, true, AsyncPolicy::Unbounded(), 150)),
          ratio("synchronous", "the slowest one's rate", slow,
                UpdatesPerSecond(kGroups, true, AsyncPolicy::StaleSynchronous(0), 6)),
          ratio("3 of 4, a backup worker", "a fast one's rate", fast,
                UpdatesPerSecond(kGroups, true, AsyncPolicy::BackupWorkers(kGroups - 1), 40))};
}

constexpr int64_t kParameters = 100 * 1024 * 1024 / 4;

// The store's program for plain SGD, run as the store runs it: the parameters are donated.
class SgdApply {
 public:
  SgdApply() : client_(platforms::CreateClient({.platform = "cpu"})) {
    VariableTable variables;
    const ReplicatorContext context(&variables, SourceLocation::current());
    const Variable w({.name = "w", .shape = shape_, .initializer = [](const Shape& s) { return Ones(s); }});
    const optim::Optimizer sgd = optim::Sgd({.learning_rate = 0.01});
    const StepOptions options{.nan_guard = false, .asynchronous = true, .inputs = {{"gradient", shape_}}};
    const auto step = [&](const std::map<std::string, Tensor>& batch) {
      const std::vector<optim::GradientAndVariable> pairs = {{AllMean(batch.at("gradient")), w}};
      sgd.ApplyGradients(pairs);
      return std::vector<Tensor>();
    };
    const SplitStep split(Rewrite(BuildReplicaSteps(step, variables, options), options));
    const std::vector<size_t> all = {0, 1};
    program_ = split.Apply(all, 1);
    LowerOptions lower;
    for (const ProgramParameter& parameter : program_.parameters) lower.aliases.push_back(parameter.update);
    executable_ = client_->Compile(LowerToStableHlo(*program_.graph, lower),
                                   {.overrides = platforms::FindPlatform("cpu").compile_overrides});
    for (const int id : program_.graph->parameters()) {
      const Shape& shape = program_.graph->node(id).results[0];
      buffers_.push_back(client_->PutCopy(shape, Literal(shape).bytes(), client_->devices()[0]));
    }
  }

  double Run(int steps) {
    return SecondsOf([&] {
      for (int i = 0; i < steps; ++i) {
        std::vector<std::vector<pjrt::Buffer*>> arguments(1);
        for (pjrt::Buffer& buffer : buffers_) arguments[0].push_back(&buffer);
        pjrt::Launch launch = executable_->Execute(arguments);
        launch.Await();
        for (size_t p = 0; p < buffers_.size(); ++p) {
          const int update = program_.parameters[p].update;
          if (update >= 0) buffers_[p] = std::move(launch.outputs[0][static_cast<size_t>(update)]);
        }
      }
    });
  }

 private:
  const Shape shape_{DType::kF32, {kParameters}};
  std::shared_ptr<pjrt::Client> client_;
  Program program_;
  std::shared_ptr<pjrt::Executable> executable_;
  std::vector<pjrt::Buffer> buffers_;
};

// w[i] = w[i] - rate * g[i] by plain threads: the same reads and writes.
class Triad {
 public:
  double Run(int steps) {
    return SecondsOf([&] {
      for (int i = 0; i < steps; ++i) {
        std::vector<std::thread> threads;
        const size_t parts = std::max(1u, std::thread::hardware_concurrency()), size = w_.size() / parts;
        for (size_t part = 0; part < parts; ++part) {
          threads.emplace_back([this, part, size] {
            float* const w = w_.data() + part * size;
            const float* const g = g_.data() + part * size;
            for (size_t k = 0; k < size; ++k) w[k] = w[k] - 0.01f * g[k];
          });
        }
        for (std::thread& thread : threads) thread.join();
      }
    });
  }

 private:
  std::vector<float> w_ = std::vector<float>(kParameters, 1.0f), g_ = std::vector<float>(kParameters, 1.0f);
};

}  // namespace

std::vector<Ratio> AsyncRatios(const Options& options) {
  std::vector<Ratio> results = ThroughputRatios();
  SgdApply apply;
  Triad triad;
  const int steps = 3;
  results.push_back(Compare(
      {.name = "SGD of 100 MiB by the store's program", .against = "a memory triad", .limit = 1.5}, options.pairs,
      steps, [&] { return apply.Run(steps); }, [&] { return triad.Run(steps); }));
  for (const Ratio& result : results) Print(result);
  return results;
}

}  // namespace replicator::bench
