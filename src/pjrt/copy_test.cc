// Copies between the devices of a client.
#include "pjrt/testing.h"

namespace replicator::pjrt {
namespace {

class CopyTest : public PluginTest {};

REPLICATOR_WITH_EACH_PLUGIN(CopyTest);

// x + 1, a hundred thousand times over: long enough to look at it under way.
constexpr char kSlow[] = R"(module @slow { func.func public @main(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %times = stablehlo.constant dense<100000> : tensor<i32>
  %step = stablehlo.constant dense<1.0> : tensor<1024xf32>
  %r:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<1024xf32>
  cond {
    %more = stablehlo.compare LT, %i, %times : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    %sum = stablehlo.add %y, %step : tensor<1024xf32>
    stablehlo.return %next, %sum : tensor<i32>, tensor<1024xf32>
  }
  return %r#1 : tensor<1024xf32>
} })";

TEST_P(CopyTest, StartsBeforeTheValueIsThereAndIsUsedOnTheOtherDevice) {
  const auto client = MakeClient(2);
  const Literal zeros(Shape{DType::kF32, {1024}});
  const auto slow = client->Compile(kSlow, {.device_assignment = {client->devices()[0].id()}});
  const auto add = client->Compile(AddModule("1024xf32"), {.device_assignment = {client->devices()[1].id()}});
  EXPECT_EQ(slow->devices()[0], &client->devices()[0]);
  EXPECT_EQ(add->devices()[0], &client->devices()[1]);
  Buffer x = client->Put(zeros, client->devices()[0]);
  const Launch first = slow->Execute({{&x}});
  Buffer there = first.outputs[0][0].CopyTo(client->devices()[1]);
  const Launch second = add->Execute({{&there, &there}});
  // Nothing has waited so far.
  EXPECT_FALSE(first.done[0].IsReady());
  EXPECT_FALSE(second.done[0].IsReady());
  const Literal sum = second.outputs[0][0].ToLiteral();
  for (float value : sum.data<float>()) ASSERT_EQ(value, 2e5f);
  first.Await();
  EXPECT_EQ(there.OnDeviceSize(), zeros.byte_size());
}

// A value that is copied away and donated at once: the copy is of what it was.
TEST_P(CopyTest, ADonatedValueArrivesAsItWas) {
  const auto client = MakeClient(2);
  const auto add =
      client->Compile(AddModule("65536xf32", /*donate=*/true), {.device_assignment = {client->devices()[0].id()}});
  const Literal ones = Literal::FromValues<float>({65536}, std::vector<float>(65536, 1.0f));
  Buffer one = client->Put(ones, client->devices()[0]);
  Buffer value = client->PutCopy(ones.shape(), ones.bytes(), client->devices()[0]);
  std::vector<Buffer> copies;
  for (int i = 0; i < 100; ++i) {
    copies.push_back(value.CopyTo(client->devices()[1]));
    Launch launch = add->Execute({{&value, &one}});
    value = std::move(launch.outputs[0][0]);
  }
  for (size_t i = 0; i < copies.size(); ++i) {
    const Literal copied = copies[i].ToLiteral();
    for (float element : copied.data<float>()) ASSERT_EQ(element, static_cast<float>(i + 1)) << i;
  }
}

}  // namespace
}  // namespace replicator::pjrt
