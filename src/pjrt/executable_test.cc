#include "pjrt/executable.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <future>
#include <thread>

#include "pjrt/testing.h"
#include "replicator/base/error.h"

namespace replicator::pjrt {
namespace {

class ExecutableTest : public PluginTest {};
REPLICATOR_WITH_EACH_PLUGIN(ExecutableTest);

Literal Values(std::vector<float> values) {
  const auto count = static_cast<int64_t>(values.size());
  return Literal::FromValues<float>({count}, values);
}

ErrorCode CodeOf(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "no Error was thrown";
  return ErrorCode::kUnknown;
}

TEST_P(ExecutableTest, AddsAndDescribesItself) {
  const auto client = MakeClient();
  const auto add = client->Compile(AddModule("3xf32"));
  ASSERT_EQ(add->devices().size(), 1u);
  EXPECT_EQ(add->output_shapes(), (std::vector<Shape>{{DType::kF32, {3}}}));
  Buffer x = client->Put(Values({1, 2, 3}), client->devices()[0]);
  Buffer y = client->Put(Values({10, 20, 30}), client->devices()[0]);
  const Launch launch = add->Execute({{&x, &y}});
  launch.Await();
  EXPECT_EQ(launch.outputs[0][0].ToLiteral(), Values({11, 22, 33}));
  EXPECT_FALSE(x.IsDeleted());

  EXPECT_THAT(add->unloaded().Name(), testing::HasSubstr("add"));
  EXPECT_EQ(add->unloaded().NumReplicas(), 1);
  EXPECT_EQ(add->unloaded().NumPartitions(), 1);
  const auto memory = add->unloaded().MemoryStats();
  ASSERT_TRUE(memory.has_value());
  EXPECT_EQ(memory->arguments, 24);
  EXPECT_EQ(memory->outputs, 12);
  const auto costs = add->unloaded().CostAnalysis();
  EXPECT_EQ(costs.has_value(), GetParam().name == "c1");
  if (costs.has_value()) {
    EXPECT_EQ(costs->at("flops"), 3);
  }
  EXPECT_FALSE(add->unloaded().OptimizedProgram().second.empty());
}

TEST_P(ExecutableTest, ProgramWithoutArgumentsOrOutputs) {
  const auto client = MakeClient();
  const auto constant = client->Compile(
      "module { func.func public @main() -> tensor<i32> {\n  %c = stablehlo.constant dense<7> : tensor<i32>\n  return "
      "%c : tensor<i32>\n} }");
  EXPECT_EQ(constant->Execute({{}}).outputs[0][0].ToLiteral().Item<int>(), 7);
  const auto nothing = client->Compile("module { func.func public @main(%x: tensor<i32>) {\n  return\n} }");
  EXPECT_EQ(nothing->num_outputs(), 0);
  Buffer x = client->Put(Literal::Scalar(1), client->devices()[0]);
  nothing->Execute({{&x}}).Await();
}

TEST_P(ExecutableTest, DonationReusesMemoryAndNonDonatableKeeps) {
  const auto client = MakeClient();
  const Device& device = client->devices()[0];
  const auto add = client->Compile(AddModule("1000xf32", /*donate=*/true));
  const Literal ones = Values(std::vector<float>(1000, 1));
  const std::vector<int64_t> keep = {0};
  for (int round = 0; round < 2; ++round) {  // the second round uses what the first has learnt
    Buffer x = client->PutCopy(ones.shape(), ones.bytes(), device);
    Buffer y = client->Put(ones, device);
    const Launch kept = add->Execute({{&x, &y}}, {.non_donatable = keep});
    kept.Await();
    EXPECT_FALSE(x.IsDeleted());
    EXPECT_FALSE(x.known_deleted());
    EXPECT_EQ(x.ToLiteral(), ones);
    EXPECT_NE(kept.outputs[0][0].UnsafePointer(), x.UnsafePointer());

    const void* address = x.UnsafePointer();
    const Launch launch = add->Execute({{&x, &y}});
    EXPECT_TRUE(x.IsDeleted());
    EXPECT_TRUE(x.known_deleted());
    EXPECT_FALSE(y.known_deleted());
    EXPECT_EQ(launch.outputs[0][0].UnsafePointer(), address);
    EXPECT_THAT(launch.outputs[0][0].ToLiteral().data<float>(), testing::Each(2.0f));
    EXPECT_EQ(CodeOf([&] { add->Execute({{&x, &y}}); }), ErrorCode::kInvalidArgument);
  }
}

TEST_P(ExecutableTest, DonatedLiteralIsNotWrittenTo) {
  const auto client = MakeClient();
  const auto add = client->Compile(AddModule("1000xf32", /*donate=*/true));
  const Literal ones = Values(std::vector<float>(1000, 1));
  for (int round = 0; round < 2; ++round) {
    Buffer x = client->Put(ones, client->devices()[0]);
    Buffer y = client->Put(ones, client->devices()[0]);
    const Launch launch = add->Execute({{&x, &y}});
    launch.Await();
    EXPECT_EQ(x.known_deleted(), x.IsDeleted());
    EXPECT_THAT(launch.outputs[0][0].ToLiteral().data<float>(), testing::Each(2.0f));
    EXPECT_THAT(ones.data<float>(), testing::Each(1.0f));
  }
}

TEST_P(ExecutableTest, AllReduceOverFourReplicasInAnyOrderOfDevices) {
  const auto client = MakeClient(6);
  const auto sum = client->Compile(AllReduceModule("2xf32", 4), {.num_replicas = 4, .device_assignment = {5, 1, 3, 0}});
  ASSERT_EQ(sum->devices().size(), 4u);
  std::vector<Buffer> inputs;
  std::vector<std::vector<Buffer*>> arguments(4);
  for (size_t r = 0; r < 4; ++r) {
    EXPECT_EQ(sum->devices()[r]->id(), (std::vector<int>{5, 1, 3, 0})[r]);
    inputs.push_back(client->Put(Values({std::pow(10.0f, static_cast<float>(r)), 1}), *sum->devices()[r]));
  }
  for (size_t r = 0; r < 4; ++r) arguments[r] = {&inputs[r]};
  const Launch launch = sum->Execute(arguments);
  launch.Await();
  for (size_t r = 0; r < 4; ++r) {
    EXPECT_EQ(&launch.outputs[r][0].device(), sum->devices()[r]);
    EXPECT_EQ(launch.outputs[r][0].ToLiteral(), Values({1111, 4}));
  }
}

TEST_P(ExecutableTest, ReplicaIdFollowsTheListOfDevices) {
  const auto client = MakeClient(3);
  const auto id = client->Compile(
      "module attributes {mhlo.num_replicas = 3 : i32} { func.func public @main() -> tensor<ui32> {\n"
      "  %r = stablehlo.replica_id : tensor<ui32>\n  return %r : tensor<ui32>\n} }",
      {.num_replicas = 3, .device_assignment = {2, 0, 1}});
  const Launch launch = id->Execute({{}, {}, {}});
  for (size_t r = 0; r < 3; ++r) EXPECT_EQ(launch.outputs[r][0].ToLiteral().Item<size_t>(), r);
}

// Far more launches than XLA:CPU can hold in flight without a deadlock.
TEST_P(ExecutableTest, HundredsOfUnawaitedLaunchesFromThreads) {
  const auto client = MakeClient(4);
  const auto sum = client->Compile(AllReduceModule("64xf32", 4), {.num_replicas = 4});
  std::vector<Launch> last(3);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < last.size(); ++t) {
    threads.emplace_back([&, t] {
      const Literal literal = Values(std::vector<float>(64, static_cast<float>(t)));
      std::vector<Buffer> inputs;
      for (const Device* device : sum->devices()) inputs.push_back(client->Put(literal, *device));
      std::vector<std::vector<Buffer*>> arguments;
      for (Buffer& input : inputs) arguments.push_back({&input});
      for (int i = 0; i < 100; ++i) sum->Execute(arguments, {}, last[t]);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (size_t t = 0; t < last.size(); ++t) {
    for (const auto& outputs : last[t].outputs) {
      EXPECT_THAT(outputs[0].ToLiteral().data<float>(), testing::Each(4.0f * static_cast<float>(t)));
    }
  }
  client->WaitForLaunches();
  for (int d = 0; d < 4; ++d) EXPECT_EQ(client->window()->in_flight(d), 0);
}

TEST_P(ExecutableTest, ChainedDonatedLaunchesReuseOneLaunch) {
  const auto client = MakeClient(2);
  const auto add = client->Compile(AddModule("f32", /*donate=*/true), {.num_replicas = 2});
  std::vector<Buffer> state, step;
  for (const Device* device : add->devices()) {
    state.push_back(client->Put(Literal::Scalar(0.0f), *device));
    step.push_back(client->Put(Literal::Scalar(static_cast<float>(device->id() + 1)), *device));
  }
  Launch launch = add->Execute({{&state[0], &step[0]}, {&state[1], &step[1]}});
  for (int i = 1; i < 200; ++i) {
    add->Execute({{&launch.outputs[0][0], &step[0]}, {&launch.outputs[1][0], &step[1]}}, {}, launch);
  }
  EXPECT_EQ(launch.outputs[0][0].ToLiteral().Item<float>(), 200);
  EXPECT_EQ(launch.outputs[1][0].ToLiteral().Item<float>(), 400);
}

TEST_P(ExecutableTest, WrongArgumentsAreRefusedAndNothingHangs) {
  const auto client = MakeClient(2);
  const auto other = MakeClient(2);
  const auto sum = client->Compile(AllReduceModule("2xf32", 2), {.num_replicas = 2});
  Buffer a = client->Put(Values({1, 2}), client->devices()[0]);
  Buffer b = client->Put(Values({3, 4}), client->devices()[1]);
  Buffer wide = client->Put(Values({3, 4, 5}), client->devices()[1]);
  Buffer wide0 = client->Put(Values({3, 4, 5}), client->devices()[0]);
  Buffer foreign = other->Put(Values({3, 4}), other->devices()[1]);
  Buffer deleted = client->Put(Values({3, 4}), client->devices()[1]);
  deleted.Delete();
  Buffer empty;
  const std::vector<std::vector<std::vector<Buffer*>>> wrong = {{{&a}},
                                                                {{&a}, {&b}, {&b}},
                                                                {{&a}, {}},
                                                                {{}, {}},
                                                                {{&a, &a}, {&b, &b}},
                                                                {{&a}, {&wide}},
                                                                {{&wide0}, {&wide}},
                                                                {{&a}, {&a}},
                                                                {{&b}, {&a}},
                                                                {{&a}, {&foreign}},
                                                                {{&a}, {&deleted}},
                                                                {{&a}, {&empty}},
                                                                {{&a}, {nullptr}}};
  for (size_t i = 0; i < wrong.size(); ++i) {
    EXPECT_EQ(CodeOf([&] { sum->Execute(wrong[i]); }), ErrorCode::kInvalidArgument) << i;
  }
  const std::vector<int64_t> positions = {1};
  EXPECT_EQ(CodeOf([&] { sum->Execute({{&a}, {&b}}, {.non_donatable = positions}); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(sum->Execute({{&a}, {&b}}).outputs[1][0].ToLiteral(), Values({4, 6}));
  client->WaitForLaunches();
}

TEST_P(ExecutableTest, DonatedTwiceIsRefused) {
  const auto client = MakeClient();
  const auto add = client->Compile(AddModule("2xf32", /*donate=*/true));
  Buffer x = client->Put(Values({1, 2}), client->devices()[0]);
  EXPECT_EQ(CodeOf([&] { add->Execute({{&x, &x}}); }), ErrorCode::kInvalidArgument);
  const std::vector<int64_t> keep = {0};
  EXPECT_EQ(add->Execute({{&x, &x}}, {.non_donatable = keep}).outputs[0][0].ToLiteral(), Values({2, 4}));
}

// A buffer that someone reads in place is copied instead of donated, and remains usable.
TEST_P(ExecutableTest, ViewedBufferSurvivesItsDonation) {
  const auto client = MakeClient();
  const auto add = client->Compile(AddModule("1000xf32", /*donate=*/true));
  const Literal ones = Values(std::vector<float>(1000, 1));
  Buffer x = client->PutCopy(ones.shape(), ones.bytes(), client->devices()[0]);
  Buffer y = client->Put(ones, client->devices()[0]);
  const HostView view(x);
  for (int i = 0; i < 2; ++i) {
    const Launch launch = add->Execute({{&x, &y}});
    EXPECT_THAT(launch.outputs[0][0].ToLiteral().data<float>(), testing::Each(2.0f));
    EXPECT_EQ(std::memcmp(view.bytes(), ones.bytes(), ones.byte_size()), 0);
  }
}

// 64 TiB of output: no machine can allocate them, so the launch fails while running.
TEST_P(ExecutableTest, FailureWhileRunningIsAnErrorAndTheClientStaysUsable) {
  for (const int replicas : {1, 2}) {
    const auto client = MakeClient(replicas);
    const auto huge = client->Compile(
        "module attributes {mhlo.num_replicas = " + std::to_string(replicas) +
            " : i32} { func.func public @main(%x: tensor<f32>) -> tensor<17592186044416xf32> {\n"
            "  %z = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<17592186044416xf32>\n"
            "  return %z : tensor<17592186044416xf32>\n} }",
        {.num_replicas = replicas});
    std::vector<Buffer> inputs;
    std::vector<std::vector<Buffer*>> arguments;
    for (const Device* device : huge->devices()) inputs.push_back(client->Put(Literal::Scalar(1.0f), *device));
    for (Buffer& input : inputs) arguments.push_back({&input});
    Launch launch;
    try {
      huge->Execute(arguments, {}, launch);
      std::promise<std::exception_ptr> told;
      launch.done[0].OnReady([&](std::exception_ptr error) { told.set_value(error); });
      EXPECT_NE(told.get_future().get(), nullptr);
      EXPECT_THROW(launch.outputs[0][0].ReadyEvent().Await(), Error);
      launch.Await();
      ADD_FAILURE() << "no Error was thrown";
    } catch (const Error& error) {
      EXPECT_THAT(error.message(), testing::HasSubstr("Out of memory"));
    }
    client->WaitForLaunches();
    const auto sum = client->Compile(AllReduceModule("f32", replicas), {.num_replicas = replicas});
    EXPECT_EQ(sum->Execute(arguments).outputs[0][0].ToLiteral().Item<int>(), replicas);
  }
}

TEST_P(ExecutableTest, ManyMoreDevicesThanCores) {
  constexpr int kDevices = 32;
  const auto client = MakeClient(kDevices);
  const auto sum = client->Compile(AllReduceModule("2xf32", kDevices), {.num_replicas = kDevices});
  std::vector<Buffer> inputs;
  std::vector<std::vector<Buffer*>> arguments;
  for (const Device* device : sum->devices()) {
    inputs.push_back(client->Put(Values({1, static_cast<float>(device->id())}), *device));
  }
  for (Buffer& input : inputs) arguments.push_back({&input});
  Launch launch;
  for (int i = 0; i < 40; ++i) sum->Execute(arguments, {}, launch);
  for (const auto& outputs : launch.outputs) EXPECT_EQ(outputs[0].ToLiteral(), Values({32, 31 * 32 / 2}));
}

TEST_P(ExecutableTest, KnowsItsParameters) {
  const auto client = MakeClient();
  for (const std::string type :
       {"i1", "2x3xi8", "0xi16", "i32", "1xi64", "ui8", "ui16", "ui32", "ui64", "f16", "bf16", "300xf32", "f64"}) {
    const auto add = client->Compile(AddModule(type, /*donate=*/true));
    ASSERT_TRUE(add->signature().has_value()) << type;
    EXPECT_EQ(add->signature()->parameters, std::vector<Shape>(2, add->output_shapes()[0])) << type;
    EXPECT_EQ(add->signature()->donated, (std::vector<char>{1, 0})) << type;
  }
}

TEST_P(ExecutableTest, SerialisedExecutableRunsOnAnotherClient) {
  std::string bytes;
  {
    const auto client = MakeClient(2);
    bytes = client->Compile(AllReduceModule("f32", 2), {.num_replicas = 2, .device_assignment = {1, 0}})
                ->unloaded()
                .Serialize();
  }
  const auto client = MakeClient(2);
  const auto sum = client->Load(bytes);
  EXPECT_EQ(sum->devices()[0]->id(), 1);
  EXPECT_EQ(sum->output_shapes(), (std::vector<Shape>{{DType::kF32, {}}}));
  Buffer a = client->Put(Literal::Scalar(1.0f), *sum->devices()[0]);
  Buffer b = client->Put(Literal::Scalar(2.0f), *sum->devices()[1]);
  EXPECT_EQ(sum->Execute({{&a}, {&b}}).outputs[0][0].ToLiteral().Item<float>(), 3);
}

TEST_P(ExecutableTest, CorruptBytesDoNotLoad) {
  const auto client = MakeClient();
  const std::string bytes = client->Compile(AddModule("f32"))->unloaded().Serialize();
  for (const std::string& wrong : {std::string(), std::string("garbage"), bytes.substr(0, bytes.size() / 2)}) {
    EXPECT_THROW(client->Load(wrong), Error) << wrong.size();
  }
}

TEST_P(ExecutableTest, FingerprintTellsProgramsApart) {
  const auto client = MakeClient();
  const auto one = client->Compile(AddModule("3xf32"))->unloaded().Fingerprint();
  const auto same = client->Compile(AddModule("3xf32"))->unloaded().Fingerprint();
  const auto other = client->Compile(AddModule("4xf32"))->unloaded().Fingerprint();
  EXPECT_EQ(one, same);
  if (one.has_value()) {
    EXPECT_NE(one, other);
  }
}

TEST_P(ExecutableTest, SurvivesTheOtherHandles) {
  auto client = MakeClient(2);
  auto add = client->Compile(AddModule("100000xf32"));
  const Literal ones = Values(std::vector<float>(100000, 1));
  Buffer x = client->Put(ones, client->devices()[0]);
  Launch launch = add->Execute({{&x, &x}});
  client.reset();
  add.reset();
  x = Buffer();
  EXPECT_THAT(launch.outputs[0][0].ToLiteral().data<float>(), testing::Each(2.0f));
}

}  // namespace
}  // namespace replicator::pjrt
