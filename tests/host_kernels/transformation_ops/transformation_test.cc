// Tril, Triu, ReverseV2, Tile, Roll, FlattenV2, CopyTo, PadV3.
#include "tests/host_kernels/run_op.h"

namespace ge::testing {
namespace {

using V = std::vector<float>;

TEST(Triangles, Diagonals) {
  EXPECT_EQ(RunTo<float>("f32[2,3]", "Tril", {Iota({2, 3})}), (V{0, 0, 0, 3, 4, 0}));
  EXPECT_EQ(RunTo<float>("f32[2,3]", "Triu", {Iota({2, 3})}, {{"diagonal", 1}}), (V{0, 1, 2, 0, 0, 5}));
  EXPECT_FALSE(RunOp("Tril", {Iota({2})}).ok());
}

TEST(ReverseV2, Axes) {
  EXPECT_EQ(RunTo<float>("f32[2,2]", "ReverseV2", {Iota({2, 2}), I({-1})}), (V{1, 0, 3, 2}));
  EXPECT_EQ(RunTo<float>("f32[2,2]", "ReverseV2", {Iota({2, 2}), I({0, 1})}), (V{3, 2, 1, 0}));
}

TEST(Tile, NewLeadingAxes) {
  EXPECT_EQ(RunTo<float>("f32[2,4]", "Tile", {Iota({2}), I({2, 2})}), (V{0, 1, 0, 1, 0, 1, 0, 1}));
  EXPECT_EQ(RunTo<float>("f32[0]", "Tile", {Iota({2}), I({0})}), V{});
  EXPECT_FALSE(RunOp("Tile", {Iota({2, 2}), I({2})}).ok());
}

TEST(Roll, AxesOrFlattened) {
  EXPECT_EQ(RunTo<float>("f32[2,2]", "Roll", {Iota({2, 2})}, {{"shifts", Ints({1})}}), (V{3, 0, 1, 2}));
  EXPECT_EQ(RunTo<float>("f32[2,2]", "Roll", {Iota({2, 2})}, {{"shifts", Ints({-3})}, {"dims", Ints({1})}}), (V{1, 0, 3, 2}));
}

TEST(FlattenV2, Ranges) {
  EXPECT_EQ(RunTo<float>("f32[2,6]", "FlattenV2", {Iota({2, 3, 2})}).size(), 12u);
  EXPECT_EQ(RunTo<float>("f32[1]", "FlattenV2", {F({}, {1})}, {{"axis", 0}}), V{1});
}

TEST(PadV3, Modes) {
  EXPECT_EQ(RunTo<float>("f32[2,3]", "PadV3", {Iota({1, 2}), I({1, 0, 0, 1})}, {{"value", 9}}), (V{9, 0, 1, 9, 9, 9}));
  EXPECT_EQ(RunTo<float>("f32[2]", "PadV3", {Iota({4}), I({-1, -1})}), (V{1, 2}));
  EXPECT_EQ(RunTo<float>("f32[1,6]", "PadV3", {Iota({1, 3}), I({2, 1})}, {{"mode", "reflect"}, {"spatial", 1}}), (V{2, 1, 0, 1, 2, 1}));
  EXPECT_EQ(RunTo<float>("f32[1,5]", "PadV3", {Iota({1, 3}), I({1, 1})}, {{"mode", "edge"}, {"spatial", 1}}), (V{0, 0, 1, 2, 2}));
  EXPECT_FALSE(RunOp("PadV3", {Iota({1, 3}), I({3, 0})}, {{"mode", "reflect"}, {"spatial", 1}}).ok());
  EXPECT_FALSE(RunOp("PadV3", {Iota({2}), I({-2, -2})}).ok());
  EXPECT_EQ(Infer("PadV3", {ValueType::Tensor(DType::kF32, {S("s0")}), ValueType::Tensor(DType::kI64, {2})}, {}, {{1, I({1, 2})}}),
            "f32[s0+3]");
}

}  // namespace
}  // namespace ge::testing
