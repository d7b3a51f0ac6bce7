// Placeholders in branches and loop bodies: seeded faults, each refused with both of the user's lines; and what is
// decided by varying values.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "ops/collectives.h"
#include "replicate/match.h"
#include "replicate/rewrite.h"
#include "replicator/ops/control_flow.h"
#include "replicator/ops/elementwise.h"
#include "replicator/ops/gradients.h"
#include "replicator/ops/reduce.h"
#include "replicator/ops/shape.h"

namespace replicator {
namespace {

using testing::HasSubstr;

using Inputs = std::map<std::string, Tensor>;
using Tensors = std::vector<Tensor>;

const SourceLocation kHere = SourceLocation::current();
const SourceLocation kLines[] = {
    SourceLocation::current(), SourceLocation::current(), SourceLocation::current(),
    SourceLocation::current(), SourceLocation::current(), SourceLocation::current(),
};
const SourceLocation kFaultyLine = SourceLocation::current();
const SourceLocation kRegionLine = SourceLocation::current();

Program Build(int replicas, const StepFunction& step_fn) {
  VariableTable variables;
  StepOptions options;
  options.num_replicas = replicas;
  options.inputs = {{"x", Shape{DType::kF32, {}}}};
  options.where = kHere;
  return Rewrite(BuildReplicaSteps(step_fn, variables, options), options);
}
int replica() { return ReplicaContext::Current().replica_index(); }

struct Call {
  int kind = 0;  // of kCalls
  Dims dims;
  int line = 0;  // index into kLines, or -1 for the faulty one
  friend bool operator==(const Call& a, const Call& b) { return a.kind == b.kind && a.dims == b.dims; }
};

SourceLocation Line(const Call& call) { return call.line < 0 ? kFaultyLine : kLines[call.line]; }

Tensor Make(const Call& call, const Tensor& seed) {
  const Operand x(BroadcastTo(seed, call.dims), Line(call));
  const Tensor made = call.kind == 0   ? AllSum(x)
                      : call.kind == 1 ? AllMean(x)
                      : call.kind == 2 ? AllMax(x)
                                       : Broadcast(x, 0);
  return ReduceSum(made);
}

class Generator {
 public:
  explicit Generator(uint32_t seed) : random_(seed) {}
  int Below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
  Call Random() {
    static const Dims kDims[] = {{}, {3}, {2, 5}};
    return {Below(4), kDims[Below(3)]};
  }
  std::vector<Call> Calls(int count) {
    std::vector<Call> calls;
    for (int i = 0; i < count; ++i) {
      calls.push_back(Random());
      calls.back().line = i;
    }
    return calls;
  }

