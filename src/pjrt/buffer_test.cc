#include "pjrt/buffer.h"

#include <gmock/gmock.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <future>
#include <limits>
#include <thread>

#include "pjrt/testing.h"
#include "replicator/base/error.h"

namespace replicator::pjrt {
namespace {

using std::chrono_literals::operator""ms;

class BufferTest : public PluginTest {};
REPLICATOR_WITH_EACH_PLUGIN(BufferTest);

// Elements that differ, negative ones and fractions among them where the type has them.
Literal Pattern(DType dtype, Dims dims) {
  std::vector<double> values;
  for (int64_t i = 0; i < NumElements(dims); ++i)
    values.push_back(1.5 * static_cast<double>(i) - (IsUnsigned(dtype) ? 0 : 4));
  return Literal::FromValues<double>(std::move(dims), values).ConvertTo(dtype);
}

TEST_P(BufferTest, EveryTypeRoundTrips) {
  const auto client = MakeClient(2);
  for (DType dtype : kAllDTypes) {
    for (const Dims& dims : {Dims{}, Dims{1}, Dims{7}, Dims{3, 5}, Dims{2, 3, 4}, Dims{0}, Dims{2, 0, 3}}) {
      const Literal literal = Pattern(dtype, dims);
      const Device& device = client->devices()[1];
      const Buffer in_place = client->Put(literal, device);
      EXPECT_EQ(in_place.shape(), literal.shape());
      EXPECT_EQ(&in_place.device(), &device);
      EXPECT_EQ(in_place.ToLiteral(), literal) << ToString(literal);
      const Buffer copied = client->PutCopy(literal.shape(), literal.bytes(), device);
      EXPECT_EQ(copied.ToLiteral(), literal) << ToString(literal);
      EXPECT_EQ(TakeLiteral(copied.CopyTo(client->devices()[0])), literal) << ToString(literal);
    }
  }
}

TEST_P(BufferTest, KeepsNaNAndInfinity) {
  const auto client = MakeClient();
  const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const Literal literal = Literal::FromValues<float>({4}, {nan, -inf, -0.0f, inf});
  EXPECT_EQ(client->Put(literal, client->devices()[0]).ToLiteral(), literal);
}

TEST_P(BufferTest, PutReadsAlignedMemoryInPlaceAndKeepsItsOwner) {
  const auto client = MakeClient();
  Literal literal = Literal::FromValues<float>({1000}, std::vector<float>(1000, 2.0f));
  const std::weak_ptr<const std::byte> owner = literal.owner();
  Buffer buffer = client->Put(literal, client->devices()[0]);
  EXPECT_EQ(buffer.UnsafePointer(), literal.bytes());
  literal = Literal();
  EXPECT_FALSE(owner.expired());
  EXPECT_EQ(buffer.ToLiteral().data<float>()[999], 2.0f);
  buffer = Buffer();
  for (int i = 0; i < 20000 && !owner.expired(); ++i) std::this_thread::sleep_for(1ms);  // a plugin's thread lets go
  EXPECT_TRUE(owner.expired());
}

TEST_P(BufferTest, PutOfUnalignedMemoryCopies) {
  const auto client = MakeClient();
  const Literal literal = Pattern(DType::kF32, {100});
  const auto* unaligned = literal.bytes() + 4;
  const Shape shape{DType::kF32, {99}};
  const Buffer buffer = client->Put(shape, unaligned, literal.owner(), client->devices()[0]);
  EXPECT_NE(buffer.UnsafePointer(), unaligned);
  EXPECT_EQ(std::memcmp(buffer.ToLiteral().bytes(), unaligned, shape.byte_size()), 0);
}

TEST_P(BufferTest, PutCopyLeavesTheMemoryFree) {
  const auto client = MakeClient();
  std::vector<int64_t> values(1 << 16, 7);
  const Buffer buffer = client->PutCopy(Shape{DType::kI64, {1 << 16}}, values.data(), client->devices()[0]);
  std::fill(values.begin(), values.end(), 8);
  const Literal back = buffer.ToLiteral();
  EXPECT_THAT(back.data<int64_t>(), testing::Each(7));
}

TEST_P(BufferTest, ViewAndTakeReadInPlace) {
  const auto client = MakeClient();
  const Literal literal = Pattern(DType::kF64, {50});
  Buffer buffer = client->PutCopy(literal.shape(), literal.bytes(), client->devices()[0]);
  EXPECT_TRUE(IsOnHost(buffer));
  const void* address = buffer.UnsafePointer();
  {
    const HostView view(buffer);
    EXPECT_EQ(view.bytes(), address);
    EXPECT_EQ(std::memcmp(view.bytes(), literal.bytes(), literal.byte_size()), 0);
  }
  const Literal taken = TakeLiteral(std::move(buffer));
  EXPECT_EQ(taken.bytes(), address);
  EXPECT_EQ(taken, literal);
}

TEST_P(BufferTest, DeletedBufferIsRefused) {
  const auto client = MakeClient();
  Buffer buffer = client->Put(Literal::Scalar(1.0f), client->devices()[0]);
  EXPECT_GE(buffer.OnDeviceSize(), 4u);
  EXPECT_FALSE(buffer.IsDeleted());
  buffer.Delete();
  EXPECT_TRUE(buffer.IsDeleted());
  EXPECT_THROW(buffer.ToLiteral(), Error);
  EXPECT_THROW(HostView{buffer}, Error);
  EXPECT_THROW(buffer.ReadyEvent().Await(), Error);
}

TEST_P(BufferTest, OutlivesEveryOtherHandleToTheClient) {
  auto client = MakeClient();
  Buffer buffer = client->Put(Literal::Scalar(5), client->devices()[0]);
  HostCopy copy = buffer.ToLiteralAsync();
  Event ready = buffer.ReadyEvent();
  client.reset();
  EXPECT_EQ(copy.Get().Item<int>(), 5);
  buffer = Buffer();
  EXPECT_NO_THROW(ready.Await());
}

TEST_P(BufferTest, AbandonedCopiesAndOwnersThatHoldTheClientAreSafe) {
  auto client = MakeClient(2);
  const Device& device = client->devices()[0];
  const Literal big = Literal(Shape{DType::kF32, {1 << 20}});
  for (int i = 0; i < 20; ++i) client->PutCopy(big.shape(), big.bytes(), device).ToLiteralAsync();
  // A literal that lives in a device's memory, put onto another device.
  Literal taken = TakeLiteral(client->PutCopy(big.shape(), big.bytes(), device));
  Buffer second = client->Put(taken, client->devices()[1]);
  taken = Literal();
  client.reset();
  second = Buffer();
}

TEST_P(BufferTest, ReadyCallbackRuns) {
  const auto client = MakeClient();
  const Buffer buffer = client->Put(Literal::Scalar(1.0), client->devices()[0]);
  std::promise<bool> called;
  buffer.ReadyEvent().OnReady([&](std::exception_ptr error) { called.set_value(error == nullptr); });
  EXPECT_TRUE(called.get_future().get());
}

TEST_P(BufferTest, PutsFromManyThreads) {
  const auto client = MakeClient(2);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 100; ++i) {
        const Literal literal = Literal::FromValues<int32_t>({3}, {t, i, t * i});
        EXPECT_EQ(client->Put(literal, client->devices()[static_cast<size_t>(i % 2)]).ToLiteral(), literal);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace replicator::pjrt
