// What convolution and pooling refuse, and which form is emitted for which shape.
#include "replicator/ops/convolution.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "graph/build_context.h"
#include "ops/convolution_forms.h"
#include "replicator/graph/graph_error.h"
#include "replicator/ops/gradients.h"
#include "replicator/ops/shape.h"

namespace replicator {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class ConvolutionTest : public ::testing::Test {
 protected:
  Tensor Of(Dims dims, DType dtype = DType::kF32) { return Zeros({dtype, std::move(dims)}); }

  std::string Refusal(const std::function<void()>& call) {
    try {
      call();
    } catch (const GraphError& error) {
      EXPECT_FALSE(error.where().empty());
      EXPECT_THAT(error.where().front().file_name(), HasSubstr("convolution_test.cc"));
      return error.message();
    }
    return "accepted";
  }

 private:
  BuildContext context_{{}};
  BuildContext::Scope scope_{context_};
};

TEST_F(ConvolutionTest, ResultShapes) {
  EXPECT_EQ(Convolution(Of({2, 28, 28, 3}), Of({5, 5, 3, 8})).dims(), (Dims{2, 24, 24, 8}));
  EXPECT_EQ(Convolution(Of({2, 29, 28, 3}), Of({3, 3, 3, 8}), {.strides = {2, 2}, .padding = Padding::Same()}).dims(),
            (Dims{2, 15, 14, 8}));
  EXPECT_EQ(Convolution(Of({8, 224, 224, 3}), Of({7, 7, 3, 64}),
                        {.strides = {2, 2}, .padding = Padding::Explicit({3, 3}, {3, 3})})
                .dims(),
            (Dims{8, 112, 112, 64}));
  EXPECT_EQ(Convolution(Of({1, 9, 9, 1}), Of({3, 3, 1, 1}), {.dilation = {2, 4}}).dims(), (Dims{1, 5, 1, 1}));
  EXPECT_EQ(Convolution(Of({0, 9, 9, 1}), Of({3, 3, 1, 4})).dims(), (Dims{0, 7, 7, 4}));
  EXPECT_EQ(MaxPool(Of({2, 7, 8, 3})).dims(), (Dims{2, 3, 4, 3}));
  EXPECT_EQ(AveragePool(Of({2, 7, 8, 3}), {.window = {3, 3}, .padding = Padding::Same()}).dims(), (Dims{2, 4, 4, 3}));
  EXPECT_EQ(AveragePool(Of({2, 8, 8, 3}, DType::kBF16)).dtype(), DType::kBF16);
}

TEST_F(ConvolutionTest, RefusesWrongOperands) {
  EXPECT_THAT(Refusal([&] { Convolution(Of({28, 28, 3}), Of({3, 3, 3, 8})); }),
              AllOf(HasSubstr("x is f32[28,28,3]"), HasSubstr("rank 4 is needed, [N, H, W, C]")));
  EXPECT_THAT(Refusal([&] { Convolution(Of({1, 28, 28, 3}), Of({3, 3, 3})); }),
              AllOf(HasSubstr("the filter is f32[3,3,3]"), HasSubstr("[KH, KW, C_in, C_out]")));
  EXPECT_THAT(Refusal([&] { Convolution(Of({1, 8, 8, 3}), Of({3, 3, 4, 8})); }),
              AllOf(HasSubstr("has 3 channels"), HasSubstr("is for 4")));
  EXPECT_THAT(Refusal([&] { Convolution(Of({1, 8, 8, 3}), Of({3, 3, 3, 8}, DType::kF64)); }),
              AllOf(HasSubstr("x is f32"), HasSubstr("the filter is f64")));
  EXPECT_THAT(Refusal([&] { Convolution(Of({1, 8, 8, 3}, DType::kI32), Of({3, 3, 3, 8}, DType::kI32)); }),
              HasSubstr("x has dtype i32; a floating one is needed"));
}

TEST_F(ConvolutionTest, RefusesWrongWindows) {
  const Tensor x = Of({1, 4, 9, 2});
  EXPECT_THAT(Refusal([&] { Convolution(x, Of({5, 3, 2, 1})); }),
              HasSubstr("height: a window of 5 reaches over 5 elements, more than the 4 there are"));
  EXPECT_THAT(Refusal([&] { Convolution(x, Of({3, 3, 2, 1}), {.strides = {1, 0}}); }),
              HasSubstr("width: the stride is 0"));
  EXPECT_THAT(Refusal([&] { Convolution(x, Of({3, 3, 2, 1}), {.strides = {-1, 1}, .padding = Padding::Same()}); }),
              HasSubstr("height: the stride is -1"));
  EXPECT_THAT(Refusal([&] { Convolution(x, Of({3, 3, 2, 1}), {.padding = Padding::Explicit({0, 0}, {0, -1})}); }),
              HasSubstr("width: the high padding is -1"));
  EXPECT_THAT(Refusal([&] { Convolution(x, Of({0, 3, 2, 1})); }), HasSubstr("height: the window is 0"));
}

TEST_F(ConvolutionTest, PoolingRefusals) {
  EXPECT_THAT(Refusal([&] { MaxPool(Of({4, 4})); }), HasSubstr("rank 4 is needed"));
  EXPECT_THAT(Refusal([&] { MaxPool(Of({1, 4, 4, 1}, DType::kI32)); }), HasSubstr("a floating one is needed"));
  EXPECT_THAT(Refusal([&] { AveragePool(Of({1, 4, 4, 1}, DType::kI32)); }), HasSubstr("a floating one is needed"));
  EXPECT_THAT(Refusal([&] { AveragePool(Of({1, 1, 4, 1}, DType::kBF16)); }),
              HasSubstr("height: a window of 2 reaches over 2 elements, more than the 1 there are"));
  EXPECT_THAT(Refusal([&] { MaxPool(Of({1, 4, 4, 1}), {.window = {2, 2}, .strides = {0, 1}}); }),
              HasSubstr("height: the stride is 0"));
  EXPECT_THAT(Refusal([&] { MaxPool(Of({1, 4, 4, 1}), {.padding = Padding::Explicit({0, 0}, {2, 0})}); }),
              HasSubstr("width: a window of 2 with stride 2 would hold nothing but padding"));
  EXPECT_THAT(Refusal([&] { MaxPool(Of({1, 4, 4, 1}), {.padding = Padding::Explicit({0, 3}, {0, 0})}); }),
              HasSubstr("height: a window of 2"));
  EXPECT_THAT(Refusal([&] { MaxPool(Of({1, 0, 4, 1}), {.padding = Padding::Explicit({1, 1}, {0, 0})}); }),
              HasSubstr("nothing but padding"));
}

TEST_F(ConvolutionTest, GradientsHaveTheShapesOfTheOperands) {
  const Tensor x = Of({2, 9, 8, 3}), filter = Of({3, 2, 3, 4});
  const Tensor y = Convolution(x, filter, {.strides = {2, 3}, .padding = Padding::Same()});
  const std::vector<Tensor> gradients = Gradients(y, std::vector<Tensor>{x, filter});
  EXPECT_EQ(gradients[0].shape(), x.shape());
  EXPECT_EQ(gradients[1].shape(), filter.shape());
}

ConvolutionGeometry Square(int64_t extent, int64_t in, int64_t out, int64_t window, int64_t stride = 1) {
  const WindowAxis axis{.extent = extent, .window = window, .stride = stride};
  return {.dtype = DType::kF32, .batch = 8, .in_channels = in, .out_channels = out, .axes = {axis, axis}};
}

TEST(ConvolutionForms, AreChosenByShape) {
  constexpr LoweringTarget kCpu = LoweringTarget::kCpu;
  EXPECT_EQ(ChooseConvolution(Square(28, 1, 32, 3), kCpu), TapConvolution);
  EXPECT_EQ(ChooseConvolution(Square(28, 32, 64, 3), kCpu), DirectConvolution);
  EXPECT_EQ(ChooseConvolution(Square(56, 64, 256, 1), kCpu), PointwiseConvolution);
  EXPECT_EQ(ChooseConvolution(Square(224, 3, 64, 7, 2), kCpu), DirectConvolution);
  EXPECT_EQ(ChooseInputGradient(Square(28, 1, 32, 3), kCpu), ColumnInputGradient);
  EXPECT_EQ(ChooseInputGradient(Square(28, 64, 64, 3, 2), kCpu), PhaseInputGradient);
  EXPECT_EQ(ChooseInputGradient(Square(224, 3, 64, 7, 2), kCpu), DirectInputGradient);
  EXPECT_EQ(ChooseInputGradient(Square(56, 64, 256, 1, 2), kCpu), PointwiseInputGradient);
  EXPECT_EQ(ChooseFilterGradient(Square(28, 1, 32, 3), kCpu), PatchFilterGradient);
  EXPECT_EQ(ChooseFilterGradient(Square(28, 32, 64, 3), kCpu), DirectFilterGradient);
  EXPECT_EQ(ChooseFilterGradient(Square(56, 64, 256, 1), kCpu), PointwiseFilterGradient);
  EXPECT_EQ(ChooseConvolution(Square(28, 1, 32, 3), LoweringTarget::kTpu), DirectConvolution);
  EXPECT_EQ(ChooseInputGradient(Square(56, 64, 256, 1), LoweringTarget::kGpu), DirectInputGradient);
}

}  // namespace
}  // namespace replicator
