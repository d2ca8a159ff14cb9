// Conv2D, Conv3D, their transposed forms and gradients: types and values.
#include "tests/host_kernels/op_runner.h"

namespace ge::testing {
namespace {

TEST(ConvolutionOps, TwoAxes) {
  CheckOp(
      "Conv2D",
      {Pattern(DType::kF32, {1, 2, 4, 4}, 7, 11, -5), Pattern(DType::kF32, {2, 2, 3, 3}, 5, 7, -3), Pattern(DType::kF32, {2}, 3, 5, -2)},
      {{"strides", Attr::Ints({1, 1})}, {"pads", Attr::Ints({1, 1})}, {"dilations", Attr::Ints({1, 1})}},
      {{"f32[1,2,4,4]", {-31, 37, -6, 7,  14,  8,   -2, 25,  -41, 12, 13, -43, 9, 20,  -9, -17,
                         9,   24, -5, 10, -18, -35, 20, -13, 5,   9,  9,  -3,  6, -40, 33, -18}}});
  CheckOp("Conv2D", {Pattern(DType::kF32, {2, 2, 5, 4}, 7, 11, -5), Pattern(DType::kF32, {4, 1, 2, 3}, 5, 7, -3), Tensor()},
          {{"strides", Attr::Ints({2, 1})}, {"pads", Attr::Ints({0, 1})}, {"dilations", Attr::Ints({1, 1})}, {"groups", 2}},
          {{"f32[2,4,2,4]", {-10, 12, 8,   8,  -4,  13,  9,  -14, 8,   13,  6,   -13, 8,  12,  -17, 14, -10, 13,  14, -5, 6,  10,
                             -11, -3, 0,   29, -23, -22, 2,  9,   12,  -19, -13, 6,   13, 8,   -7,  7,  3,   -25, 8,  8,  12, -10,
                             8,   7,  -22, 6,  -7,  9,   10, -6,  -13, 6,   7,   -4,  -1, -16, 9,   15, 1,   -14, 11, 18}}});
  CheckOp(
      "Conv2D",
      {Pattern(DType::kF32, {1, 4, 6, 6}, 7, 11, -5), Pattern(DType::kF32, {4, 1, 3, 3}, 5, 7, -3), Pattern(DType::kF32, {4}, 3, 5, -2)},
      {{"strides", Attr::Ints({2, 2})}, {"pads", Attr::Ints({2, 2})}, {"dilations", Attr::Ints({2, 2})}, {"groups", 4}},
      {{"f32[1,4,3,3]", {-15, -20, 9,   7,  24, -26, -3,  13, -13, -3,  19,  6, -31, 4,  9, 14, -31, 6,
                         10,  -17, -12, -6, 21, -25, -12, 17, 10,  -24, -12, 3, 2,   15, 0, 13, 14,  -17}}});
  CheckOp("Conv2D", {Pattern(DType::kBF16, {1, 1, 3, 3}, 7, 11, -5), Pattern(DType::kBF16, {1, 1, 3, 3}, 5, 7, -3), Tensor()},
          {{"strides", Attr::Ints({1, 1})}, {"pads", Attr::Ints({1, 1})}, {"dilations", Attr::Ints({1, 1})}},
          {{"bf16[1,1,3,3]", {-26, 0, -2, -6, -3, -9, 22, -25, -21}}});
  CheckOp("Conv2D", {Pattern(DType::kF32, {0, 2, 5, 5}, 7, 11, -5), Pattern(DType::kF32, {4, 2, 3, 3}, 7, 11, -5), Tensor()},
          {{"strides", Attr::Ints({1, 1})}, {"pads", Attr::Ints({1, 1})}, {"dilations", Attr::Ints({1, 1})}}, {{"f32[0,4,5,5]", {}}});
}

TEST(ConvolutionOps, OneAxis) {
  CheckOp("Conv2D",
          {Pattern(DType::kF32, {2, 2, 7}, 7, 11, -5), Pattern(DType::kF32, {3, 2, 3}, 5, 7, -3), Pattern(DType::kF32, {3}, 3, 5, -2)},
          {{"strides", Attr::Ints({2})}, {"pads", Attr::Ints({1})}, {"dilations", Attr::Ints({1})}},
          {{"f32[2,3,4]", {-16, 4, -26, 5, 8, 6, 3, -4, 6, -18, 6, -4, 0, 3, 6, 5, -25, 7, -18, 2, 1, -15, 9, -6}}});
  CheckOp("Conv2D", {Pattern(DType::kF32, {1, 2, 7}, 7, 11, -5), Pattern(DType::kF32, {4, 1, 2}, 5, 7, -3), Tensor()},
          {{"strides", Attr::Ints({1})}, {"pads", Attr::Ints({0})}, {"dilations", Attr::Ints({2})}, {"groups", 2}},
          {{"f32[1,4,5]", {11, 4, 8, -21, 5, 4, -10, -2, 6, -8, 3, -13, 4, -1, -17, -9, 7, 12, -5, 11}}});
}

TEST(ConvolutionOps, ThreeAxes) {
  CheckOp("Conv3D",
          {Pattern(DType::kF32, {1, 2, 3, 4, 3}, 7, 11, -5), Pattern(DType::kF32, {2, 2, 2, 3, 2}, 5, 7, -3),
           Pattern(DType::kF32, {2}, 3, 5, -2)},
          {{"strides", Attr::Ints({1, 2, 1})}, {"pads", Attr::Ints({1, 1, 0})}, {"dilations", Attr::Ints({1, 1, 1})}},
          {{"f32[1,2,4,2,2]", {-19, -1, 5, 1,  -2, -2,  -7, -25, -2,  -2, -25, 12, -6, -2,  6,  -8,
                               -10, 15, 5, 20, -8, -38, 9,  -21, -38, 42, -21, 48, 22, -11, 43, -13}}});
}

TEST(ConvolutionOps, Transposed) {
  CheckOp(
      "Conv2DTranspose",
      {Pattern(DType::kF32, {1, 2, 3, 3}, 7, 11, -5), Pattern(DType::kF32, {2, 2, 3, 3}, 5, 7, -3), Pattern(DType::kF32, {2}, 3, 5, -2)},
      {{"strides", Attr::Ints({2, 2})},
       {"pads", Attr::Ints({1, 1})},
       {"dilations", Attr::Ints({1, 1})},
       {"output_padding", Attr::Ints({1, 0})}},
      {{"f32[1,2,6,5]", {-11, -8, 2,  19,  -18, 34,  -20, -11, 39, -12, 17, 7,  -3, -10, -1, -2,  3,   -14, 18,  18,
                         12,  11, -8, -6,  -6,  -11, 13,  -11, -9, 22,  0,  27, 1,  -10, 13, -18, 26,  6,   -15, -3,
                         -8,  -7, 4,  -11, -6,  -12, 2,   12,  -6, -8,  -5, -8, 7,  -12, -3, 0,   -13, 4,   6,   -3}}});
  CheckOp("Conv2DTranspose", {Pattern(DType::kF32, {1, 4, 2, 3}, 7, 11, -5), Pattern(DType::kF32, {4, 1, 2, 2}, 5, 7, -3), Tensor()},
          {{"strides", Attr::Ints({1, 2})},
           {"pads", Attr::Ints({0, 1})},
           {"dilations", Attr::Ints({2, 1})},
           {"groups", 2},
           {"output_padding", Attr::Ints({0, 1})}},
          {{"f32[1,2,4,5]", {-6, -6, 4, -6, -8, 13, -6,  1, -6, -11, -2, 0,  -4,  4,   16, -19, 1,  1,   5,   21,
                             0,  -8, 4, 13, -3, 1,  -11, 5, 10, -2,  6,  16, -14, -19, 21, 1,   21, -19, -14, 16}}});
  CheckOp("Conv2DTranspose", {Pattern(DType::kF32, {1, 2, 4}, 7, 11, -5), Pattern(DType::kF32, {2, 3, 3}, 5, 7, -3), Tensor()},
          {{"strides", Attr::Ints({3})}, {"pads", Attr::Ints({1})}, {"dilations", Attr::Ints({1})}, {"output_padding", Attr::Ints({2})}},
          {{"f32[1,3,12]", {-12, 3,   -6,  10, -9, 6, -12, 12,  -15, 10, 0,  0,  -16, -8,  -7, 9,   11, 8,
                            -10, -14, -10, 15, 5,  0, 15,  -12, -8,  -6, 10, 10, 6,   -12, -5, -15, 10, 0}}});
  CheckOp("Conv3DTranspose", {Pattern(DType::kF32, {1, 1, 2, 2, 2}, 7, 11, -5), Pattern(DType::kF32, {1, 2, 2, 2, 2}, 5, 7, -3), Tensor()},
          {{"strides", Attr::Ints({1, 2, 1})},
           {"pads", Attr::Ints({0, 0, 0})},
           {"dilations", Attr::Ints({1, 1, 1})},
           {"output_padding", Attr::Ints({0, 1, 0})}},
          {{"f32[1,2,3,5,3]", {}, false}});
}

TEST(ConvolutionOps, Gradients) {
  CheckOp("ConvolutionBackward",
          {Pattern(DType::kF32, {2, 6, 6, 6}, 7, 11, -5), Pattern(DType::kF32, {2, 4, 8, 8}, 7, 11, -5),
           Pattern(DType::kF32, {6, 4, 3, 3}, 7, 11, -5)},
          {{"bias_sizes", Attr::Ints({6})},
           {"strides", Attr::Ints({1, 1})},
           {"pads", Attr::Ints({0, 0})},
           {"dilations", Attr::Ints({1, 1})},
           {"transposed", false},
           {"output_padding", Attr::Ints({0, 0})},
           {"groups", 1},
           {"output_mask", Attr::List{true, false, true}}},
          {{"f32[2,4,8,8]", {}, false}, {"opaque", {}, false}, {"f32[6]", {}, false}});
}

TEST(ConvolutionOps, SymbolicExtents) {
  Module module(HostOps());
  Graph& graph = **module.AddGraph("main");
  Value* x = graph.AddInput(ValueType::Tensor(DType::kF32, {Dim::Symbol("s0"), 3, Dim::Symbol("s1"), 8}))->output();
  Value* w = graph.CreateConst(Pattern(DType::kF32, {4, 3, 3, 3}, 7, 11, -5))->output();
  auto y = graph.Create({.op = "Conv2D",
                         .inputs = {x, w},
                         .attrs = {{"strides", Attr::Ints({2, 2})}, {"pads", Attr::Ints({1, 1})}, {"dilations", Attr::Ints({1, 1})}},
                         .name = {},
                         .loc = {},
                         .types = {},
                         .after = {}});
  ASSERT_TRUE(y.ok()) << y.message();
  const Shape& shape = (*y)->output()->type().shape();
  EXPECT_EQ(shape[0], Dim::Symbol("s0"));
  EXPECT_EQ(shape[3], Dim(4));
  for (int64_t extent : {1, 7, 8})
    EXPECT_EQ(shape[2].Evaluate([&](std::string_view) { return std::optional<int64_t>(extent); }), (extent - 1) / 2 + 1);
}

TEST(ConvolutionOps, Refusals) {
  const Tensor x = Pattern(DType::kF32, {1, 4, 5, 5}, 7, 11, -5), w = Pattern(DType::kF32, {2, 4, 3, 3}, 7, 11, -5);
  const auto attrs = [](std::vector<int64_t> s, std::vector<int64_t> p, std::vector<int64_t> d) {
    return AttrMap{{"strides", Attr::Ints(s)}, {"pads", Attr::Ints(p)}, {"dilations", Attr::Ints(d)}};
  };
  CheckRefused("Conv2D", {x, w}, attrs({0, 1}, {0, 0}, {1, 1}), Code::kInvalidArgument, "stride 0");
  CheckRefused("Conv2D", {x, w}, attrs({1, 1}, {0, 0}, {3, 3}), Code::kInvalidArgument, "does not fit");
  CheckRefused("Conv2D", {x, w}, attrs({1, 1, 1, 1}, {0, 0}, {1, 1}), Code::kUnimplemented, "strides");
  CheckRefused("Conv2D", {x, Pattern(DType::kF32, {2, 3, 3, 3}, 7, 11, -5)}, attrs({1, 1}, {0, 0}, {1, 1}), Code::kInvalidArgument,
               "channel count");
  CheckRefused("Conv3D", {x, w}, attrs({1, 1, 1}, {0, 0, 0}, {1, 1, 1}), Code::kUnimplemented, "5 axes");
}

}  // namespace
}  // namespace ge::testing
