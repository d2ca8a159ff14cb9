// Views and shape changes: Reshape, Squeeze, ExpandDims, Transpose, StridedSliceV2, BroadcastTo, Diagonal, Unfold, AsStrided.
#include "tests/host_kernels/run_op.h"

namespace ge::testing {
namespace {

using V = std::vector<float>;
const ValueType kI64x2 = ValueType::Tensor(DType::kI64, {2});
const ValueType kI64x1 = ValueType::Tensor(DType::kI64, {1});

TEST(Reshape, InfersTheOpenExtent) {
  EXPECT_EQ(RunTo<float>("f32[3,2]", "Reshape", {Iota({2, 3}), I({3, -1})}), (V{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(RunTo<float>("f32[]", "Reshape", {Iota({1}), I({})}), V{0});
  EXPECT_EQ(RunTo<float>("f32[0,4]", "Reshape", {F({0}, {}), I({0, 4})}), V{});
  EXPECT_FALSE(RunOp("Reshape", {Iota({2, 3}), I({4, -1})}).ok());
  EXPECT_FALSE(RunOp("Reshape", {Iota({2, 3}), I({-1, -1})}).ok());
  EXPECT_FALSE(RunOp("Reshape", {F({0}, {}), I({0, -1})}).ok());
}

TEST(Reshape, KeepsSymbols) {
  const ValueType x = ValueType::Tensor(DType::kF32, {S("s0"), 4});
  EXPECT_EQ(Infer("Reshape", {x, kI64x1}, {}, {{1, I({-1})}}), "f32[4*s0]");
  EXPECT_EQ(Infer("Reshape", {x, kI64x2}), "f32[?,?]");  // extents computed at run time
}

TEST(Squeeze, DropsOnlyExtentsOfOne) {
  EXPECT_EQ(RunTo<float>("f32[2,3]", "SqueezeV3", {Iota({1, 2, 1, 3})}), (V{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(RunTo<float>("f32[2,1]", "SqueezeV3", {Iota({1, 2, 1}), I({0, 1})}), (V{0, 1}));
  EXPECT_EQ(RunTo<float>("f32[1,2]", "SqueezeV3", {Iota({1, 2}), I({})}), (V{0, 1}));  // an empty list drops none
  EXPECT_EQ(RunTo<float>("f32[]", "SqueezeV3", {F({}, {7}), I({-1})}), V{7});
  EXPECT_EQ(RunTo<float>("f32[2]", "Squeeze", {Iota({1, 2})}, {{"axis", Ints({0})}}), (V{0, 1}));
  EXPECT_FALSE(RunOp("SqueezeV3", {Iota({1, 2}), I({2})}).ok());
}

TEST(ExpandDims, CountsInTheResult) {
  EXPECT_EQ(RunTo<float>("f32[2,1]", "ExpandDims", {Iota({2}), I({-1})}), (V{0, 1}));
  EXPECT_EQ(RunTo<float>("f32[1,2]", "Unsqueeze", {Iota({2})}, {{"axes", Ints({0})}}), (V{0, 1}));
  EXPECT_FALSE(RunOp("ExpandDims", {Iota({2}), I({3})}).ok());
}

TEST(Transpose, ThreeForms) {
  EXPECT_EQ(RunTo<float>("f32[3,2]", "Transpose", {Iota({2, 3})}), (V{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(RunTo<float>("f32[3,2]", "Transpose", {Iota({2, 3}), I({-1, 0})}), (V{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(RunTo<float>("f32[2,2,1]", "Transpose", {Iota({1, 2, 2})}, {{"dim0", 0}, {"dim1", -1}}), (V{0, 2, 1, 3}));
  EXPECT_FALSE(RunOp("Transpose", {Iota({2, 3}), I({0, 0})}).ok());
  EXPECT_FALSE(RunOp("Transpose", {Iota({1, 2, 3})}).ok());
}

TEST(StridedSliceV2, ClampsAndSteps) {
  const Tensor x = Iota({2, 5}), none;
  EXPECT_EQ(RunTo<float>("f32[2,2]", "StridedSliceV2", {x, I({-2}), none, I({1})}), (V{3, 4, 8, 9}));
  EXPECT_EQ(RunTo<float>("f32[2,3]", "StridedSliceV2", {x, I({0}), I({100}), I({1}), I({2})}), (V{0, 2, 4, 5, 7, 9}));
  EXPECT_EQ(RunTo<float>("f32[2,0]", "StridedSliceV2", {x, I({3}), I({2}), I({1})}), V{});
  EXPECT_FALSE(RunOp("StridedSliceV2", {x, I({0}), I({1}), I({1}), I({0})}).ok());
}

TEST(StridedSliceV2, SelectsWithTheShrinkMask) {
  const Tensor x = Iota({2, 3});
  EXPECT_EQ(RunTo<float>("f32[2]", "StridedSliceV2", {x, I({-1}), Tensor(), I({1})}, {{"shrink_axis_mask", 1}}), (V{2, 5}));
  EXPECT_FALSE(RunOp("StridedSliceV2", {x, I({3}), Tensor(), I({1})}, {{"shrink_axis_mask", 1}}).ok());
}

TEST(StridedSliceV2, SymbolicExtents) {
  const ValueType x = ValueType::Tensor(DType::kF32, {S("s0"), 8});
  EXPECT_EQ(Infer("StridedSliceV2", {x, kI64x1, kI64x1, kI64x1}, {}, {{1, I({0})}, {2, I({INT64_MAX})}, {3, I({0})}}), "f32[s0,8]");
  EXPECT_EQ(Infer("StridedSliceV2", {x, kI64x1, kI64x1, kI64x1}, {}, {{1, I({1})}, {2, I({INT64_MAX})}, {3, I({0})}}), "f32[?,8]");
  EXPECT_EQ(Infer("StridedSliceV2", {x, kI64x1, kI64x1, kI64x1}, {}, {{1, I({2})}, {3, I({1})}}), "f32[s0,?]");
}

TEST(StridedSlice, TensorFlowMasks) {
  const Tensor x = Iota({2, 3, 2});
  EXPECT_EQ(RunTo<float>("f32[2,2,2]", "StridedSlice", {x, I({0, 2}), I({2, 0}), I({1, -1})}), (V{4, 5, 2, 3, 10, 11, 8, 9}));
  EXPECT_EQ(RunTo<float>("f32[2,3]", "StridedSlice", {x, I({0, 1}), I({0, 0}), I({1, 1})}, {{"ellipsis_mask", 1}, {"shrink_axis_mask", 2}}),
            (V{1, 3, 5, 7, 9, 11}));
  EXPECT_EQ(RunTo<float>("f32[1,1,3,2]", "StridedSlice", {x, I({0, -1}), I({0, 2}), I({1, 1})}, {{"new_axis_mask", 1}}),
            (V{6, 7, 8, 9, 10, 11}));
}

TEST(BroadcastTo, KeepsAndGrows) {
  EXPECT_EQ(RunTo<float>("f32[2,2]", "BroadcastTo", {Iota({2}), I({2, -1})}), (V{0, 1, 0, 1}));
  EXPECT_EQ(RunTo<float>("f32[2,3]", "BroadcastTo", {Iota({2, 1}), I({2, 3})}), (V{0, 0, 0, 1, 1, 1}));
  EXPECT_FALSE(RunOp("BroadcastTo", {Iota({2}), I({-1, 2})}).ok());
  EXPECT_FALSE(RunOp("BroadcastTo", {Iota({2}), I({3})}).ok());
}

TEST(Diagonal, OffsetsAndAxes) {
  EXPECT_EQ(RunTo<float>("f32[2]", "Diagonal", {Iota({2, 3})}), (V{0, 4}));
  EXPECT_EQ(RunTo<float>("f32[2]", "Diagonal", {Iota({2, 3})}, {{"offset", 1}}), (V{1, 5}));
  EXPECT_EQ(RunTo<float>("f32[1]", "Diagonal", {Iota({2, 3})}, {{"offset", -1}}), V{3});
  EXPECT_EQ(RunTo<float>("f32[0]", "Diagonal", {Iota({2, 3})}, {{"offset", 9}}), V{});
}

TEST(Unfold, Windows) {
  EXPECT_EQ(RunTo<float>("f32[2,3]", "Unfold", {Iota({5})}, {{"dimension", 0}, {"size", 3}, {"step", 2}}), (V{0, 1, 2, 2, 3, 4}));
}

TEST(AsStrided, ReadsTheStorage) {
  EXPECT_EQ(RunTo<float>("f32[2,2]", "AsStrided", {Iota({6}), I({2, 2}), I({1, 2}), I({1})}), (V{1, 3, 2, 4}));
  EXPECT_FALSE(RunOp("AsStrided", {Iota({4}), I({2, 2}), I({1, 3}), I({0})}).ok());
}

TEST(Bitcast, SizesScaleTheLastAxis) {
  EXPECT_EQ(RunTo<uint8_t>("u8[4]", "Bitcast", {Make<int32_t>({1}, {1})}, {{"type", DType::kU8}}), (std::vector<uint8_t>{1, 0, 0, 0}));
  EXPECT_FALSE(RunOp("Bitcast", {Make<uint8_t>({3}, {1, 2, 3})}, {{"type", DType::kI32}}).ok());
}

TEST(ShapeValues, FromTypesAlone) {
  EXPECT_EQ(RunTo<int32_t>("i32[2]", "Shape", {Iota({2, 3})}), (std::vector<int32_t>{2, 3}));
  EXPECT_EQ(RunTo<int64_t>("i64[]", "Size", {Iota({2, 3})}, {{"dtype", 9}}), std::vector<int64_t>{6});
  EXPECT_EQ(RunTo<int32_t>("i32[]", "Rank", {Iota({2, 3})}), std::vector<int32_t>{2});
  EXPECT_EQ(RunTo<int32_t>("i32[2]", "GatherShapes", {Iota({2, 3}), Iota({4})}, {{"axes", Attr::List{Ints({1, 0}), Ints({0, 1})}}}),
            (std::vector<int32_t>{4, 3}));
}

TEST(BroadcastGradientArgs, AxesToSumOver) {
  auto r = RunOp("BroadcastGradientArgs", {I({3, 1}), I({2, 3, 4})});
  ASSERT_TRUE(r.ok()) << r.message();
  EXPECT_EQ(Values<int64_t>((*r)[0]), (std::vector<int64_t>{0, 2}));
  EXPECT_TRUE(Values<int64_t>((*r)[1]).empty());
  EXPECT_EQ(RunTo<int64_t>("i64[3]", "BroadcastArgs", {I({3, 1}), I({2, 3, 4})}), (std::vector<int64_t>{2, 3, 4}));
}

}  // namespace
}  // namespace ge::testing
