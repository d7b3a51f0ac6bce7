#include "replicate/segments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ops/control_flow.h"
#include "replicate/rewrite.h"
#include "replicator/graph/logical_device.h"
#include "replicator/ops/collectives.h"
#include "replicator/ops/elementwise.h"
#include "replicator/ops/gradients.h"
#include "replicator/ops/random.h"
#include "replicator/ops/reduce.h"
#include "replicator/ops/shape.h"

namespace replicator {
namespace {

using Inputs = std::map<std::string, Tensor>;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

const Shape kShape{DType::kF32, {2}};

class SegmentsTest : public testing::Test {
 protected:
  Program Build(const StepFunction& step_fn, bool guard = false, int replicas = 2) {
    StepOptions options{.num_replicas = replicas, .nan_guard = guard, .inputs = {{"x", kShape}}};
    Program program = Rewrite(BuildReplicaSteps(step_fn, variables_, options), options);
    CheckReferences(program);
    return program;
  }
  // Every value that is named exists, has the shape of where it goes, and is computed before.
  static void CheckReferences(const Program& program) {
    const auto shape = [&](ProgramValue value) {
      if (value.segment < 0) {
        const int node = program.graph->parameters().at(static_cast<size_t>(value.index));
        return program.graph->shape({node, 0});
      }
      const Graph& graph = *program.segments.at(static_cast<size_t>(value.segment)).graph;
      return graph.shape(graph.outputs().at(static_cast<size_t>(value.index)));
    };
    for (size_t s = 0; s < program.segments.size(); ++s) {
      const Segment& segment = program.segments[s];
      ASSERT_EQ(segment.parameters.size(), segment.graph->parameters().size());
      CheckDevice(*segment.graph, segment.logical_device);
      for (size_t i = 0; i < segment.parameters.size(); ++i) {
        const SegmentParameter& parameter = segment.parameters[i];
        EXPECT_LT(parameter.value.segment, static_cast<int>(s));
        EXPECT_EQ(shape(parameter.value), segment.graph->shape({segment.graph->parameters()[i], 0}));
        if (parameter.transfer < 0) continue;
        const Transfer& transfer = program.transfers.at(static_cast<size_t>(parameter.transfer));
        EXPECT_EQ(transfer, (Transfer{parameter.value, segment.logical_device}));
      }
    }
    ASSERT_EQ(program.results.size(), program.graph->outputs().size());
    for (size_t i = 0; i < program.results.size(); ++i) {
      EXPECT_EQ(shape(program.results[i]), program.graph->shape(program.graph->outputs()[i]));
    }
  }
  Variable Declare(const std::string& name, int device) {
    const LogicalDeviceForVariables scope(device);
    return Variable({.name = name, .shape = kShape, .initializer = [](const Shape& shape) { return Zeros(shape); }});
  }
  static void CheckDevice(const Graph& graph, int device) {
    for (const Node& node : graph.nodes()) {
      if (node.op == &kParameter) continue;
      EXPECT_EQ(node.logical_device, device) << node.op->name;
      for (const Region& region : node.regions) CheckDevice(*region, device);
    }
  }
  static std::vector<int> Devices(const Program& program) {
    std::vector<int> devices;
    for (const Segment& segment : program.segments) devices.push_back(segment.logical_device);
    return devices;
  }
  // Operations on the segment's own device, but for parameters.
  static int Count(const Segment& segment, std::string_view op) {
    int count = 0;
    for (const Node& node : segment.graph->nodes()) count += node.op->name == op ? 1 : 0;
    return count;
  }
  // The program's parameter that is the variable's.
  static int ParameterOf(const Program& program, const Variable& variable) {
    for (size_t i = 0; i < program.parameters.size(); ++i) {
      if (program.parameters[i].variable == variable.shared_def()) return static_cast<int>(i);
    }
    return -1;
  }
  // The segments that read the variable in place, each with what it aliases.
  static std::vector<std::pair<int, int>> Readers(const Program& program, const Variable& variable) {
    std::vector<std::pair<int, int>> readers;
    for (size_t s = 0; s < program.segments.size(); ++s) {
      for (const SegmentParameter& parameter : program.segments[s].parameters) {
        if (parameter.value == ProgramValue{-1, ParameterOf(program, variable)} && parameter.transfer < 0)
          readers.emplace_back(s, parameter.alias);
      }
    }
    return readers;
  }

