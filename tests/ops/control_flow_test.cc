// Branches and loops against the same computation on the host.
#include "replicator/ops/control_flow.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <tuple>

#include "replicator/graph/graph_error.h"
#include "replicator/ops/collectives.h"
#include "replicator/ops/dot.h"
#include "replicator/ops/elementwise.h"
#include "replicator/ops/gradients.h"
#include "replicator/ops/random.h"
#include "replicator/ops/reduce.h"
#include "replicator/ops/shape.h"
#include "support/evaluate.h"

namespace replicator::testing {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pointwise;

using Tensors = std::vector<Tensor>;
using Rows = std::pair<Tensors, Tensors>;  // what the body of a Scan returns

Literal F64(const Dims& dims, const std::vector<double>& values) { return Literal::FromValues<double>(dims, values); }
Literal Scalar(double value) { return Literal::Scalar(value); }

std::vector<double> Doubles(const Literal& literal) { return literal.ToDoubles(); }

class ControlFlow : public ::testing::TestWithParam<std::string> {
 protected:
  std::vector<Literal> Run(const BuildFn& build, const std::vector<Literal>& inputs) const {
    return Evaluate(build, inputs, {.backend = GetParam()});
  }
};

TEST_P(ControlFlow, CondRunsOneBranch) {
  const BuildFn build = [](const Tensors& x) {
    const Tensor scale = x[0] * 3.0;
    return Cond(
        x[0] > 1.0, [&]() -> Tensors { return {scale + 1.0, x[1]}; },
        [&]() -> Tensors { return {x[0], Constant(7, DType::kI32)}; });
  };
  for (double value : {2.0, 0.5}) {
    const std::vector<Literal> results = Run(build, {Scalar(value), Literal::Scalar(int32_t{4})});
    EXPECT_EQ(results[0].Item<double>(), value > 1 ? 3 * value + 1 : value);
    EXPECT_EQ(results[1].Item<int32_t>(), value > 1 ? 4 : 7);
  }
}

// Collatz: how many steps to 1, which no bound is known for.
TEST_P(ControlFlow, WhileRunsUntilTheConditionFails) {
  const BuildFn build = [](const Tensors& x) {
    const Tensor one = Constant(1, DType::kI32), three = Constant(3, DType::kI32);  // captured
    return While([&](const Tensors& c) { return c[0] > one; },
                 [&](const Tensors& c) -> Tensors {
                   const Tensor odd = Equal(c[0] & one, one);
                   return {Select(odd, c[0] * three + one, c[0] / 2), c[1] + one};
                 },
                 {x[0], Zeros({DType::kI32, {}})});
  };
  for (int32_t start : {1, 6, 27}) {
    int32_t steps = 0;
    for (int64_t n = start; n > 1; ++steps) n = n % 2 == 1 ? 3 * n + 1 : n / 2;
    const std::vector<Literal> results = Run(build, {Literal::Scalar(start)});
    EXPECT_EQ(results[0].Item<int32_t>(), 1);
    EXPECT_EQ(results[1].Item<int32_t>(), steps);
  }
}

TEST_P(ControlFlow, ForCountsAndClampsItsNumberOfIterations) {
  const BuildFn build = [](const Tensors& x) {
    const auto body = [&](const Tensor& i, const Tensors& c) -> Tensors {
      return {c[0] * 2.0 + Convert(i, DType::kF64)};
    };
    const Tensors init = {x[0]};
    return Tensors{For(3, body, init)[0], For(0, body, init)[0], For({x[1], 4}, body, init)[0]};
  };
  const auto expected = [](double value, int64_t n) {
    for (int64_t i = 0; i < n; ++i) value = 2 * value + static_cast<double>(i);
    return value;
  };
  for (int64_t n : {-2, 0, 2, 4, 9}) {
    const std::vector<Literal> results = Run(build, {Scalar(1.5), Literal::Scalar(n)});
    EXPECT_EQ(results[0].Item<double>(), expected(1.5, 3));
    EXPECT_EQ(results[1].Item<double>(), 1.5);
    EXPECT_EQ(results[2].Item<double>(), expected(1.5, std::clamp<int64_t>(n, 0, 4))) << n;
  }
}

TEST_P(ControlFlow, ScanGoesAlongTheLeadingAxisEitherWay) {
  for (bool reverse : {false, true}) {
    const BuildFn build = [&](const Tensors& x) {
      const auto [carry, ys] = Scan(
          [](const Tensors& c, const Tensors& row) -> Rows {
            const Tensor sum = c[0] + row[0];
            return {{sum}, {sum * 10.0, row[1]}};
          },
          {x[0]}, {x[1], x[2]}, {.reverse = reverse});
      return Tensors{carry[0], ys[0], ys[1]};
    };
    const std::vector<Literal> results =
        Run(build, {F64({2}, {1, 2}), F64({3, 2}, {1, 2, 3, 4, 5, 6}), Literal::FromValues<int32_t>({3}, {7, 8, 9})});
    EXPECT_THAT(Doubles(results[0]), ElementsAre(10, 14));
    if (reverse) {
      EXPECT_THAT(Doubles(results[1]), ElementsAre(100, 140, 90, 120, 60, 80));
    } else {
      EXPECT_THAT(Doubles(results[1]), ElementsAre(20, 40, 50, 80, 100, 140));
    }
    EXPECT_EQ(results[2], Literal::FromValues<int32_t>({3}, {7, 8, 9}));
  }
}

TEST_P(ControlFlow, ScanOverNothingReturnsWhatItWasGiven) {
  const BuildFn build = [](const Tensors& x) {
    const auto [carry, ys] =
        Scan([](const Tensors& c, const Tensors& row) -> Rows { return {{c[0] * 2.0 + row[0]}, {row[0], c[0]}}; },
             {x[0]}, {x[1]});
    const Tensors gradients = Gradients(carry[0], Tensors{x[0]});
    return Tensors{carry[0], ys[0], ys[1], gradients[0]};
  };
  const std::vector<Literal> results = Run(build, {Scalar(3), F64({0}, {})});
  EXPECT_EQ(results[0].Item<double>(), 3);
  EXPECT_EQ(results[1].dims(), Dims({0}));
  EXPECT_EQ(results[2].dims(), Dims({0}));
  EXPECT_EQ(results[3].Item<double>(), 1);
}

// sum over i of the sum over j <= i of i * x_j, with a branch inside.
TEST_P(ControlFlow, BodiesNestAndCaptureFromAllLevels) {
  const BuildFn build = [](const Tensors& x) {
    return For(4,
               [&](const Tensor& i, const Tensors& outer) -> Tensors {
                 const Tensor weight = Convert(i, DType::kF64);
                 const Tensors inner = For(4,
                                           [&](const Tensor& j, const Tensors& c) {
                                             const Tensor term = Reshape(DynamicSlice(x[0], {j}, {1}), {});
                                             return Cond(
                                                 j <= i, [&]() -> Tensors { return {c[0] + weight * term}; },
                                                 [&]() -> Tensors { return c; });
                                           },
                                           {Zeros({DType::kF64, {}})});
                 return {outer[0] + inner[0]};
               },
               {Zeros({DType::kF64, {}})});
  };
  const std::vector<double> x = {0.5, -1, 2, 4};
  double expected = 0;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j <= i; ++j) expected += i * x[static_cast<size_t>(j)];
  }
  EXPECT_EQ(Run(build, {F64({4}, x)})[0].Item<double>(), expected);
}

