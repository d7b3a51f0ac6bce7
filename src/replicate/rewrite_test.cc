#include "replicate/rewrite.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ops/collectives.h"
#include "ops/control_flow.h"
#include "replicator/ops/elementwise.h"
#include "replicator/ops/gradients.h"
#include "replicator/ops/reduce.h"
#include "replicator/ops/shape.h"

namespace replicator {
namespace {

using Inputs = std::map<std::string, Tensor>;
using testing::HasSubstr;

Tensor ZeroInit(const Shape& shape) { return Zeros(shape); }

class RewriteTest : public testing::Test {
 protected:
  Program Build(int replicas, const StepFunction& step_fn, bool guard = false) {
    StepOptions options;
    options.num_replicas = replicas;
    options.nan_guard = guard;
    options.inputs = {{"x", Shape{DType::kF32, {2}}}};
    options.where = SourceLocation::current();
    return Rewrite(BuildReplicaSteps(step_fn, variables_, options), options);
  }
  Variable Declare(const std::string& name, Aggregation aggregation = Aggregation::kNone) {
    const ReplicatorContext context(&variables_, SourceLocation::current());
    return Variable({.name = name, .shape = {DType::kF32, {2}}, .initializer = ZeroInit, .aggregation = aggregation});
  }
  static int Count(const Graph& graph, std::string_view op) {
    int count = 0;
    for (const Node& node : graph.nodes()) count += node.op->name == op ? 1 : 0;
    return count;
  }
  static int replica() { return ReplicaContext::Current().replica_index(); }

  VariableTable variables_;
};

TEST_F(RewriteTest, CallsTheStepOncePerReplica) {
  int calls = 0;
  const Program program = Build(8, [&](const Inputs& inputs) {
    ++calls;
    return std::vector<Tensor>{AllSum(inputs.at("x"))};
  });
  EXPECT_EQ(calls, 8);
  EXPECT_EQ(program.outputs[0].typing, Typing::kReplicated);
  EXPECT_EQ(Count(*program.graph, "all_sum"), 1);
  EXPECT_EQ(Count(*program.graph, "case"), 0);
}

TEST_F(RewriteTest, DifferingRegionsBecomeCasesAroundTheCollective) {
  const Program program = Build(3, [&](const Inputs& inputs) {
    const Tensor x = inputs.at("x");
    const Tensor mine = replica() == 1 ? x * 2.0 : Exp(x);
    const Tensor total = AllSum(mine);
    return std::vector<Tensor>{replica() == 1 ? total + mine : total - mine, total};
  });
  EXPECT_THAT(program.class_of_replica, testing::ElementsAre(0, 1, 0));
  // One case before the collective, one after it; the collective stands outside.
  EXPECT_EQ(Count(*program.graph, "case"), 2);
  EXPECT_EQ(Count(*program.graph, "all_sum"), 1);
  EXPECT_EQ(program.outputs[0].typing, Typing::kVarying);
  EXPECT_EQ(program.outputs[1].typing, Typing::kReplicated);
}

TEST_F(RewriteTest, AConstantThatDependsOnTheReplicaIsVarying) {
  const Program program =
      Build(2, [&](const Inputs&) { return std::vector<Tensor>{Constant(replica()), Constant(7)}; });
  EXPECT_EQ(program.outputs[0].typing, Typing::kVarying);
  EXPECT_EQ(program.outputs[1].typing, Typing::kReplicated);
}

TEST_F(RewriteTest, AMirroredVariableRefusesWhatDiffersBetweenReplicas) {
  const Variable v = Declare("v");
  try {
    Build(2, [&](const Inputs&) {
      v.Assign(Full({DType::kF32, {2}}, replica()));
      return std::vector<Tensor>{};
    });
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.message(), HasSubstr("'v'"));
    EXPECT_EQ(error.where().size(), 2u);
  }
  EXPECT_THROW(Build(2,
                     [&](const Inputs&) {
                       if (replica() == 1) v.AssignAdd(1.0);
                       return std::vector<Tensor>{};
                     }),
               Error);
  const Variable local = Declare("local", Aggregation::kMean);
  const Program program = Build(2, [&](const Inputs&) {
    local.Assign(Full({DType::kF32, {2}}, replica()));
    return std::vector<Tensor>{};
  });
  EXPECT_EQ(program.updates.size(), 1u);
}

TEST_F(RewriteTest, AggregatingTwiceIsRefusedUnlessReplicasDiffer) {
  const auto twice = [&](const Inputs& inputs) { return std::vector<Tensor>{AllSum(AllMean(inputs.at("x")))}; };
  try {
    Build(2, twice);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.message(), HasSubstr("aggregated twice"));
    EXPECT_EQ(error.where().size(), 1u);
  }
  EXPECT_THROW(Build(1, twice), Error);  // the same program is refused for every number of replicas
  EXPECT_NO_THROW(Build(2, [&](const Inputs&) { return std::vector<Tensor>{AllSum(Constant(replica()))}; }));
}

