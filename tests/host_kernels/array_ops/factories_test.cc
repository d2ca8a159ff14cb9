// Fill, Range, LinSpace, ScalarTensor, *Like.
#include "tests/host_kernels/run_op.h"

namespace ge::testing {
namespace {

using V = std::vector<float>;
using L = std::vector<int64_t>;

TEST(Fill, DTypeOfTheValueOrTheAttribute) {
  EXPECT_EQ(RunTo<int64_t>("i64[2]", "Fill", {I({2})}, {{"fill_value", 3}}), (L{3, 3}));
  EXPECT_EQ(RunTo<float>("f32[2]", "Fill", {I({2})}, {{"fill_value", 0.5}}), (V{0.5, 0.5}));
  EXPECT_EQ(RunTo<uint8_t>("bool[1]", "Fill", {I({1})}, {{"fill_value", 2}, {"dtype", DType::kBool}}), std::vector<uint8_t>{1});
  EXPECT_EQ(RunTo<float>("f32[1,2]", "Fill", {I({1, 2}), F({}, {4})}), (V{4, 4}));
  EXPECT_EQ(RunTo<int32_t>("i32[1]", "Fill", {I({1}), Tensor(), Make<int32_t>({1}, {9})}, {{"fill_value", 1.0}}), std::vector<int32_t>{1});
  EXPECT_FALSE(RunOp("Fill", {I({1})}, {{"fill_value", 300}, {"dtype", DType::kI8}}).ok());
  EXPECT_FALSE(RunOp("Fill", {I({-1})}, {{"fill_value", 1}}).ok());
  EXPECT_FALSE(RunOp("Fill", {I({1})}).ok());
}

TEST(Like, FollowsTheOperand) {
  EXPECT_EQ(RunTo<float>("f32[2]", "ZerosLike", {Iota({2})}), (V{0, 0}));
  EXPECT_EQ(RunTo<int64_t>("i64[2]", "OnesLike", {Iota({2})}, {{"dtype", DType::kI64}}), (L{1, 1}));
  EXPECT_EQ(RunTo<float>("f32[2]", "FillLike", {Iota({2})}, {{"fill_value", 2}}), (V{2, 2}));
}

TEST(Range, CountsLikeTorch) {
  EXPECT_EQ(RunTo<int64_t>("i64[3]", "Range", {}, {{"to", 3}}), (L{0, 1, 2}));
  EXPECT_EQ(RunTo<int64_t>("i64[3]", "Range", {}, {{"from", 5}, {"to", 0}, {"step", -2}}), (L{5, 3, 1}));
  EXPECT_EQ(RunTo<float>("f32[4]", "Range", {}, {{"from", 0}, {"to", 1.0}, {"step", 0.25}}), (V{0, 0.25, 0.5, 0.75}));
  EXPECT_EQ(RunTo<int64_t>("i64[2]", "Range", {I({1}), I({3}), I({1})}), (L{1, 2}));
  EXPECT_FALSE(RunOp("Range", {}, {{"from", 3}, {"to", 0}}).ok());
  EXPECT_FALSE(RunOp("Range", {}, {{"to", 3}, {"step", 0}}).ok());
  const ValueType i64 = ValueType::Tensor(DType::kI64, {1});
  EXPECT_EQ(Infer("Range", {i64, i64, i64}, {}, {{0, I({0})}, {2, I({1})}}), "i64[?]");
  EXPECT_EQ(Infer("Range", {}, {{"to", 3.5}, {"dtype", DType::kI64}}).substr(0, 13), "unimplemented");
}

TEST(LinSpace, BothEnds) {
  EXPECT_EQ(RunTo<float>("f32[5]", "LinSpace", {}, {{"start", 0}, {"stop", 1.0}, {"num", 5}}), (V{0, 0.25, 0.5, 0.75, 1}));
  EXPECT_EQ(RunTo<float>("f32[1]", "LinSpace", {}, {{"start", 3}, {"stop", 9}, {"num", 1}}), V{3});
}

TEST(ScalarTensor, DefaultsToFloat) { EXPECT_EQ(RunTo<float>("f32[]", "ScalarTensor", {}, {{"value", 2}}), V{2}); }

}  // namespace
}  // namespace ge::testing