// An Elman network, against the same unrolled: values and gradients, first and second.
TEST_P(ControlFlow, ARecurrentNetworkEqualsItselfUnrolled) {
  const BuildFn build = [](const Tensors& x) {
    const auto cell = [&](const Tensor& h, const Tensor& row) {
      return Tanh(MatMul(h, x[2]) + MatMul(row, x[3]) + x[4]);
    };
    const auto scanned = [&] {
      return Scan(
          [&](const Tensors& c, const Tensors& row) -> Rows {
            const Tensor h = cell(c[0], row[0]);
            return {{h}, {ReduceSum(h * h)}};
          },
          {x[0]}, {x[1]});
    };
    const auto unrolled = [&]() -> Rows {
      Tensor h = x[0];
      Tensors ys;
      for (int64_t t = 0; t < 3; ++t) {
        h = cell(h, Reshape(Slice(x[1], {t, 0, 0}, {t + 1, 2, 3}), {2, 3}));
        ys.push_back(Reshape(ReduceSum(h * h), {1}));
      }
      return {{h}, {Concatenate(ys, 0)}};
    };
    Tensors outputs;
    for (const auto& [carry, ys] : {scanned(), unrolled()}) {
      const Tensor loss = ReduceSum(Sine(ys[0])) + ReduceSum(carry[0]);
      const Tensors gradients = Gradients(loss, x);
      Tensor norm;
      for (const Tensor& gradient : gradients) {
        norm = norm.defined() ? norm + ReduceSum(gradient * gradient) : ReduceSum(gradient * gradient);
      }
      const Tensors second = Gradients(norm, x);
      outputs.push_back(carry[0]);
      outputs.push_back(ys[0]);
      outputs.insert(outputs.end(), gradients.begin(), gradients.end());
      outputs.insert(outputs.end(), second.begin(), second.end());
    }
    return outputs;
  };
  std::vector<Literal> inputs;
  double next = 0.3;
  for (const Dims& dims : {Dims{2, 4}, Dims{3, 2, 3}, Dims{4, 4}, Dims{3, 4}, Dims{4}}) {
    std::vector<double> values(static_cast<size_t>(NumElements(dims)));
    for (double& value : values) value = std::sin(next += 1.7);
    inputs.push_back(F64(dims, values));
  }
  const std::vector<Literal> results = Run(build, inputs);
  ASSERT_EQ(results.size(), 24u);
  for (size_t i = 0; i < 12; ++i) {
    EXPECT_THAT(Doubles(results[i]), Pointwise(DoubleNear(1e-12), Doubles(results[12 + i]))) << i;
  }
}