TEST_F(RewriteTest, ATransposedSumOfAReplicatedValueNeedsNoCommunication) {
  const Program program = Build(4, [&](const Inputs& inputs) {
    const Tensor x = inputs.at("x");
    const Tensor loss = ReduceSum(AllMean(x) * 3.0);
    return Gradients(loss, std::vector<Tensor>{x});
  });
  EXPECT_EQ(Count(*program.graph, "all_sum"), 0);
  EXPECT_EQ(Count(*program.graph, "all_mean"), 1);
}

TEST_F(RewriteTest, ATransposedSumOfANestCommunicatesOnlyWhatVaries) {
  const Program program = Build(4, [&](const Inputs& inputs) {
    const Tensor x = inputs.at("x"), constant = Constant(3.0);
    const std::vector<Tensor> sums = TransposedAllSum({constant, x, constant, ReduceSum(x)});
    return std::vector<Tensor>{sums[0], sums[1], sums[2], sums[3]};
  });
  ASSERT_EQ(Count(*program.graph, "all_sum"), 1);
  std::vector<std::string> made_by;
  for (int i = 0; i < 4; ++i) {
    const Value output = program.graph->outputs()[static_cast<size_t>(i)];
    const Node& node = program.graph->node(output.node);
    made_by.push_back(std::string(node.op->name) + "." + std::to_string(output.index));
    EXPECT_EQ(program.outputs[static_cast<size_t>(i)].typing, Typing::kReplicated);
  }
  EXPECT_THAT(made_by, testing::ElementsAre("multiply.0", "all_sum.0", "multiply.0", "all_sum.1"));
}

TEST_F(RewriteTest, ANestIsOnePlaceholderAndNamesTheTensorThatIsAggregatedTwice) {
  const Program program = Build(2, [&](const Inputs& inputs) {
    const Tensor x = inputs.at("x");
    const auto sums = AllSum(std::map<std::string, Tensor>{{"a", x}, {"b", ReduceSum(x)}});
    return std::vector<Tensor>{sums.at("a"), sums.at("b")};
  });
  EXPECT_EQ(program.placeholders.size(), 1u);
  const SourceLocation line = SourceLocation::current();
  try {
    Build(2, [&](const Inputs& inputs) {
      return std::vector<Tensor>{AllMax(std::pair(inputs.at("x"), Constant(1.0)), line).first};
    });
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.message(), HasSubstr("all_max(f32[]): tensor 1 of the nest is already replicated"));
    EXPECT_EQ(error.where()[0].line(), line.line());
  }
}

TEST_F(RewriteTest, AWeightMayBeReplicatedUnlessTheValueIs) {
  EXPECT_NO_THROW(Build(2, [&](const Inputs& inputs) { return std::vector<Tensor>{WeightedMean(inputs.at("x"), 1)}; }));
  EXPECT_THROW(Build(2, [&](const Inputs&) { return std::vector<Tensor>{WeightedMean(Constant(2.0), 1)}; }), Error);
  EXPECT_THROW(Build(1, [&](const Inputs&) { return std::vector<Tensor>{ReduceScatter(Ones({DType::kF32, {2}}))}; }),
               Error);
}

