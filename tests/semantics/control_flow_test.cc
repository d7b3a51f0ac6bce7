// docs/semantics.md, "Control flow".
#include "program.h"

#include <cmath>

namespace replicator::testing_support {
namespace {

const Shape kScalar{DType::kF32, {}};

// Each iteration reduces over the replicas, on a value that differs between them; what the replicas add is their own.
TEST(ControlFlow, CollectivesInBodiesAgreeWithAHostSimulation) {
  for (const int replicas : {1, 2, 3}) {
    LocalReplicator repl({.num_replicas = replicas});
    const auto result = repl.Run(
        [&](const Batch& batch) {
          const Tensor x = Reshape(batch["x"], {});
          const Tensor own = ReplicaContext::Current().replica_index() == 1 ? x * x : x + 1.0;
          const Tensor looped = For(
              3, [&](const Tensor& i, const Tensor& c) { return c * 0.5 + AllSum(c) * 0.25 + Convert(i, DType::kF32); },
              own);
          const Tensor total = AllMax(looped);
          const Tensor chosen = Cond(total > 9.0, [&] { return AllMean(looped) + own; }, [&] { return looped * 2.0; });
          // How often depends on what all have reached.
          const Tensor grown = While([&](const Tensor& c) { return AllMin(c) < 50.0; },
                                     [&](const Tensor& c) { return c + AllMean(c) + own + 1.0; }, own);
          return std::vector<Tensor>{looped, chosen, grown};
        },
        Counting(30, 1));
    Session session;
    repl.Init(session);
    for (int step = 0; step < 3; ++step) {
      const auto fetched = session.Run({result[0], result[1], result[2]});
      const auto n = static_cast<size_t>(replicas);
      std::vector<double> own(n), c(n), grown(n);
      for (size_t r = 0; r < n; ++r) {
        const auto x = static_cast<double>(static_cast<size_t>(step) * n + r);
        own[r] = r == 1 ? x * x : x + 1;
      }
      const auto sum = [](const std::vector<double>& values) {
        double total = 0;
        for (double value : values) total += value;
        return total;
      };
      c = own;
      for (int i = 0; i < 3; ++i) {
        const double total = sum(c);
        for (double& value : c) value = value * 0.5 + total * 0.25 + i;
      }
      grown = own;
      while (*std::min_element(grown.begin(), grown.end()) < 50) {
        const double mean = sum(grown) / replicas;
        for (size_t r = 0; r < n; ++r) grown[r] += mean + own[r] + 1;
      }
      const bool large = *std::max_element(c.begin(), c.end()) > 9;
      for (int r = 0; r < replicas; ++r) {
        const auto at = static_cast<size_t>(r);
        EXPECT_NEAR(fetched[0].Get(r).Item<double>(), c[at], 1e-5 * c[at]);
        EXPECT_NEAR(fetched[1].Get(r).Item<double>(), large ? sum(c) / replicas + own[at] : c[at] * 2,
                    1e-5 * c[at] + 1e-5);
        EXPECT_NEAR(fetched[2].Get(r).Item<double>(), grown[at], 1e-5 * grown[at]);
      }
    }
  }
}

// The parameters after some steps of a recurrent network with dropout and a mean over the global batch in its cell.
// `local_mean` plants a fault: each replica subtracts its own.
std::vector<double> Trained(int replicas, bool local_mean = false) {
  constexpr int64_t kGlobalBatch = 6, kTime = 4, kFeatures = 3, kUnits = 5;
  LocalReplicator repl({.num_replicas = replicas, .seed = 3});
  const auto scope = repl.Context();
  const auto variable = [](const std::string& name, const Dims& dims) {
    return Variable({.name = name, .shape = {DType::kF64, dims}, .initializer = [](const Shape& shape) {
                       return RandomUniform(shape, -0.8, 0.8, {.typing = Typing::kReplicated});
                     }});
  };
  const Variable w = variable("w", {kFeatures, kUnits}), u = variable("u", {kUnits, kUnits});
  const nn::Dropout dropout({.rate = 0.3});
  const optim::Optimizer optimizer =
      repl.WrapOptimizer(optim::Sgd({.learning_rate = 0.3}), optim::GradientReduction::kMean);
  Literal data{Shape{DType::kF64, {24, kTime, kFeatures}}};
  double next = 0;
  for (double& value : data.mutable_data<double>()) value = std::sin(next += 1.3);
  const PerReplica loss = repl.Run(
      [&](const Batch& batch) {
        const Tensor xs = Transpose(batch["x"], {1, 0, 2});
        const int64_t rows = xs.dim(1);
        const auto cell = [&](const Tensor& h, const Tensor& row) {
          const Tensor raw = Tanh(MatMul(row, w) + MatMul(h, u));
          const Tensor mean = ReduceMean(raw, {{{0}}});
          const Tensor centred = raw - (local_mean ? mean : AllMean(mean)) * 0.5;
          const Tensor dropped = dropout(centred);
          return std::pair(dropped, ReduceSum(dropped * dropped, {{{1}}}));
        };
        const Tensor total = Scan(cell, Zeros({DType::kF64, {rows, kUnits}}), xs).second;
        const Tensor mean = ReduceMean(total);
        optimizer.Minimize(mean);
        return mean;
      },
      [&](const InputContext& context) {
        return data::Dataset::FromTensors({{"x", data}}).Repeat().Shard(context).Batch(kGlobalBatch / replicas);
      });
  Session session;
  repl.Init(session);
  for (int step = 0; step < 5; ++step) session.Run(loss);
  std::vector<double> parameters = session.Read(w).ToDoubles();
  for (double value : session.Read(u).ToDoubles()) parameters.push_back(value);
  return parameters;
}

TEST(ControlFlow, ARecurrentNetworkTrainsAlikeOnAnyNumberOfReplicas) {
  const std::vector<double> one = Trained(1);
  EXPECT_THAT(Trained(3), testing::Pointwise(testing::DoubleNear(1e-10), one));
  EXPECT_THAT(Trained(2, /*local_mean=*/true), testing::Not(testing::Pointwise(testing::DoubleNear(1e-10), one)));
}

TEST(ControlFlow, ABodyAssignsNoVariable) {
  LocalReplicator repl({.num_replicas = 2});
  const auto scope = repl.Context();
  const Variable v = ScalarVariable("v");
  uint32_t line = 0;
  const Error error = ErrorOf([&] {
    repl.Run([&] {
      return For(
          2,
          [&](const Tensor&, const Tensor& c) {
            line = SourceLocation::current().line() + 1;
            v.Assign(c);
            return c;
          },
          Constant(1.0));
    });
  });
  EXPECT_THAT(error.message(), testing::HasSubstr("'v' would be assigned in the body of the loop"));
  EXPECT_THAT(LinesOf(error), testing::Contains(line));
  // As a carry, it is assigned afterwards.
  const PerReplica doubled = repl.Run([&] {
    v.Assign(For(3, [](const Tensor&, const Tensor& c) { return c * 2.0 + 1.0; }, v.Read()));
    return v.Read();
  });
  Session session;
  repl.Init(session);
  session.Run(doubled);
  EXPECT_EQ(session.Read(v).Item<float>(), 7);
}

// Differentiating a loop that reads a variable gives that variable's gradient, also where a body does it.
TEST(ControlFlow, VariablesAreReadInBodies) {
  LocalReplicator repl({.num_replicas = 1});
  const auto scope = repl.Context();
  const Variable v = ScalarVariable("v", 1.5);
  const auto result = repl.Run([&] {
    const auto power = [&](int n) {
      return For(n, [&](const Tensor&, const Tensor& c) { return c * v; }, Constant(1.0));
    };
    const Tensor outside = Gradients(power(3), std::vector<Variable>{v})[0];
    const Tensor inside = For(
        2,
        [&](const Tensor&, const Tensor& c) {
          const Tensor y = Square(v) * c;
          EXPECT_EQ(TrainableVariablesOf(y).size(), 1u);
          return c + Gradients(y, std::vector<Variable>{v})[0];
        },
        Constant(1.0));
    return std::vector<Tensor>{outside, inside};
  });
  Session session;
  repl.Init(session);
  const auto fetched = session.Run({result[0], result[1]});
  EXPECT_NEAR(fetched[0].Get().Item<double>(), 3 * 1.5 * 1.5, 1e-6);
  EXPECT_NEAR(fetched[1].Get().Item<double>(), 16, 1e-5);  // c -> c + 2 v c = 4 c
}

}  // namespace
}  // namespace replicator::testing_support
