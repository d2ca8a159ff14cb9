// Max, average and adaptive pooling and their gradients: types and values.
#include "tests/host_kernels/op_runner.h"

namespace ge::testing {
namespace {

TEST(PoolOps, Max) {
  CheckOp("MaxPoolWithArgmaxV1", {Pattern(DType::kF32, {1, 2, 4, 5}, 7, 11, -5)},
          {{"ksize", Attr::Ints({2, 2})}, {"pads", Attr::Ints({0, 0})}, {"dilation", Attr::Ints({1, 1})}, {"ceil_mode", false}},
          {{"f32[1,2,2,2]", {4, 5, 1, 4, 5, 4, 5, 1}}, {"i64[1,2,2,2]", {6, 3, 15, 17, 5, 8, 16, 17}}});
  CheckOp("MaxPoolWithArgmaxV1", {Pattern(DType::kF32, {2, 5, 5}, 7, 11, -5)},
          {{"ksize", Attr::Ints({3, 2})},
           {"pads", Attr::Ints({1, 1})},
           {"dilation", Attr::Ints({1, 1})},
           {"ceil_mode", true},
           {"strides", Attr::Ints({2, 2})}},
          {{"f32[2,3,3]", {-3, 4, 5, 1, 4, 5, 3, 4, 2, 5, 3, 4, 0, 5, 4, 2, 5, 1}},
           {"i64[2,3,3]", {5, 6, 3, 15, 6, 14, 20, 17, 23, 0, 6, 3, 15, 11, 14, 20, 22, 23}}});
  CheckOp("MaxPoolWithArgmaxV1", {Pattern(DType::kF32, {1, 1, 7, 7}, 7, 11, -5)},
          {{"ksize", Attr::Ints({3, 3})},
           {"pads", Attr::Ints({1, 1})},
           {"dilation", Attr::Ints({2, 2})},
           {"ceil_mode", true},
           {"strides", Attr::Ints({2, 2})}},
          {{"f32[1,1,3,3]", {-1, 2, 2, 5, 5, 2, 5, 5, 1}}, {"i64[1,1,3,3]", {10, 12, 12, 36, 36, 12, 36, 36, 26}}});
  CheckOp("MaxPoolWithArgmaxV1", {Pattern(DType::kI32, {1, 1, 4, 4}, 7, 11, -5)},
          {{"ksize", Attr::Ints({2, 2})},
           {"pads", Attr::Ints({0, 0})},
           {"dilation", Attr::Ints({1, 1})},
           {"ceil_mode", false},
           {"strides", Attr::Ints({2, 2})}},
          {{"i32[1,1,2,2]", {2, 5, 3, 5}}, {"i64[1,1,2,2]", {1, 3, 9, 14}}});
  CheckOp("MaxPoolWithArgmaxV1", {Pattern(DType::kF32, {1, 1, 5, 5}, 7, 11, -5)},
          {{"ksize", Attr::Ints({2, 2})},
           {"pads", Attr::Ints({1, 1})},
           {"dilation", Attr::Ints({1, 1})},
           {"ceil_mode", true},
           {"strides", Attr::Ints({3, 3})}},
          {{"f32[1,1,2,2]", {-5, 5, 1, 4}}, {"i64[1,1,2,2]", {0, 3, 15, 17}}});
  CheckOp("MaxPool3DWithArgmaxV2", {Pattern(DType::kF32, {1, 1, 4, 4, 5}, 7, 11, -5)},
          {{"ksize", Attr::Ints({2, 2, 2})},
           {"pads", Attr::Ints({1, 0, 1})},
           {"dilation", Attr::Ints({1, 1, 1})},
           {"ceil_mode", true},
           {"strides", Attr::Ints({2, 2, 2})}},
          {{"f32[1,1,3,2,3]", {-3, 4, 5, 1, 4, 5, 5, 5, 4, 4, 5, 5, -1, 4, 5, 3, 4, 2}},
           {"i64[1,1,3,2,3]", {5, 6, 3, 15, 17, 14, 25, 47, 28, 50, 36, 58, 65, 61, 69, 75, 72, 78}}});
}

TEST(PoolOps, Average) {
  CheckOp("AvgPoolV2", {Pattern(DType::kF32, {1, 2, 4, 5}, 7, 11, -5)},
          {{"ksize", Attr::Ints({2, 2})}, {"pads", Attr::Ints({0, 0})}, {"ceil_mode", false}, {"exclusive", false}},
          {{"f32[1,2,2,2]", {-0.5, -0.25, -2, 1, 2, -0.5, 0.5, -2}}});
  CheckOp("AvgPoolV2", {Pattern(DType::kF32, {1, 1, 5, 5}, 7, 11, -5)},
          {{"ksize", Attr::Ints({3, 3})},
           {"pads", Attr::Ints({1, 1})},
           {"ceil_mode", true},
           {"exclusive", false},
           {"strides", Attr::Ints({2, 2})}},
          {{"f32[1,1,3,3]",
            {-0.222222224, 0.555555582, 0.555555582, -0.777777791, -0.444444448, -0.222222224, 0, -0.333333343, -0.444444448}}});
  CheckOp("AvgPoolV2", {Pattern(DType::kF32, {1, 1, 6, 6}, 7, 11, -5)},
          {{"ksize", Attr::Ints({3, 3})},
           {"pads", Attr::Ints({1, 1})},
           {"ceil_mode", true},
           {"exclusive", true},
           {"strides", Attr::Ints({2, 2})}},
          {{"f32[1,1,4,4]",
            {0.25, 0.666666687, 0, -4, 0, 0.111111112, -0.555555582, 0.333333343, -0.333333343, -0.222222224, -0.888888896, 0, -0.5, -1,
             -1.66666663, -2}}});
  CheckOp("AvgPoolV2", {Pattern(DType::kF32, {1, 1, 5, 5}, 7, 11, -5)},
          {{"ksize", Attr::Ints({3, 2})},
           {"pads", Attr::Ints({1, 1})},
           {"ceil_mode", false},
           {"exclusive", false},
           {"strides", Attr::Ints({2, 2})},
           {"divisor_override", 5}},
          {{"f32[1,1,3,3]", {-1.60000002, 0.800000012, 1, -0.600000024, 0.400000006, -0.400000006, 0.800000012, -1, -0.800000012}}});
  CheckOp("AvgPool1D", {Pattern(DType::kF32, {1, 2, 7}, 7, 11, -5)},
          {{"ksize", Attr::Ints({3})}, {"pads", Attr::Ints({1})}, {"ceil_mode", true}, {"exclusive", false}, {"strides", Attr::Ints({2})}},
          {{"f32[1,2,4]", {-1, 1.66666663, 1, 0.333333343, -1.33333337, -0.666666687, -1.33333337, 0}}});
  CheckOp("AvgPool1D", {Pattern(DType::kF32, {2, 6}, 7, 11, -5)},
          {{"ksize", Attr::Ints({2})}, {"pads", Attr::Ints({0})}, {"ceil_mode", false}, {"exclusive", true}},
          {{"f32[2,3]", {-1.5, 1.5, -1, 2, -0.5, -3}}});
  CheckOp("AvgPool3D", {Pattern(DType::kF32, {1, 1, 4, 4, 4}, 7, 11, -5)},
          {{"ksize", Attr::Ints({2, 2, 2})},
           {"pads", Attr::Ints({1, 0, 1})},
           {"ceil_mode", true},
           {"exclusive", true},
           {"strides", Attr::Ints({2, 2, 2})}},
          {{"f32[1,1,3,2,3]", {-2, 0.25, 2.5, -1, 1.25, -2, 1, -0.875, 0, -0.75, 0.125, 1, -1.5, 0.75, -2.5, -0.5, 1.75, -1.5}}});
}

TEST(PoolOps, Adaptive) {
  CheckOp("AdaptiveAvgPool2d", {Pattern(DType::kF32, {1, 2, 5, 7}, 7, 11, -5)}, {{"output_size", Attr::Ints({3, 2})}},
          {{"f32[1,2,3,2]", {-0.25, 0.125, -0.0833333358, -0.166666672, -0.375, 0, 0, 0.375, 0.166666672, 0.0833333358, -0.125, 0.25}}});
  CheckOp("AdaptiveAvgPool2d", {Pattern(DType::kF32, {2, 4, 4}, 7, 11, -5)}, {{"output_size", Attr::Ints({1, 1})}},
          {{"f32[2,1,1]", {0.0625, 0}}});
  CheckOp("AdaptiveAvgPool2d", {Pattern(DType::kF32, {1, 1, 2, 3}, 7, 11, -5)}, {{"output_size", Attr::Ints({4, 5})}},
          {{"f32[1,1,4,5]", {-5, -1.5, 2, 0, -2, -5, -1.5, 2, 0, -2, 5, 3, 1, -1, -3, 5, 3, 1, -1, -3}}});
  CheckOp("AdaptiveAvgPool3d", {Pattern(DType::kF32, {1, 2, 5, 7, 3}, 7, 11, -5)}, {{"output_size", Attr::Ints({3, 2, 2})}},
          {{"f32[1,2,3,2,2]", {}, false}});
  CheckOp("AdaptiveMaxPool2d", {Pattern(DType::kF32, {1, 2, 5, 7}, 7, 11, -5)}, {{"output_size", Attr::Ints({3, 2})}},
          {{"f32[1,2,3,2]", {}, false}, {"i64[1,2,3,2]", {}, false}});
  CheckOp("AdaptiveMaxPool3d", {Pattern(DType::kF32, {1, 2, 5, 7, 3}, 7, 11, -5)}, {{"output_size", Attr::Ints({3, 2, 2})}},
          {{"f32[1,2,3,2,2]", {}, false}, {"i64[1,2,3,2,2]", {}, false}});
}

TEST(PoolOps, Gradients) {
  CheckOp("MaxPoolGradWithArgmaxV1",
          {Pattern(DType::kF32, {1, 2, 2, 2}, 7, 11, -5), Pattern(DType::kF32, {1, 2, 4, 4}, 7, 11, -5),
           Tensor::Of<int64_t>(DType::kI64, {1, 2, 2, 2}, std::vector<int64_t>{0, 0, 0, 0, 0, 0, 0, 0})},
          {{"ksize", Attr::Ints({2, 2})}, {"strides", Attr::Ints({2, 2})}, {"pads", Attr::Ints({0, 0})}, {"dilation", Attr::Ints({1, 1})}},
          {{"f32[1,2,4,4]", {}, false}});
  CheckOp("AvgPoolV2Grad", {Pattern(DType::kF32, {1, 2, 2, 2}, 7, 11, -5), Pattern(DType::kF32, {1, 2, 4, 4}, 7, 11, -5)},
          {{"ksize", Attr::Ints({2, 2})}, {"strides", Attr::Ints({2, 2})}, {"pads", Attr::Ints({0, 0})}}, {{"f32[1,2,4,4]", {}, false}});
  CheckOp("AdaptiveAvgPool2dGrad", {Pattern(DType::kF32, {1, 2, 2, 2}, 7, 11, -5), Pattern(DType::kF32, {1, 2, 4, 4}, 7, 11, -5)}, {},
          {{"f32[1,2,4,4]", {}, false}});
  CheckOp("AdaptiveMaxPool2dGrad",
          {Pattern(DType::kF32, {1, 2, 2, 2}, 7, 11, -5), Pattern(DType::kF32, {1, 2, 4, 4}, 7, 11, -5),
           Tensor::Of<int64_t>(DType::kI64, {1, 2, 2, 2}, std::vector<int64_t>{0, 0, 0, 0, 0, 0, 0, 0})},
          {}, {{"f32[1,2,4,4]", {}, false}});
}

TEST(PoolOps, NanWins) {
  const Tensor x = Tensor::Of<float>(DType::kF32, {1, 2, 2}, std::vector<float>{1, NAN, 3, 2});
  CheckOp("MaxPoolWithArgmaxV1", {x}, {{"ksize", Attr::Ints({2, 2})}, {"pads", Attr::Ints({0, 0})}, {"dilation", Attr::Ints({1, 1})}},
          {{"f32[1,1,1]", {NAN}}, {"i64[1,1,1]", {1}}});
}

TEST(PoolOps, Refusals) {
  const Tensor x = Pattern(DType::kF32, {1, 1, 4, 4}, 7, 11, -5);
  const auto attrs = [](std::vector<int64_t> k, std::vector<int64_t> p) {
    return AttrMap{{"ksize", Attr::Ints(k)}, {"pads", Attr::Ints(p)}};
  };
  CheckRefused("AvgPoolV2", {x}, attrs({2, 2}, {2, 2}), Code::kInvalidArgument, "half");
  CheckRefused("AvgPoolV2", {x}, attrs({5, 5}, {0, 0}), Code::kInvalidArgument, "does not fit");
  CheckRefused("AvgPoolV2", {x}, attrs({0, 1}, {0, 0}), Code::kInvalidArgument, "positive");
}

}  // namespace
}  // namespace ge::testing
