// The forms in which convolutions are emitted, against the definition: more extents than the conformance suite runs,
// and the forms of other targets, which a CPU runs as well, only not as fast.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "ops/registry.h"
#include "replicator/ops/convolution.h"
#include "support/evaluate.h"

namespace replicator::testing {
namespace {

struct Setting {
  Dims x, filter;
  Dims strides = {1, 1};
  Dims padding = {0, 0, 0, 0};
  Dims dilation = {1, 1};
};

// Window 1 to 7 and stride 1 to 3 against even and odd extents, with the padding that TensorFlow's SAME would give and
// with other paddings, for channels on both sides of every bound between forms.
std::vector<Setting> Settings() {
  std::vector<Setting> settings;
  for (int64_t channels : {1, 3, 4, 5, 16}) {
    for (int64_t window : {1, 2, 3, 4}) {
      for (int64_t stride : {1, 2, 3}) {
        const int64_t high = 4 + window % 2;  // odd and even extents
        const int64_t width = 7;
        const auto same = [&](int64_t extent) {
          const int64_t out = (extent + stride - 1) / stride;
          return std::max<int64_t>((out - 1) * stride + window - extent, 0);
        };
        settings.push_back(
            {.x = {2, high, width, channels},
             .filter = {window, window, channels, 3},
             .strides = {stride, stride},
             .padding = {same(high) / 2, same(high) - same(high) / 2, same(width) / 2, same(width) - same(width) / 2}});
      }
    }
  }
  settings.push_back({.x = {1, 15, 18, 3}, .filter = {7, 7, 3, 4}, .strides = {2, 2}, .padding = {3, 3, 2, 3}});
  settings.push_back({.x = {1, 9, 7, 16}, .filter = {2, 4, 16, 3}, .strides = {2, 2}, .padding = {2, 0, 3, 1}});
  settings.push_back({.x = {1, 9, 8, 16}, .filter = {3, 3, 16, 3}, .strides = {2, 1}, .padding = {0, 1, 1, 1}});
  settings.push_back({.x = {1, 1, 2, 16}, .filter = {3, 3, 16, 2}, .strides = {2, 2}, .padding = {1, 1, 1, 1}});
  settings.push_back({.x = {1, 9, 9, 16}, .filter = {3, 3, 16, 2}, .strides = {2, 2}, .dilation = {2, 1}});
  settings.push_back({.x = {2, 9, 8, 2}, .filter = {2, 3, 2, 3}, .strides = {2, 3}, .dilation = {3, 2}});
  settings.push_back({.x = {2, 5, 6, 1}, .filter = {1, 1, 1, 1}, .padding = {2, 0, 0, 1}, .dilation = {5, 5}});
  return settings;
}

// The operations take x and filter, dy and filter, x and dy; the extents of what is left out are an attribute.
struct Operation {
  const char* name;
  int first, second;  // 0: x, 1: filter, 2: y
};
constexpr Operation kOperations[] = {
    {"convolution", 0, 1}, {"convolution_input_gradient", 2, 1}, {"convolution_filter_gradient", 0, 2}};

struct Case {
  Attributes attributes;
  std::vector<Literal> operands;
};

Literal RandomOf(const Dims& dims, std::mt19937& random) {
  std::uniform_real_distribution<float> draw(-1, 1);
  Literal literal(Shape{DType::kF32, dims});
  for (float& element : literal.mutable_data<float>()) element = draw(random);
  return literal;
}

std::vector<Case> CasesOf(const Operation& operation) {
  std::mt19937 random(7);
  std::vector<Case> cases;
  for (const Setting& s : Settings()) {
    Case made{{{"strides", s.strides}, {"padding", s.padding}, {"dilation", s.dilation}}, {}};
    const std::vector<Literal> values = {RandomOf(s.x, random), RandomOf(s.filter, random)};
    const std::vector<Literal> y = FindOp("convolution")->oracle(values, made.attributes);
    const std::vector<Literal> all = {values[0], values[1], RandomOf(y[0].dims(), random)};
    made.operands = {all[static_cast<size_t>(operation.first)], all[static_cast<size_t>(operation.second)]};
    if (operation.first == 2) made.attributes.Set("extents", Dims{s.x[1], s.x[2]});
    if (operation.second == 2) made.attributes.Set("extents", Dims{s.filter[0], s.filter[1]});
    cases.push_back(std::move(made));
  }
  return cases;
}

class EveryForm : public ::testing::TestWithParam<std::tuple<std::string, LoweringTarget, Operation>> {};

TEST_P(EveryForm, ComputesTheDefinition) {
  const auto& [backend, target, operation] = GetParam();
  const OpDef& op = *FindOp(operation.name);
  const std::vector<Case> cases = CasesOf(operation);
  std::vector<Literal> inputs;
  std::vector<Shape> shapes;
  for (const Case& c : cases) {
    for (const Literal& operand : c.operands) {
      inputs.push_back(operand);
      shapes.push_back(operand.shape());
    }
  }
  const auto build = [&](const std::vector<Tensor>& x) {
    std::vector<Tensor> results;
    for (size_t i = 0; i < cases.size(); ++i) {
      results.push_back(AddOp(op, {{x[2 * i], x[2 * i + 1]}}, cases[i].attributes, SourceLocation::current()));
    }
    return results;
  };
  const std::vector<Literal> got = CpuBackend(backend).Run(LowerToText(build, shapes, 1, target), {inputs})[0];
  for (size_t i = 0; i < cases.size(); ++i) {
    const Literal expected = op.oracle(cases[i].operands, cases[i].attributes)[0];
    ASSERT_EQ(got[i].shape(), expected.shape()) << ToString(cases[i].attributes);
    double worst = 0;
    for (int64_t k = 0; k < expected.num_elements(); ++k) {
      const auto at = static_cast<size_t>(k);
      worst = std::max(worst, std::abs(static_cast<double>(got[i].data<float>()[at] - expected.data<float>()[at])));
    }
    EXPECT_LT(worst, 2e-5) << ToString(cases[i].operands[0].shape()) << " " << ToString(cases[i].operands[1].shape())
                           << " " << ToString(cases[i].attributes);
  }
}

using FormParameters = std::tuple<std::string, LoweringTarget, Operation>;
std::string NameOf(const ::testing::TestParamInfo<FormParameters>& tested) {
  const auto& [backend, target, operation] = tested.param;
  return backend + (target == LoweringTarget::kCpu ? "_cpu_" : "_other_") + operation.name;
}
INSTANTIATE_TEST_SUITE_P(Convolution, EveryForm,
                         ::testing::Combine(::testing::ValuesIn(CpuBackendNames()),
                                            ::testing::Values(LoweringTarget::kCpu, LoweringTarget::kTpu),
                                            ::testing::ValuesIn(kOperations)),
                         NameOf);

// 1 + 512 * 2^-9 is 2; adding one by one in bf16, whose steps above 1 are 2^-7, it would stay 1.
TEST(Convolution, NarrowTypesAccumulateInSinglePrecision) {
  for (int64_t channels : {1, 512}) {
    SCOPED_TRACE(channels);
    const int64_t window = channels == 1 ? 513 : 2;
    Literal x(Shape{DType::kBF16, {1, 1, window, channels}}), filter(Shape{DType::kBF16, {1, window, channels, 1}});
    for (BFloat16& element : x.mutable_data<BFloat16>()) element = BFloat16(0x1p-9f);
    for (BFloat16& element : filter.mutable_data<BFloat16>()) element = BFloat16(1);
    x.mutable_data<BFloat16>()[0] = BFloat16(1);
    const auto convolve = [](const std::vector<Tensor>& t) -> std::vector<Tensor> { return {Convolution(t[0], t[1])}; };
    for (const std::string& backend : CpuBackendNames()) {
      const Literal y = Evaluate(convolve, {x, filter}, {.backend = backend})[0];
      EXPECT_EQ(y.dtype(), DType::kBF16);
      const double sum = 1 + static_cast<double>(window * channels - 1) * 0x1p-9;
      EXPECT_NEAR(y.Item<double>(), sum, sum * 0x1p-8) << backend;
    }
  }
}

}  // namespace
}  // namespace replicator::testing
