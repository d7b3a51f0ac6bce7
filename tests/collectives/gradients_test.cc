// The gradient that a wrapped optimizer computes through each collective, against central differences in float64 of the
// sum and the mean of all replicas' losses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "replicator/replicator.h"

namespace replicator {
namespace {

constexpr double kStep = 1e-5;

// A collective on what a replica has computed: f64, different on each replica, [R, 4].
struct Case {
  const char* name;
  Tensor (*apply)(const Tensor& x, int replicas);
};

PermutePairs Ring(int replicas) {
  PermutePairs pairs;
  for (int r = 0; r < replicas; ++r) pairs.emplace_back(r, (r + 1) % replicas);
  return pairs;
}

// Nests: the leaves of the result, weighted.
template <typename Nest>
Tensor Joined(const Nest& nest) {
  std::vector<Tensor> flat;
  double weight = 1;
  for (const Tensor& leaf : NestLeaves(nest)) flat.push_back(Reshape(leaf, {-1}) * (weight += 0.5));
  return Concatenate(flat, 0);
}
std::map<std::string, std::vector<Tensor>> NestOf(const Tensor& x) { return {{"a", {x, Exp(x)}}, {"b", {x * x}}}; }

const Case kCases[] = {
    {"AllSum", [](const Tensor& x, int) { return AllSum(x); }},
    {"AllMean", [](const Tensor& x, int) { return AllMean(x); }},
    {"AllMin", [](const Tensor& x, int) { return AllMin(x); }},
    {"AllMax", [](const Tensor& x, int) { return AllMax(x); }},
    {"WeightedMean over everything", [](const Tensor& x, int) { return WeightedMean(x, Exp(x * 0.3)); }},
    {"WeightedMean over replicas",
     [](const Tensor& x, int) { return WeightedMean(x, Exp(x * 0.3), {.axes = std::vector<int>{}}); }},
    {"WeightedMean of a mask", [](const Tensor& x, int) { return WeightedMean(x * x, x > 0); }},
    {"AllGather", [](const Tensor& x, int) { return AllGather(x); }},
    {"Broadcast", [](const Tensor& x, int replicas) { return Broadcast(x, replicas - 1); }},
    {"ReduceScatter", [](const Tensor& x, int) { return ReduceScatter(x); }},
    {"AllToAll", [](const Tensor& x, int) { return AllToAll(x, 0, 1); }},
    {"AllToAll of one axis", [](const Tensor& x, int) { return AllToAll(x); }},
    {"Permute in a ring", [](const Tensor& x, int replicas) { return Permute(x, Ring(replicas)); }},
    {"Permute to one", [](const Tensor& x, int) { return Permute(x, {{1, 0}}); }},
    {"MapReduce", [](const Tensor& x, int) { return MapReduce([&] { return Tanh(x); }, ReduceOp::kMean); }},
    {"MapReduce of the first",
     [](const Tensor& x, int) { return MapReduce([&] { return Tanh(x); }, ReduceOp::kOnlyFirstReplica); }},
    {"MapGather", [](const Tensor& x, int) { return MapGather([&](ReplicaContext) { return x * x; }); }},
    {"MergeCall",
     [](const Tensor& x, int) {
       const auto merged = [](const std::vector<Tensor>& xs, const std::vector<std::pair<Tensor, Tensor>>& pairs) {
         Tensor result = xs[0];
         for (size_t r = 1; r < xs.size(); ++r) result = Tanh(result) * xs[r] + pairs[r - 1].first * pairs[r].second;
         return result;
       };
       return MergeCall(merged, x, std::pair(Exp(x), ReduceSum(x)));
     }},
    {"nest AllSum", [](const Tensor& x, int) { return Joined(AllSum(NestOf(x))); }},
    {"nest AllMax", [](const Tensor& x, int) { return Joined(AllMax(NestOf(x))); }},
    {"nest WeightedMean", [](const Tensor& x, int) { return Joined(WeightedMean(NestOf(x), Exp(x))); }},
    {"nest ReduceScatter", [](const Tensor& x, int) { return Joined(ReduceScatter(NestOf(x))); }},
    {"nest Permute", [](const Tensor& x, int) { return Joined(Permute(NestOf(x), {{0, 1}})); }},
    {"nests of several types",
     [](const Tensor& x, int) {
       const std::tuple nest(x, x > 0, Convert(x * 4, DType::kI32));
       return std::get<0>(Broadcast(nest, 1)) + ReduceSum(std::get<0>(AllGather(nest)), {.axes = {{0}}}) +
              std::get<0>(Permute(nest, {{1, 0}})) + AllMax(std::pair(x, std::get<2>(nest))).first;
     }},
    {"one after another",
     [](const Tensor& x, int replicas) {
       return ReduceScatter(AllToAll(AllSum(x) * Permute(x, Ring(replicas)), 1, 1) * x) * AllMean(x);
     }},
};

class GradientOfCollectives : public testing::TestWithParam<int> {};

TEST_P(GradientOfCollectives, IsThatOfTheSumOrMeanOfAllReplicasLosses) {
  const int replicas = GetParam();
  LocalReplicator repl({.num_replicas = replicas});
  const auto scope = repl.Context();
  const int64_t columns = 2 * replicas;
  const Variable p({.name = "p", .shape = {DType::kF64, {replicas, columns}}, .initializer = [](const Shape& shape) {
                      return Zeros(shape);
                    }});
  const auto sum = repl.WrapOptimizer(optim::Sgd({.learning_rate = 1, .name = "sum"}), optim::GradientReduction::kSum);
  const auto mean =
      repl.WrapOptimizer(optim::Sgd({.learning_rate = 1, .name = "mean"}), optim::GradientReduction::kMean);
  struct Results {
    std::vector<Tensor> losses, of_sum, of_mean;
    auto Members() { return std::tie(losses, of_sum, of_mean); }
  };
  const auto step = [&] {
    const Tensor me = Convert(ReplicaContext::Current().replica_id(), DType::kF64) + 1;
    const Tensor x = Sine(p * (me * 0.7) + Iota(p.shape(), 1) * me * 0.3 + 0.1);
    Results results;
    for (const Case& tested : kCases) {
      const Tensor y = tested.apply(x, replicas);
      const Tensor flat = Reshape(y, {-1});
      const Tensor loss = ReduceSum(flat * Cosine(Iota(flat.shape()) * 0.9 + me));
      results.losses.push_back(loss);
      results.of_sum.push_back(sum.ComputeGradients(loss, {.var_list = {{p}}})[0].gradient);
      results.of_mean.push_back(mean.ComputeGradients(loss, {.var_list = {{p}}})[0].gradient);
    }
    return results;
  };
  const auto [losses, of_sum, of_mean] = repl.Run(step, {.mode = Mode::kEval});
  const std::vector<Fetch> loss_fetches(losses.begin(), losses.end());
  Session session;
  repl.Init(session);

  std::vector<double> at(static_cast<size_t>(replicas * columns));
  for (size_t i = 0; i < at.size(); ++i) at[i] = std::sin(1.7 * static_cast<double>(i) + 0.5) * 0.8;
  const Dims dims = {replicas, columns};
  // The sums of all replicas' losses.
  const auto totals = [&](const std::vector<double>& parameters) {
    session.Write(p, Literal::FromValues<double>(dims, parameters));
    std::vector<double> sums;
    for (const Fetched& loss : session.Run(loss_fetches)) {
      double total = 0;
      for (const Literal& value : loss.GetAll()) total += value.Item<double>();
      sums.push_back(total);
    }
    return sums;
  };
  session.Write(p, Literal::FromValues<double>(dims, at));
  std::vector<std::vector<double>> gradients_of_sum, gradients_of_mean;
  for (size_t k = 0; k < std::size(kCases); ++k) {
    gradients_of_sum.push_back(session.Run(of_sum[k]).Get().ToDoubles());
    gradients_of_mean.push_back(session.Run(of_mean[k]).Get().ToDoubles());
  }
  for (size_t i = 0; i < at.size(); ++i) {
    std::vector<double> above = at, below = at;
    above[i] += kStep;
    below[i] -= kStep;
    const std::vector<double> high = totals(above), low = totals(below);
    for (size_t k = 0; k < std::size(kCases); ++k) {
      const double difference = (high[k] - low[k]) / (2 * kStep);
      const double allowed = 1e-7 * std::max(1.0, std::abs(difference));
      EXPECT_NEAR(gradients_of_sum[k][i], difference, allowed) << kCases[k].name << ", parameter " << i;
      EXPECT_NEAR(gradients_of_mean[k][i], difference / replicas, allowed) << kCases[k].name << ", parameter " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Replicas, GradientOfCollectives, testing::Values(2, 3),
                         [](const auto& tested) { return std::to_string(tested.param); });

}  // namespace
}  // namespace replicator