// x^(2^n) for n known at run time: the gradient takes as many steps back.
TEST_P(ControlFlow, GradientOfAForWhoseNumberOfIterationsIsATensor) {
  const BuildFn build = [](const Tensors& x) {
    const Tensor y =
        For({x[1], 5}, [](const Tensor&, const Tensors& c) -> Tensors { return {c[0] * c[0]}; }, {x[0]})[0];
    return Tensors{y, Gradients(y, Tensors{x[0]})[0]};
  };
  for (int32_t n : {0, 1, 3, 7}) {
    const std::vector<Literal> results = Run(build, {Scalar(1.1), Literal::Scalar(n)});
    const double exponent = std::pow(2, std::min(n, 5));
    EXPECT_NEAR(results[0].Item<double>(), std::pow(1.1, exponent), 1e-12);
    EXPECT_NEAR(results[1].Item<double>(), exponent * std::pow(1.1, exponent - 1), 1e-11);
  }
}

// Nested loops around a branch, by central differences.
TEST_P(ControlFlow, GradientThroughNestedBodies) {
  const auto value = [](const Tensors& x) {
    return ReduceSum(Scan(
                         [&](const Tensors& c, const Tensors& row) -> Rows {
                           const Tensors inner = For(2,
                                                     [&](const Tensor& i, const Tensors& d) {
                                                       return Cond(
                                                           row[0] > Convert(i, DType::kF64),
                                                           [&]() -> Tensors { return {Sine(d[0]) * x[2]}; },
                                                           [&]() -> Tensors { return {d[0] * row[0] + c[0]}; });
                                                     },
                                                     {c[0] + row[0]});
                           return {{inner[0]}, {inner[0] * x[2]}};
                         },
                         {x[0]}, {x[1]})
                         .second[0]);
  };
  const BuildFn build = [&](const Tensors& x) {
    Tensors outputs = Gradients(value(x), x);
    for (double h : {1e-5, -1e-5}) {
      outputs.push_back(value({x[0] + h, x[1], x[2]}));
      outputs.push_back(value({x[0], x[1], x[2] + h}));
      outputs.push_back(value({x[0], x[1] + Constant(F64({4}, {0, 0, h, 0})), x[2]}));
    }
    return outputs;
  };
  const std::vector<Literal> r = Run(build, {Scalar(0.4), F64({4}, {0.3, 1.4, -0.7, 0.6}), Scalar(1.2)});
  const auto difference = [&](size_t i) { return (r[3 + i].Item<double>() - r[6 + i].Item<double>()) / 2e-5; };
  EXPECT_NEAR(r[0].Item<double>(), difference(0), 1e-8);
  EXPECT_NEAR(r[2].Item<double>(), difference(1), 1e-8);
  EXPECT_NEAR(Doubles(r[1])[2], difference(2), 1e-8);
}

// Differentiating inside of a body: two steps of gradient descent on (x - a)^2 + x^4 / 4.
TEST_P(ControlFlow, GradientsInsideOfABody) {
  const BuildFn build = [](const Tensors& x) {
    return For(2,
               [&](const Tensor&, const Tensors& c) -> Tensors {
                 const Tensor loss = Square(c[0] - x[1]) + Square(Square(c[0])) * 0.25;
                 return {c[0] - 0.1 * Gradients(loss, c)[0], c[1] + Gradients(loss, Tensors{x[1]})[0]};
               },
               {x[0], Zeros({DType::kF64, {}})});
  };
  double x = 1.5, sum = 0;
  const double a = 0.3;
  for (int i = 0; i < 2; ++i) {
    sum += -2 * (x - a);
    x -= 0.1 * (2 * (x - a) + x * x * x);
  }
  const std::vector<Literal> results = Run(build, {Scalar(1.5), Scalar(a)});
  EXPECT_NEAR(results[0].Item<double>(), x, 1e-14);
  EXPECT_NEAR(results[1].Item<double>(), sum, 1e-14);
}

