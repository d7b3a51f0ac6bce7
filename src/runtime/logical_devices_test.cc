// Steps over several logical devices, with each plugin.
#include <cmath>
#include <filesystem>
#include <limits>

#include "pjrt/testing.h"
#include "platforms/platform.h"
#include "replicator/graph/logical_device.h"
#include "replicator/runtime/session.h"
#include "runtime/local_engine.h"
#include "runtime/testing.h"

namespace replicator {
namespace {

using namespace replicator::runtime_testing;  // NOLINT: helpers of this room's tests
using testing::Each;
using testing::ElementsAre;

const Shape kVector{DType::kF64, {4}};

class LogicalDevicesTest : public testing::TestWithParam<pjrt::TestPlugin> {
 protected:
  std::shared_ptr<Engine> MakeEngine(int replicas, int logical_devices, const std::string& cache_dir = "") const {
    return Engine::Create({.plugin_path = pjrt::PathOf(GetParam()),
                           .num_replicas = replicas,
                           .num_logical_devices_per_replica = logical_devices,
                           .seed = 3,
                           .cache_dir = cache_dir});
  }
  static Variable DeclareOn(Engine& engine, int device, const std::string& name, const Shape& shape = kVector) {
    const ReplicatorContext context(&engine.variables(), SourceLocation::current());
    const LogicalDeviceForVariables scope(device);
    return Declare(engine, {.name = name, .shape = shape, .initializer = [](const Shape& s) {
                              return RandomUniform(s, 1, 2, {.typing = Typing::kReplicated});
                            }});
  }
  static Tensor Id() { return Convert(ReplicaContext::Current().replica_id(), DType::kF64); }
};

INSTANTIATE_TEST_SUITE_P(Plugins, LogicalDevicesTest, testing::ValuesIn(pjrt::TestPlugins()), pjrt::NameOf);

// Forth and back over the devices, with reductions on each: every step adds what a closed form tells.
TEST_P(LogicalDevicesTest, ManyStepsInFlight) {
  for (const auto& [replicas, devices] : {std::pair(1, 3), std::pair(2, 2), std::pair(3, 2)}) {
    const auto engine = MakeEngine(replicas, devices);
    const Variable near = DeclareOn(*engine, 0, "near"), far = DeclareOn(*engine, devices - 1, "far");
    const int last = devices - 1;
    const BuiltStep step = AddStep(engine, [&](const Inputs&) {
      Tensor sum = AllSum(Id() + near.Read() * 0.0 + 1.0);  // R (R + 1) / 2
      {
        const LogicalDevice scope(last);
        sum = AllMax(sum + Id()) + far * 0.0;  // + R - 1
        far.AssignAdd(sum);
      }
      near.AssignAdd(sum * 2.0);
      return std::vector<Tensor>{near.Read(), far.Read(), sum};
    });
    ASSERT_GE(engine->program(step.index).segments.size(), 3u);
    Session session;
    session.Attach(engine);
    const std::vector<double> near0 = Values(session.Read(near)), far0 = Values(session.Read(far));
    constexpr int kSteps = 200;
    for (int i = 0; i < kSteps; ++i) session.Run(step.results[0]);
    session.Wait();
    const double each = replicas * (replicas + 1) / 2.0 + replicas - 1;
    for (size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(Values(session.Read(near))[i], near0[i] + 2 * each * kSteps, 1e-9);
      EXPECT_NEAR(Values(session.Read(far))[i], far0[i] + each * kSteps, 1e-9);
    }
    for (int r = 0; r < replicas; ++r) {
      EXPECT_EQ(engine->ReadVariable(far.def(), r), engine->ReadVariable(far.def(), 0));
      EXPECT_EQ(engine->ReadVariable(near.def(), r), engine->ReadVariable(near.def(), 0));
    }
    EXPECT_THAT(Values(session.Run(step.results[2]).Get()), Each(each));
  }
}

TEST_P(LogicalDevicesTest, ReplicasMayDifferOnEachDevice) {
  const auto engine = MakeEngine(2, 2);
  const BuiltStep step = AddStep(engine, [&](const Inputs&) {
    const bool odd = ReplicaContext::Current().replica_index() == 1;
    const Tensor x = Id() + 2.0;
    const Tensor first = odd ? Exp(x) : x * 2.0;
    Tensor y;
    {
      const LogicalDevice scope(1);
      y = AllSum(odd ? Tanh(first) * 3.0 : Negate(first * first));
    }
    return std::vector<Tensor>{odd ? y * first : y + first};
  });
  Session session;
  session.Attach(engine);
  const double first0 = 4, first1 = std::exp(3.0), y = std::tanh(first1) * 3 - first0 * first0;
  const Fetched result = session.Run(step.results[0]);
  EXPECT_NEAR(Values(result.Get(0))[0], y + first0, 1e-12);
  EXPECT_NEAR(Values(result.Get(1))[0], y * first1, 1e-9);
}

TEST_P(LogicalDevicesTest, EachDeviceHoldsItsPart) {
  const auto engine = MakeEngine(2, 2);
  const Variable a = DeclareOn(*engine, 0, "a", {DType::kF32, {1000}});
  const Variable b = DeclareOn(*engine, 1, "b", {DType::kF32, {3000}});
  const BuiltStep step = AddStep(engine,
                                 [&](const Inputs&) {
                                   a.AssignAdd(ReduceSum(b.Read()));
                                   b.AssignAdd(1);
                                   return std::vector<Tensor>{};
                                 },
                                 {.nan_guard = true});
  Session session;
  session.Attach(engine);
  const auto bytes = [&] { return dynamic_cast<LocalEngine&>(*engine).variable_bytes(); };
  engine->Initialise();
  EXPECT_THAT(bytes(), ElementsAre(4000, 12000, 4000, 12000));
  for (int i = 0; i < 3; ++i) session.Run(step.results[0]);
  session.Wait();
  EXPECT_THAT(bytes(), ElementsAre(4000, 12000, 4000, 12000));
  session.Write(b, Literal(Shape{DType::kF32, {3000}}));
  EXPECT_THAT(bytes(), ElementsAre(4000, 12000, 4000, 12000));
  engine->Restore(engine->Save());
  EXPECT_THAT(bytes(), ElementsAre(4000, 12000, 4000, 12000));
}

TEST_P(LogicalDevicesTest, TheGuardKeepsTheVariablesOfAllDevices) {
  const auto engine = MakeEngine(2, 3);
  std::vector<Variable> v;
  for (int d = 0; d < 3; ++d) v.push_back(DeclareOn(*engine, d, "v" + std::to_string(d)));
  const Variable scale = DeclareOn(*engine, 1, "scale", {DType::kF64, {}});
  Session session;
  session.Attach(engine);
  for (size_t bad = 0; bad < 3; ++bad) {
    const BuiltStep step = AddStep(engine,
                                   [&](const Inputs&) {
                                     for (size_t d = 0; d < 3; ++d)
                                       v[d].AssignAdd(d == bad ? scale.Read() : Ones({DType::kF64, {}}));
                                     return std::vector<Tensor>{};
                                   },
                                   {.nan_guard = true});
    session.Write(scale, Literal::Scalar(1.0));
    session.Run(step.results[0]);
    session.Wait();
    const EngineState before = engine->Save();
    session.Write(scale, Literal::Scalar(std::numeric_limits<double>::infinity()));
    session.Run(step.results[0]);
    EXPECT_ERROR(session.Wait(), kAborted, "the variable 'v" + std::to_string(bad) + "' infinite or NaN");
    for (size_t d = 0; d < 3; ++d) {
      for (int r = 0; r < 2; ++r) {
        EXPECT_EQ(engine->ReadVariable(v[d].def(), r), before.tensors.at("v" + std::to_string(d))) << bad << d;
      }
    }
    session.Write(scale, Literal::Scalar(2.0));
    session.Run(step.results[0]);
    session.Wait();
    for (size_t d = 0; d < 3; ++d) {
      const double old = Values(before.tensors.at("v" + std::to_string(d)))[0];
      EXPECT_EQ(Values(session.Read(v[d]))[0], old + (d == bad ? 2 : 1));
    }
  }
}

TEST_P(LogicalDevicesTest, InputsDrawsAndInitialValuesDoNotDependOnThem) {
  const auto run = [&](int devices) {
    const auto engine = MakeEngine(2, devices);
    const Variable v = DeclareOn(*engine, devices - 1, "v");
    const BuiltStep step = AddStep(engine,
                                   [&](const Inputs& inputs) {
                                     const LogicalDevice scope(devices - 1);
                                     const Tensor x =
                                         Convert(inputs.at("x"), DType::kF64) + RandomUniform({DType::kF64, {2}});
                                     v.AssignAdd(ReduceSum(AllSum(x)));
                                     return std::vector<Tensor>{x, v.Read()};
                                   },
                                   {.input = MakeInput(*engine, Counting(12, 4))});
    Session session;
    session.Attach(engine);
    std::vector<double> seen;
    for (int i = 0; i < 3; ++i) {
      const Fetched fetched = session.Run({step.results[0], step.results[1]})[0];
      for (int r = 0; r < 2; ++r) {
        for (double value : Values(fetched.Get(r))) seen.push_back(value);
      }
    }
    for (double value : Values(session.Read(v))) seen.push_back(value);
    return seen;
  };
  EXPECT_EQ(run(1), run(2));
}

TEST_P(LogicalDevicesTest, ACheckpointDoesNotKnowThem) {
  EngineState saved;
  for (int devices : {2, 1, 3}) {
    const auto engine = MakeEngine(1, devices);
    const Variable v = DeclareOn(*engine, devices - 1, "v");
    const BuiltStep step = AddStep(engine, [&](const Inputs&) {
      v.AssignAdd(1);
      return std::vector<Tensor>{};
    });
    Session session;
    session.Attach(engine);
    if (!saved.tensors.empty()) engine->Restore(saved);
    session.Run(step.results[0]);
    const EngineState now = engine->Save();
    if (!saved.tensors.empty()) {
      EXPECT_EQ(Values(now.tensors.at("v"))[2], Values(saved.tensors.at("v"))[2] + 1);
    }
    saved = now;
  }
}

TEST_P(LogicalDevicesTest, CompiledSegmentsAreKeptOnDisk) {
  const auto directory = std::filesystem::path(testing::TempDir()) / ("segments_" + GetParam().name);
  std::filesystem::remove_all(directory);
  for (int run = 0; run < 2; ++run) {
    const auto engine = MakeEngine(2, 2, directory.string());
    const Variable v = DeclareOn(*engine, 1, "v");
    const BuiltStep step = AddStep(engine, [&](const Inputs&) {
      const Tensor sum = AllSum(Id() + 1.0);
      v.Assign(sum + Zeros(kVector));
      const LogicalDevice scope(1);
      return std::vector<Tensor>{AllSum(sum * Id())};
    });
    Session session;
    session.Attach(engine);
    EXPECT_THAT(Values(session.Run(step.results[0]).Get()), ElementsAre(3.0));
    EXPECT_THAT(Values(session.Read(v)), Each(3.0));
    const auto counts = dynamic_cast<LocalEngine&>(*engine).cache_counts();
    EXPECT_EQ(run == 0 ? counts.compiled : counts.loaded, 3);  // two segments and the initial values
  }
}

TEST_P(LogicalDevicesTest, AFailureNamesTheStepAndLosesWhatItHadTaken) {
  const auto engine = MakeEngine(2, 2);
  const Variable v = DeclareOn(*engine, 0, "v"), w = DeclareOn(*engine, 1, "w");
  // It starts, and the segment of device 1 fails while it runs: no machine has the memory.
  const BuiltStep failing = AddStep(engine, [&](const Inputs&) {
    v.AssignAdd(1);
    const LogicalDevice scope(1);
    w.AssignAdd(1);
    return std::vector<Tensor>{Zeros({DType::kF32, {int64_t{1} << 45}})};
  });
  const BuiltStep good = AddStep(engine, [&](const Inputs&) {
    v.AssignAdd(1);
    return std::vector<Tensor>{v.Read()};
  });
  Session session;
  session.Attach(engine);
  try {
    session.Run(failing.results[0]).Get(0);
    ADD_FAILURE();
  } catch (const Error& error) {  // the plugins' codes differ
    EXPECT_THAT(error.what(), testing::HasSubstr("step 1 of the step function built at"));
  }
  EXPECT_ERROR(session.Run(good.results[0]), kFailedPrecondition, "'v' was lost");
  session.Write(v, Literal(kVector));
  EXPECT_THAT(Values(session.Run(good.results[0]).Get()), Each(1.0));
}

TEST_P(LogicalDevicesTest, RefusesMoreDevicesThanThereAre) {
  const auto client = platforms::CreateClient({.plugin_path = pjrt::PathOf(GetParam()), .num_devices = 3});
  if (client->devices().size() > 3) GTEST_SKIP() << "the process has more";
  EXPECT_ERROR(LocalEngine({.num_replicas = 2, .num_logical_devices_per_replica = 2}, client, {}), kInvalidArgument,
               "2 replicas of 2 logical devices were asked for, but cpu has 3 devices");
  EXPECT_ERROR(MakeEngine(1, 0), kInvalidArgument, "num_logical_devices_per_replica must be at least 1");
  EXPECT_ERROR(MakeEngine(2, 1 << 30), kInvalidArgument, "num_logical_devices_per_replica");
}

}  // namespace
}  // namespace replicator