TEST_F(RewriteTest, WhatIsScatteredOrPermutedVaries) {
  const Program program = Build(2, [&](const Inputs& inputs) {
    const Tensor x = inputs.at("x");
    return std::vector<Tensor>{ReduceScatter(x), AllToAll(x), Permute(x, {{0, 1}}), WeightedMean(x, x > 0)};
  });
  std::vector<Typing> typings;
  for (const ProgramOutput& output : program.outputs) typings.push_back(output.typing);
  EXPECT_THAT(typings, testing::ElementsAre(Typing::kVarying, Typing::kVarying, Typing::kVarying, Typing::kReplicated));
}

TEST_F(RewriteTest, APrivateValueCrossesAPlaceholderThroughASlot) {
  const Program program = Build(2, [&](const Inputs& inputs) {
    const Tensor x = inputs.at("x");
    const Tensor kept = replica() == 0 ? Tanh(x) : x;
    const Tensor total = AllSum(x);
    return std::vector<Tensor>{replica() == 0 ? kept * total : total};
  });
  ASSERT_EQ(Count(*program.graph, "case"), 2);
  for (const Node& node : program.graph->nodes()) {
    for (const Region& region : node.regions) {
      EXPECT_EQ(Count(*region, "all_sum"), 0);
    }
  }
}

TEST_F(RewriteTest, UpdatesAndGuardFollowTheOutputs) {
  const Variable v = Declare("v"), w = Declare("w");
  const Program program = Build(
      2,
      [&](const Inputs& inputs) {
        v.Assign(v + AllSum(inputs.at("x")));
        return std::vector<Tensor>{v.Read(), w.Read()};
      },
      /*guard=*/true);
  EXPECT_TRUE(program.has_guard);
  ASSERT_EQ(program.updates.size(), 1u);
  EXPECT_EQ(program.updates[0]->options.name, "v");
  EXPECT_EQ(program.graph->outputs().size(), 4u);
  for (const ProgramParameter& parameter : program.parameters) {
    if (parameter.kind != ProgramParameter::Kind::kVariable) continue;
    EXPECT_EQ(parameter.update, parameter.name == "v" ? 2 : -1);
  }
}

TEST_F(RewriteTest, ResultsMustAgreeInNumberAndShape) {
  EXPECT_THROW(Build(2,
                     [&](const Inputs& inputs) {
                       return replica() == 0 ? std::vector<Tensor>{inputs.at("x")} : std::vector<Tensor>{};
                     }),
               Error);
  EXPECT_THROW(Build(2,
                     [&](const Inputs& inputs) {
                       return std::vector<Tensor>{replica() == 0 ? inputs.at("x") : ReduceSum(inputs.at("x"))};
                     }),
               Error);
}

TEST_F(RewriteTest, AVariableOfALaterReplicaOnlyIsRefused) {
  try {
    Build(2, [&](const Inputs&) {
      if (replica() == 1) {
        Variable late({.name = "late", .shape = {DType::kF32, {}}, .initializer = ZeroInit});
      }
      return std::vector<Tensor>{};
    });
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.message(), HasSubstr("replica 1 declares the mirrored variable 'late'"));
  }
}

TEST_F(RewriteTest, ATensorOfAnotherReplicaIsRefused) {
  Tensor captured;
  EXPECT_THROW(Build(2,
                     [&](const Inputs& inputs) {
                       if (!captured.defined()) captured = inputs.at("x");
                       return std::vector<Tensor>{captured + inputs.at("x")};
                     }),
               GraphError);
}

TEST_F(RewriteTest, EqualReplicasAreFreedAtOnce) {
  std::vector<std::weak_ptr<Graph>> graphs;
  VariableTable variables;
  StepOptions options;
  options.num_replicas = 16;
  options.inputs = {{"x", Shape{DType::kF32, {2}}}};
  const ReplicaSteps steps = BuildReplicaSteps(
      [&](const Inputs& inputs) {
        graphs.push_back(inputs.at("x").graph());
        return std::vector<Tensor>{AllSum(inputs.at("x"))};
      },
      variables, options);
  EXPECT_EQ(steps.classes.size(), 1u);
  int alive = 0;
  for (const auto& graph : graphs) alive += graph.expired() ? 0 : 1;
  EXPECT_EQ(alive, 1);
}

}  // namespace
}  // namespace replicator