// Every iteration draws other numbers, in nested loops too, and the gradient's draws are those of the value.
TEST_P(ControlFlow, DrawsDifferBetweenIterations) {
  const BuildFn build = [](const Tensors& x) {
    const Shape shape{DType::kF64, {}};
    const auto [carry, ys] = Scan(
        [&](const Tensors& c, const Tensors&) -> Rows {
          const Tensor inner =
              Scan([&](const Tensors&,
                       const Tensors&) -> Rows { return {{}, {RandomUniform(shape), RandomUniform(shape)}}; },
                   {}, {}, {.length = 2})
                  .second[0];
          const Tensor draw = RandomUniform(shape);
          return {{c[0] * (1.0 + draw)}, {draw, inner}};
        },
        {x[0]}, {}, {.length = 3});
    const Tensor product = carry[0];
    return Tensors{ys[0], ys[1], product, Gradients(product, Tensors{x[0]})[0]};
  };
  const std::vector<Literal> results = Run(build, {Scalar(1)});
  std::vector<double> draws = Doubles(results[0]);
  double product = 1;
  for (double draw : draws) product *= 1 + draw;
  EXPECT_NEAR(results[2].Item<double>(), product, 1e-14);
  EXPECT_NEAR(results[3].Item<double>(), product, 1e-14);
  for (double draw : Doubles(results[1])) draws.push_back(draw);
  std::sort(draws.begin(), draws.end());
  EXPECT_EQ(draws.size(), 9u);
  EXPECT_EQ(std::unique(draws.begin(), draws.end()), draws.end());
}

struct Moments {
  Tensor sum;
  std::map<std::string, Tensor> others;
  auto Members() { return std::tie(sum, others); }
};

TEST_P(ControlFlow, BodiesTakeAndReturnNests) {
  const BuildFn build = [](const Tensors& x) {
    const Tensor zero = Zeros({DType::kF64, {}});
    const auto [moments, largest] = Scan(
        [](const Moments& m, const Tensor& row) {
          const Tensor max = Maximum(m.others.at("max"), row);
          return std::pair(Moments{m.sum + row, {{"max", max}, {"square", m.others.at("square") + row * row}}}, max);
        },
        Moments{zero, {{"max", zero}, {"square", zero}}}, x[0]);
    const Tensor single = Cond(moments.sum > 0, [&] { return moments.others.at("square"); }, [&] { return zero; });
    const std::pair<Tensor, Tensor> swapped = For(
        3, [](const Tensor&, const std::pair<Tensor, Tensor>& c) { return std::pair(c.second, c.first); },
        std::pair(single, zero));
    return Tensors{moments.sum, moments.others.at("max"), largest, swapped.second};
  };
  const std::vector<Literal> results = Run(build, {F64({3}, {2, 5, -1})});
  EXPECT_EQ(results[0].Item<double>(), 6);
  EXPECT_EQ(results[1].Item<double>(), 5);
  EXPECT_THAT(Doubles(results[2]), ElementsAre(2, 5, 5));
  EXPECT_EQ(results[3].Item<double>(), 30);
}

INSTANTIATE_TEST_SUITE_P(Plugins, ControlFlow, ::testing::ValuesIn(CpuBackendNames()));

void ExpectRefused(const BuildFn& build, const std::string& what, size_t lines = 1) {
  try {
    LowerToText(build, {Shape{DType::kF64, {}}, Shape{DType::kF64, {3}}});
    ADD_FAILURE() << "accepted; expected: " << what;
  } catch (const Error& error) {
    EXPECT_THAT(error.message(), HasSubstr(what));
    EXPECT_GE(error.where().size(), lines) << error.what();
  }
}