  VariableTable variables_{3};
  ReplicatorContext context_{&variables_, SourceLocation::current()};
};

TEST_F(SegmentsTest, OneDeviceIsOneSegmentOfTheProgramsOwnGraph) {
  const Variable v = Declare("v", 0);
  const Program program = Build([&](const Inputs& inputs) {
    v.Assign(AllMean(inputs.at("x")));
    return std::vector<Tensor>{v.Read()};
  });
  ASSERT_EQ(program.segments.size(), 1u);
  EXPECT_EQ(program.segments[0].graph, program.graph);
  EXPECT_TRUE(program.transfers.empty());
  EXPECT_THAT(program.results, ElementsAre(ProgramValue{0, 0}, ProgramValue{0, 1}));
  EXPECT_THAT(Readers(program, v), ElementsAre(std::pair(0, 1)));
}

TEST_F(SegmentsTest, APipelineGoesForthAndBack) {
  std::vector<Variable> w;
  for (int d = 0; d < 3; ++d) w.push_back(Declare("w" + std::to_string(d), d));
  const Program program = Build([&](const Inputs& inputs) {
    Tensor y = inputs.at("x");
    for (int d = 0; d < 3; ++d) {
      const LogicalDevice scope(d);
      y = Sine(y * Exp(w[static_cast<size_t>(d)].Read()));  // Exp is ready from the beginning, and makes no segment
    }
    const std::vector<Tensor> gradients = Gradients(ReduceSum(y), w);
    for (int d = 0; d < 3; ++d) {
      const LogicalDevice scope(d);
      w[static_cast<size_t>(d)].Assign(AllMean(gradients[static_cast<size_t>(d)]));
    }
    return std::vector<Tensor>{};
  });
  EXPECT_THAT(Devices(program), ElementsAre(0, 1, 2, 1, 0));
  EXPECT_EQ(Count(program.segments[0], "sine"), 1);
  // What needs no gradient from above is ready early.
  for (size_t i = 0; i < 5; ++i) EXPECT_EQ(Count(program.segments[i], "cosine"), i < 3 ? 1 : 0) << i;
  for (size_t i = 0; i < 5; ++i) EXPECT_EQ(Count(program.segments[i], "all_mean"), i < 2 ? 0 : 1) << i;
  // Two activations on the way there and two gradients on the way back, and nothing else.
  EXPECT_EQ(program.transfers.size(), 4u);
  for (size_t d = 0; d < 3; ++d) {
    const ProgramValue result = program.results[d];
    EXPECT_EQ(program.segments[static_cast<size_t>(result.segment)].logical_device, static_cast<int>(d));
  }
}

TEST_F(SegmentsTest, AValueTravelsOnceAndConstantsStay) {
  const Program program = Build([&](const Inputs& inputs) {
    const Tensor y = Exp(inputs.at("x")), ones = Ones(kShape);
    const Tensor z = y + ones;
    const LogicalDevice scope(1);
    return std::vector<Tensor>{z * y + ones, z - y, z / y, ones};
  });
  EXPECT_THAT(Devices(program), ElementsAre(0, 1));
  EXPECT_EQ(program.transfers.size(), 2u);
  EXPECT_THAT(program.transfers, Each(testing::Field(&Transfer::logical_device, 1)));
  EXPECT_EQ(program.results[3].segment, 0);  // made under device 0
  EXPECT_EQ(program.segments[1].parameters.size(), 2u);
}

TEST_F(SegmentsTest, InputsAndVariablesTravelWithoutASegment) {
  const Variable v = Declare("v", 2);
  const Program program = Build([&](const Inputs& inputs) {
    const LogicalDevice scope(1);
    return std::vector<Tensor>{inputs.at("x") * v};
  });
  EXPECT_THAT(Devices(program), ElementsAre(1));
  EXPECT_EQ(program.transfers.size(), 2u);
  EXPECT_THAT(program.transfers, Each(testing::Field(&Transfer::value, testing::Field(&ProgramValue::segment, -1))));
}

TEST_F(SegmentsTest, ResultsThatNobodyComputesPassThrough) {
  const Variable a = Declare("a", 1), b = Declare("b", 2), c = Declare("c", 2);
  const Program program = Build([&](const Inputs& inputs) {
    b.Assign(a);                        // to another device
    c.Assign(AllMean(inputs.at("x")));  // the same of what is computed
    return std::vector<Tensor>{inputs.at("x"), a.Read()};
  });
  for (const ProgramValue& result : program.results) EXPECT_GE(result.segment, 0);
  const auto device = [&](size_t result) {
    return program.segments[static_cast<size_t>(program.results[result].segment)].logical_device;
  };
  EXPECT_EQ(device(0), 0);
  EXPECT_EQ(device(1), 1);
  EXPECT_EQ(device(2), 2);
  EXPECT_EQ(device(3), 2);
  EXPECT_EQ(program.transfers.size(), 2u);
}

TEST_F(SegmentsTest, OnlyTheLastReaderMayTakeOverAVariable) {
  const Variable early = Declare("early", 0), late = Declare("late", 0);
  const Program program = Build([&](const Inputs& inputs) {
    early.Assign(early * 2.0);
    Tensor y = inputs.at("x") * late;
    {
      const LogicalDevice scope(1);
      y = Exp(y);
    }
    const Tensor old = late.Read();
    late.Assign(AllMean(y * late));
    return std::vector<Tensor>{old};
  });
  EXPECT_THAT(Devices(program), ElementsAre(0, 1, 0));
  EXPECT_THAT(Readers(program, early), ElementsAre(std::pair(0, 0)));
  ASSERT_EQ(Readers(program, late).size(), 2u);
  EXPECT_THAT(Readers(program, late), ElementsAre(std::pair(0, -1), std::pair(2, program.results[2].index)));
}

TEST_F(SegmentsTest, ANewValueInAnEarlierSegmentTakesOverNothing) {
  const Variable v = Declare("v", 0);
  const Program program = Build([&](const Inputs& inputs) {
    const Tensor old = v.Read();
    v.Assign(old * 2.0);
    Tensor y = AllMean(inputs.at("x"));
    {
      const LogicalDevice scope(1);
      y = Exp(y);
    }
    return std::vector<Tensor>{y + old};
  });
  EXPECT_THAT(Devices(program), ElementsAre(0, 1, 0));
  EXPECT_THAT(Readers(program, v), ElementsAre(std::pair(0, -1), std::pair(2, -1)));
}

TEST_F(SegmentsTest, TheGuardGathersFlagsAndSpreadsTheVerdict) {
  const Variable a = Declare("a", 1), b = Declare("b", 0), c = Declare("c", 1);
  const Program program = Build(
      [&](const Inputs& inputs) {
        const Tensor mean = AllMean(inputs.at("x"));
        c.Assign(mean);
        b.Assign(mean);
        a.Assign(mean);
        return std::vector<Tensor>{};
      },
      /*guard=*/true);
  EXPECT_THAT(Devices(program), ElementsAre(0, 1, 0, 1));
  EXPECT_THAT(program.updates, ElementsAre(b.shared_def(), a.shared_def(), c.shared_def()));
  EXPECT_EQ(program.transfers.size(), 3u);  // the mean, two flags back, one verdict
  EXPECT_EQ(program.graph->shape(program.graph->outputs().back()).dims, Dims{3});
  EXPECT_EQ(program.results.back().segment, 2);
}

TEST_F(SegmentsTest, TheKeyGoesToEveryDeviceThatDraws) {
  const Program program = Build([&](const Inputs&) {
    const Tensor here = RandomUniform(kShape);
    const LogicalDevice scope(1);
    return std::vector<Tensor>{here, RandomUniform(kShape)};
  });
  EXPECT_EQ(program.segments.size(), 2u);
  EXPECT_TRUE(program.transfers.empty());
  for (const Segment& segment : program.segments) {
    ASSERT_EQ(segment.parameters.size(), 1u);
    EXPECT_EQ(segment.parameters[0].transfer, -1);
  }
}

TEST_F(SegmentsTest, CollectivesRunWhereTheyWerePlaced) {
  const Program program = Build([&](const Inputs& inputs) {
    const Tensor sum = AllSum(inputs.at("x"));
    const LogicalDevice scope(2);
    return std::vector<Tensor>{AllMax(inputs.at("x") * 3.0) + sum};
  });
  EXPECT_THAT(Devices(program), ElementsAre(0, 2));
  EXPECT_EQ(Count(program.segments[0], "all_sum"), 1);
  EXPECT_EQ(Count(program.segments[1], "all_max"), 1);
}

TEST_F(SegmentsTest, ReplicasMustPutACollectiveOnTheSameDevice) {
  const SourceLocation first = SourceLocation::current();
  const SourceLocation second = SourceLocation::current();
  try {
    Build([&](const Inputs& inputs) {
      const int replica = ReplicaContext::Current().replica_index();
      const LogicalDevice scope(replica == 1 ? 2 : 0);
      return std::vector<Tensor>{AllSum({inputs.at("x"), replica == 1 ? second : first})};
    });
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("on logical device 0 at"));
    EXPECT_THAT(error.what(), HasSubstr("on logical device 2 at"));
    EXPECT_THAT(error.what(), HasSubstr("the 1st collective differs"));
    ASSERT_EQ(error.where().size(), 2u);
    EXPECT_EQ(error.where()[0].line(), first.line());
    EXPECT_EQ(error.where()[1].line(), second.line());
  }
}

TEST_F(SegmentsTest, ReplicasThatPlaceAnOperationDifferentlyDiffer) {
  const auto classes = [&](int device) {
    const auto step_fn = [&](const Inputs& inputs) {
      const LogicalDevice scope(ReplicaContext::Current().replica_index() == 1 ? device : 0);
      return std::vector<Tensor>{Exp(inputs.at("x"))};
    };
    return BuildReplicaSteps(step_fn, variables_, {.num_replicas = 2, .inputs = {{"x", kShape}}}).classes;
  };
  EXPECT_EQ(classes(0).size(), 1u);
  ASSERT_EQ(classes(1).size(), 2u);
  EXPECT_NE(classes(1)[0].graph->Fingerprint(), classes(1)[1].graph->Fingerprint());
}

TEST_F(SegmentsTest, BranchesOfDifferingReplicasStayOnTheirDevices) {
  const Program program = Build([&](const Inputs& inputs) {
    const bool odd = ReplicaContext::Current().replica_index() == 1;
    const Tensor x = inputs.at("x");
    const Tensor first = odd ? Exp(x) : x * 2.0;
    Tensor y;
    {
      const LogicalDevice scope(1);
      y = odd ? Tanh(first) : first * first;
      y = AllSum(odd ? y : Negate(y));
    }
    return std::vector<Tensor>{odd ? Sine(y) * first : y + first};
  });
  EXPECT_THAT(Devices(program), ElementsAre(0, 1, 0));
  for (const Segment& segment : program.segments) EXPECT_EQ(Count(segment, "case"), 1);
  EXPECT_EQ(Count(program.segments[1], "all_sum"), 1);
}

TEST_F(SegmentsTest, ARegionRunsOnOneDevice) {
  const auto branch = [&](int device) {
    BuildContext build({});
    const BuildContext::Scope scope(build);
    const Tensor x = build.Input("x", kShape, SourceLocation::current());
    const LogicalDevice placement(device);
    build.graph()->SetOutputs({Exp(x).value()});
    return Region(build.graph());
  };
  const auto build = [&](int outside, int inside) {
    return Build([&](const Inputs& inputs) {
      const LogicalDevice scope(outside);
      const std::vector<Tensor> operands = {Constant(Literal::Scalar<int32_t>(0)), inputs.at("x")};
      Graph& graph = *BuildContext::Current(SourceLocation::current()).graph();
      return graph.Add(kCase, operands, {}, SourceLocation::current(), {branch(inside)});
    });
  };
  EXPECT_THAT(Devices(build(1, 1)), ElementsAre(1));
  try {
    build(0, 2);
    ADD_FAILURE();
  } catch (const GraphError& error) {
    EXPECT_THAT(error.what(), HasSubstr("was put on logical device 2"));
    EXPECT_EQ(error.where().size(), 2u);
  }
}

}  // namespace
}  // namespace replicator