 private:
  std::mt19937 random_;
};

const char* const kFaults[] = {"missing", "extra", "swapped", "shape", "operation"};

// Breaks `calls`, and returns the place of the first difference, or -1 if the fault does not apply.
int Break(const std::string& fault, std::vector<Call>& calls, Generator& random) {
  const int at = random.Below(static_cast<int>(calls.size()));
  Call& call = calls[static_cast<size_t>(at)];
  const Call good = call;
  if (fault == "missing") {
    calls.erase(calls.begin() + at);
    return static_cast<size_t>(at) < calls.size() && calls[static_cast<size_t>(at)] == good ? -1 : at;
  }
  if (fault == "extra") {
    Call extra = random.Random();
    extra.line = -1;
    if (extra == call) return -1;
    calls.insert(calls.begin() + at, extra);
    return at;
  }
  if (fault == "swapped") {
    if (static_cast<size_t>(at) + 1 == calls.size() || call == calls[static_cast<size_t>(at) + 1]) return -1;
    std::swap(call, calls[static_cast<size_t>(at) + 1]);
    return at;
  }
  if (fault == "shape") call.dims.push_back(7);
  if (fault == "operation") call.kind = (call.kind + 1) % 4;
  call.line = -1;
  return at;
}

// The calls in a region of some kind, or of one in another.
Tensor InRegion(int kind, const std::vector<Call>& calls, const Tensor& x) {
  const auto sum = [&](const Tensor& seed) {
    Tensor total = seed * 0.0;
    for (const Call& call : calls) total = total + Make(call, seed);
    return total;
  };
  const auto same = Constant(1.0);
  const auto loop = [&](const Tensor& i) {
    return For(3, [&](const Tensor&, const Tensor& c) { return sum(c + x) * 0.5; }, i, kRegionLine);
  };
  switch (kind) {
    case 0:
      return Cond(same > 0, [&] { return sum(x); }, [&] { return x; }, kRegionLine);
    case 1:
      return Cond(same > 0, [&] { return x; }, [&] { return sum(x); }, kRegionLine);
    case 2:
      return loop(x);
    case 3:
      return While([&](const Tensor& c) { return AllMax(Operand(c + x, kLines[0])) > 5; },
                   [&](const Tensor& c) { return sum(c + x) * 0.1; }, x, kRegionLine);
    default:
      return Scan([&](const Tensor& c, const Tensor&) { return std::pair(loop(c), c); }, x, Zeros({DType::kF32, {2}}),
                  {}, kRegionLine)
          .first;
  }
}

TEST(Regions, RefuseTwentySeededFaultsWithBothLines) {
  int refused = 0;
  for (uint32_t seed = 0; refused < 20; ++seed) {
    ASSERT_LT(seed, 1000u);
    Generator random(seed);
    const std::string fault = kFaults[seed % std::size(kFaults)];
    const int kind = random.Below(5), replicas = 2 + random.Below(3), faulty = random.Below(replicas);
    const std::vector<Call> good = random.Calls(2 + random.Below(3));
    std::vector<Call> bad = good;
    const int at = Break(fault, bad, random);
    if (at < 0) continue;
    SCOPED_TRACE(fault + " in region " + std::to_string(kind) + ", seed " + std::to_string(seed));
    try {
      Build(replicas, [&](const Inputs& inputs) {
        return Tensors{InRegion(kind, replica() == faulty ? bad : good, inputs.at("x"))};
      });
      ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
      EXPECT_THAT(error.message(), HasSubstr("replica " + std::to_string(faulty == 0 ? 1 : faulty)));
      EXPECT_THAT(error.message(), HasSubstr("replica 0"));
      EXPECT_THAT(error.message(), HasSubstr(kind < 2 ? "of the Cond at" : "the body of the loop at"));
      const auto line = [&](const std::vector<Call>& side) {
        return Line(side[std::min(static_cast<size_t>(at), side.size() - 1)]).line();
      };
      std::vector<uint32_t> lines;
      for (const SourceLocation& where : error.where()) lines.push_back(where.line());
      EXPECT_THAT(lines, testing::UnorderedElementsAre(line(good), line(bad))) << error.what();
    }
    ++refused;
  }
}

TEST(Regions, AcceptTenGoodPrograms) {
  for (uint32_t seed = 0; seed < 10; ++seed) {
    Generator random(1000 + seed);
    const int kind = static_cast<int>(seed % 5);
    const std::vector<Call> calls = random.Calls(1 + random.Below(4));
    const Program program = Build(3, [&](const Inputs& inputs) {
      // What differs comes in from outside.
      const Tensor x = replica() == 1 ? inputs.at("x") * 2.0 : inputs.at("x");
      return Tensors{InRegion(kind, calls, x)};
    });
    // The condition of a While calls one too.
    EXPECT_EQ(program.placeholders.size(), calls.size() + (kind == 3 ? 1 : 0));
    EXPECT_THAT(program.class_of_replica, testing::ElementsAre(0, 1, 0));
  }
}

std::string RefusalOf(int replicas, const StepFunction& step_fn, std::vector<uint32_t>& lines) {
  try {
    Build(replicas, step_fn);
  } catch (const Error& error) {
    for (const SourceLocation& where : error.where()) lines.push_back(where.line());
    return error.message();
  }
  return "accepted";
}

TEST(Regions, ABodyWithCollectivesIsTheSameOnAllReplicas) {
  std::vector<uint32_t> lines;
  const std::string message = RefusalOf(
      2,
      [&](const Inputs& inputs) {
        return Tensors{For(
            2,
            [&](const Tensor&, const Tensor& c) {
              const Tensor sum = AllSum(c + inputs.at("x"));
              return replica() == 0 ? Exp(Operand(sum, kLines[0])) : Sine(Operand(sum, kLines[1]));
            },
            inputs.at("x"), kRegionLine)};
      },
      lines);
  EXPECT_THAT(message, HasSubstr("replica 0 has exponential(f32[])"));
  EXPECT_THAT(message, HasSubstr("replica 1 has sine(f32[])"));
  EXPECT_THAT(lines, testing::ElementsAre(kLines[0].line(), kLines[1].line()));
  lines.clear();
  const std::string count = RefusalOf(
      2,
      [&](const Inputs& inputs) {
        return Tensors{For(
            replica() + 2,
            [&](const Tensor&, const Tensor& c) { return AllMean(Operand(c + inputs.at("x"), kLines[2])); },
            inputs.at("x"), kRegionLine)};
      },
      lines);
  EXPECT_THAT(count, HasSubstr("length=2"));
  EXPECT_THAT(count, HasSubstr("length=3"));
  EXPECT_THAT(lines, testing::Each(kLines[2].line()));
  // Without collectives bodies may differ: they are as private as any other operation.
  const Program program = Build(2, [&](const Inputs& inputs) {
    return Tensors{AllSum(For(replica() + 2, [&](const Tensor&, const Tensor& c) { return c * 2.0; }, inputs.at("x")))};
  });
  EXPECT_EQ(program.outputs[0].typing, Typing::kReplicated);
}

// Some replicas would wait for others that never come.
TEST(Regions, WhatVariesDoesNotDecideAboutCollectives) {
  const auto refuse = [](const std::string& what, const std::function<Tensor(const Tensor& x)>& build) {
    std::vector<uint32_t> lines;
    const std::string message =
        RefusalOf(2, [&](const Inputs& inputs) { return Tensors{build(inputs.at("x"))}; }, lines);
    EXPECT_THAT(message, HasSubstr(what + " varies between replicas"));
    EXPECT_THAT(lines, testing::ElementsAre(kRegionLine.line(), kLines[3].line()));
  };
  const auto sum = [](const Tensor& x) { return AllSum(Operand(x, kLines[3])); };
  refuse("predicate",
         [&](const Tensor& x) { return Cond(x > 0, [&] { return sum(x); }, [&] { return x; }, kRegionLine); });
  refuse("predicate", [&](const Tensor& x) {
    return While([&](const Tensor& c) { return c > x; }, [&](const Tensor& c) { return sum(c + x); }, Constant(1.0),
                 kRegionLine);
  });
  // The condition starts replicated, and is not after one iteration.
  refuse("predicate", [&](const Tensor& x) {
    return While([&](const Tensor& c) { return c > 0; }, [&](const Tensor& c) { return sum(c + x) + x; }, Constant(1.0),
                 kRegionLine);
  });
  refuse("number of iterations", [&](const Tensor& x) {
    return For(
        {Convert(x, DType::kI32), 3}, [&](const Tensor&, const Tensor& c) { return sum(c + x); }, x, kRegionLine);
  });
  // At any depth.
  refuse("predicate", [&](const Tensor& x) {
    return Cond(
        x > 0, [&] { return For(2, [&](const Tensor&, const Tensor& c) { return sum(c + x); }, x); }, [&] { return x; },
        kRegionLine);
  });
  // A number that each replica computes in C++ looks replicated in its own graph, and only there.
  refuse("predicate", [&](const Tensor& x) {
    return Cond(Constant(replica() + 0.5) > 1.0, [&] { return sum(x); }, [&] { return x; }, kRegionLine);
  });
}

TEST(Regions, AReplicatedValueIsNotReducedAgainInABody) {
  std::vector<uint32_t> lines;
  const std::string message = RefusalOf(
      2,
      [](const Inputs& inputs) {
        return Tensors{For(
            2, [](const Tensor&, const Tensor& c) { return AllSum(Operand(c, kLines[4])); }, AllSum(inputs.at("x")),
            kRegionLine)};
      },
      lines);
  EXPECT_THAT(message, HasSubstr("aggregated twice"));
  EXPECT_THAT(lines, testing::ElementsAre(kLines[4].line()));
}

int Count(const Graph& graph, std::string_view op) {
  int count = 0;
  for (const Node& node : graph.nodes()) {
    count += node.op->name == op ? 1 : 0;
    for (const Region& region : node.regions) count += Count(*region, op);
  }
  return count;
}

// The gradient of a reduction in a body is a sum in the gradient's body; of one and the same value, a multiplication.
TEST(Regions, ATransposedSumInABodyCommunicatesOnlyWhatVaries) {
  const auto step = [](bool vary) {
    return [vary](const Inputs& inputs) {
      const Tensor y =
          For(2, [](const Tensor&, const Tensor& c) { return Sine(AllMean(c * 1.0) + c); }, inputs.at("x"));
      return Tensors{Gradients(vary ? ReduceSum(y * inputs.at("x")) : y * 0.0 + AllSum(y), Tensors{inputs.at("x")})[0]};
    };
  };
  const Program varying = Build(2, step(true));
  EXPECT_EQ(Count(*varying.graph, "all_mean"), 2);  // once more in the gradient's body
  EXPECT_EQ(Count(*varying.graph, "all_sum"), 1);
  const Program linear = Build(2, [](const Inputs& inputs) {
    const Tensor y =
        For(2, [&](const Tensor&, const Tensor& c) { return c + AllMean(inputs.at("x")) * 3.0; }, Constant(0.0));
    EXPECT_EQ(y.typing(), Typing::kReplicated);
    return Tensors{Gradients(y, Tensors{inputs.at("x")})[0]};
  });
  EXPECT_EQ(Count(*linear.graph, "all_sum"), 0);
  EXPECT_EQ(linear.outputs[0].typing, Typing::kReplicated);
}

}  // namespace
}  // namespace replicator