TEST(ControlFlowErrors, SayWhatIsWrongAndWhere) {
  const auto same = [](const Tensor&, const Tensors& c) { return c; };
  ExpectRefused(
      [](const Tensors& x) {
        return Cond(x[0] > 0, [&]() -> Tensors { return {x[0]}; }, [&]() -> Tensors { return {x[1]}; });
      },
      "returns f64[], but the second branch", 3);
  ExpectRefused(
      [](const Tensors& x) {
        return Cond(x[0] > 0, [&]() -> Tensors { return {x[0], x[0]}; }, [&]() -> Tensors { return {x[0]}; });
      },
      "the branches of a Cond must have the same structure, but are [*, *] and [*]");
  ExpectRefused([](const Tensors& x) { return Cond(x[0], [&] { return x; }, [&] { return x; }); },
                "the predicate must be a bool scalar");
  ExpectRefused([&](const Tensors& x) { return For(-1, same, {x[0]}); }, "at least 0");
  ExpectRefused([&](const Tensors& x) { return For({x[0], 3}, same, {x[0]}); }, "must be an i32 or i64 scalar");
  ExpectRefused([&](const Tensors&) { return For(3, same, {}); }, "returns nothing");
  ExpectRefused(
      [](const Tensors& x) {
        return For(3, [&](const Tensor&, const Tensors& c) -> Tensors { return {Convert(c[0], DType::kF32)}; }, {x[0]});
      },
      "carry 0 begins as f64[]", 3);
  ExpectRefused(
      [](const Tensors& x) {
        return For(3, [&](const Tensor&, const Tensors& c) -> Tensors { return {c[0], c[0]}; }, {x[0]});
      },
      "the carry of a For and what its body returns must have the same structure");
  ExpectRefused(
      [](const Tensors& x) {
        return While([](const Tensors& c) { return c[0]; }, [](const Tensors& c) { return c; }, {x[0]});
      },
      "the condition must be a bool scalar");
  const auto id = [](const Tensors& c, const Tensors& row) -> Rows { return {c, row}; };
  ExpectRefused([&](const Tensors& x) { return Scan(id, {x[0]}, {x[1], x[0]}).second; },
                "a leading axis of the same extent");
  ExpectRefused([&](const Tensors& x) { return Scan(id, {x[0]}, {}).first; }, "give the number of iterations");
  ExpectRefused(
      [&](const Tensors& x) {
        Tensor inner;
        For(2, [&](const Tensor&, const Tensors& c) { return Tensors{inner = c[0] * 2.0}; }, {x[0]});
        return Tensors{inner + 1.0};
      },
      "exists only there", 2);
  ExpectRefused(
      [&](const Tensors& x) {
        const Tensor y = While([](const Tensors& c) { return c[0] > 1; },
                               [](const Tensors& c) { return Tensors{c[0] / 2}; }, {x[0]})[0];
        return Gradients(y, Tensors{x[0]});
      },
      "use For with a bound", 2);
}

// What is typed replicated stays so, result by result; a body is built anew where a carry turns out to vary.
TEST(ControlFlowTyping, FollowsFromTheBodies) {
  LowerToText(
      [](const Tensors& x) {
        const Tensor same = Constant(2.0, DType::kF64);
        int built = 0;
        const Tensors loop = For(3,
                                 [&](const Tensor& i, const Tensors& c) -> Tensors {
                                   EXPECT_EQ(i.typing(), Typing::kReplicated);
                                   ++built;
                                   return {c[0] * same, c[1] + c[2], c[2] + x[0]};
                                 },
                                 {same, same, same});
        EXPECT_EQ(built, 3);
        EXPECT_EQ(loop[0].typing(), Typing::kReplicated);
        EXPECT_EQ(loop[1].typing(), Typing::kVarying);
        EXPECT_EQ(loop[2].typing(), Typing::kVarying);
        const auto branches = [&](const Tensor& predicate) {
          return Cond(predicate, [&]() -> Tensors { return {same, x[0]}; }, [&]() -> Tensors { return {same, same}; });
        };
        EXPECT_EQ(branches(same > 1)[0].typing(), Typing::kReplicated);
        EXPECT_EQ(branches(same > 1)[1].typing(), Typing::kVarying);
        EXPECT_EQ(branches(x[0] > 1)[0].typing(), Typing::kVarying);
        const auto halve = [](const Tensors& c) -> Tensors { return {c[0] * 0.5}; };
        EXPECT_EQ(While([&](const Tensors& c) { return c[0] > 1; }, halve, {same})[0].typing(), Typing::kReplicated);
        EXPECT_EQ(While([&](const Tensors& c) { return c[0] > x[0]; }, halve, {same})[0].typing(), Typing::kVarying);
        const auto twice = [&](const Tensor&, const Tensors& c) -> Tensors { return {c[0] * 2.0}; };
        EXPECT_EQ(For({Convert(x[0], DType::kI32), 3}, twice, {same})[0].typing(), Typing::kVarying);
        return x;
      },
      {Shape{DType::kF64, {}}});
}

}  // namespace
}  // namespace replicator::testing
