#include "replicator/base/literal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "replicator/base/error.h"

namespace replicator {
namespace {

TEST(Half, RoundTripsEveryFiniteValue) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    Half half;
    half.bits = static_cast<uint16_t>(bits);
    const auto value = static_cast<float>(half);
    if (std::isnan(value)) continue;
    EXPECT_EQ(Half(value).bits, half.bits) << value;
  }
}

TEST(Half, RoundsToNearestEven) {
  EXPECT_EQ(static_cast<float>(Half(2049.0f)), 2048.0f);  // halfway between 2048 and 2050
  EXPECT_EQ(static_cast<float>(Half(2051.0f)), 2052.0f);  // halfway between 2050 and 2052
  EXPECT_EQ(static_cast<float>(Half(65519.0f)), 65504.0f);
  EXPECT_TRUE(std::isinf(static_cast<float>(Half(65520.0f))));
  EXPECT_EQ(static_cast<float>(Half(std::ldexp(1.0f, -24))), std::ldexp(1.0f, -24));
  EXPECT_TRUE(std::isnan(static_cast<float>(Half(std::numeric_limits<float>::quiet_NaN()))));
}

TEST(BFloat16, RoundsToNearestEven) {
  EXPECT_EQ(BFloat16(1.0f).bits, 0x3f80);
  EXPECT_EQ(static_cast<float>(BFloat16(257.0f)), 256.0f);
  EXPECT_EQ(static_cast<float>(BFloat16(259.0f)), 260.0f);
}

TEST(DType, OfHostTypes) {
  EXPECT_EQ(DTypeOf<bool>(), DType::kBool);
  EXPECT_EQ(DTypeOf<int64_t>(), DType::kI64);
  EXPECT_EQ(DTypeOf<uint16_t>(), DType::kU16);
  for (DType dtype : kAllDTypes) EXPECT_EQ(DTypeFromString(ToString(dtype)), dtype);
  EXPECT_THROW(DTypeFromString("float"), Error);
}

TEST(Literal, CopiesShareUntilWritten) {
  Literal a = Literal::FromValues<float>({3}, {1, 2, 3});
  const Literal b = a;
  EXPECT_EQ(a.bytes(), b.bytes());
  a.mutable_data<float>()[0] = 9;
  EXPECT_EQ(b.data<float>()[0], 1);
  EXPECT_EQ(a.data<float>()[0], 9);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(a.bytes()) % Literal::kAlignment, 0u);
}

TEST(Literal, RefusesWrongTypeCountAndExtent) {
  const Literal a = Literal::FromValues<int32_t>({2}, {1, 2});
  EXPECT_THROW(a.data<float>(), Error);
  EXPECT_THROW(a.Item<int>(), Error);
  EXPECT_THROW(a.Reshape({3}), Error);
  EXPECT_THROW(Literal::FromValues<float>({3}, {1, 2}), Error);
  EXPECT_THROW(Literal(Shape{DType::kF32, {-1}}), Error);
}

TEST(Literal, EmptyAndConverted) {
  const Literal empty{Shape{DType::kF32, {0, 4}}};
  EXPECT_TRUE(empty.data<float>().empty());
  EXPECT_EQ(Literal::FromValues<float>({2}, {1.75f, -2.0f}).ConvertTo(DType::kI32),
            Literal::FromValues<int32_t>({2}, {1, -2}));
  EXPECT_EQ(Literal::Scalar<Half>(Half(0.5f)).Item<double>(), 0.5);
  EXPECT_EQ(ToString(Literal::FromValues<uint8_t>({2}, {7, 8})), "u8[2] {7, 8}");
}

}  // namespace
}  // namespace replicator
